"""Asks a served model and measures: `find` a benchmark, `run` it, `measure` what came back.

An evaluator conforms to `domain.benchmarks.Evaluator` and stands in the tuple EVALUATORS; nothing else registers it.
Importing this package loads no evaluation library.
"""

import difflib
from pathlib import Path

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Evaluator, Progress, RawResult, RunOptions, ServedJudge
from domain.endpoints import Capabilities, Endpoint
from domain.errors import InvalidTask, UnknownBenchmark
from domain.measurements import Measurement
from evaluators.benchmarks import LmEval, discover_tasks
from evaluators.canaries.evaluator import CanaryAssociation
from evaluators.corpus.evaluator import CorpusScan
from evaluators.imports.evaluator import ImportedResults
from evaluators.traceability.evaluator import WatermarkDetection

EVALUATORS: tuple[Evaluator, ...] = (
    LmEval(),
    CorpusScan(),
    WatermarkDetection(),
    CanaryAssociation(),
    ImportedResults(),
)

__all__ = ["EVALUATORS", "benchmarks", "discover_tasks", "find", "measure", "rescore", "run", "warm"]


def benchmarks() -> tuple[Benchmark, ...]:
    """All listed benchmarks of all evaluators."""
    return tuple(benchmark for evaluator in EVALUATORS for benchmark in evaluator.benchmarks())


def find(key: str, *, tasks_dir: Path | None = None) -> tuple[Evaluator, Benchmark]:
    """The benchmark of a key with its evaluator; UnknownBenchmark names the nearest keys.

    With the operator's tasks folder, the name of a task in it is a key as well; the benchmark found carries the path of
    its file as its own key, by which it is found without the folder.
    """
    own = {benchmark.title: benchmark for benchmark in discover_tasks(tasks_dir)} if tasks_dir else {}
    if key in own:
        key = own[key].key
    for evaluator in EVALUATORS:
        if (benchmark := evaluator.find(key)) is not None:
            return evaluator, benchmark
    near = difflib.get_close_matches(key, [*own, *(benchmark.key for benchmark in benchmarks())], n=3)
    meant = f"did you mean {' or '.join(near)}?" if near else "`vera suites` shows the names."
    raise UnknownBenchmark(f"There is no benchmark {key!r}; {meant}")


def run(
    benchmark_key: str,
    *,
    endpoint: Endpoint,
    api_key: str | None,
    capabilities: Capabilities,
    options: RunOptions,
    answers: AnswerStore,
    progress: Progress,
    judge: ServedJudge | None = None,
) -> RawResult:
    """Ask one endpoint the questions of one benchmark; answers already in the store are not asked again."""
    evaluator, benchmark = find(benchmark_key)
    return evaluator.run(
        benchmark,
        endpoint=endpoint,
        api_key=api_key,
        capabilities=capabilities,
        options=options,
        answers=answers,
        progress=progress,
        judge=judge,
    )


def measure(raw: RawResult) -> tuple[Measurement, ...]:
    """Numbers with intervals from the stored samples of one benchmark. Pure."""
    evaluator = _evaluator_of(raw)
    return evaluator.measure(_benchmark_of(evaluator, raw), raw)


def rescore(raw: RawResult) -> RawResult:
    """The same answers with their per-item metrics made anew by the present scorer. Pure."""
    evaluator = _evaluator_of(raw)
    return evaluator.rescore(_benchmark_of(evaluator, raw), raw)


def _evaluator_of(raw: RawResult) -> Evaluator:
    evaluator = next((evaluator for evaluator in EVALUATORS if evaluator.name == raw.evaluator), None)
    if evaluator is None:
        raise UnknownBenchmark(
            f"{raw.benchmark} was run by {raw.evaluator!r}, which this version of VERA does not have."
        )
    return evaluator


def _benchmark_of(evaluator: Evaluator, raw: RawResult) -> Benchmark:
    """The benchmark as it is now; as the result remembers it where its task is gone or cannot be read any more."""
    try:
        found = evaluator.find(raw.benchmark)
    except (UnknownBenchmark, InvalidTask):
        found = None
    return found or Benchmark(
        key=raw.benchmark,
        evaluator=raw.evaluator,
        title=str(raw.provenance.get("title", raw.benchmark)),
        description="",
        version=raw.benchmark_version,
        task=raw.benchmark,
        needs=(),
        scorer=str(raw.provenance.get("scorer")),
        source=str(raw.provenance.get("source")),
        licence="",
    )


def warm() -> None:
    """Import what the evaluators need, once in the process from which benchmark processes are forked."""
    for evaluator in EVALUATORS:
        evaluator.warm()
