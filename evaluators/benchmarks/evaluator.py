"""The evaluator that runs lm-eval tasks: our starter suite, public tasks by name and an operator's own by path."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Progress, RawResult, RunOptions, ServedJudge
from domain.endpoints import Capabilities, Endpoint
from domain.errors import MissingDependency
from domain.evidence import Evidence
from domain.measurements import Measurement
from evaluators.benchmarks import catalogue, public_tasks, published, published_judged, starter


@dataclass(frozen=True, slots=True, kw_only=True)
class LmEval:
    """Runs a benchmark as an lm-eval task on a served model."""

    @property
    def name(self) -> str:
        """See domain.benchmarks.Evaluator."""
        return "lm_eval"

    def benchmarks(self) -> Sequence[Benchmark]:
        """The starter suite, our tasks over published data sets and the listed public tasks."""
        return (*starter.STARTER, *published.PUBLISHED, *published_judged.REFERENCES, *public_tasks.PUBLIC)

    def find(self, key: str) -> Benchmark | None:
        """A listed benchmark, ``lm_eval:NAME`` or ``NAME`` of a public task, or the path of a task file.

        UnknownBenchmark explains a group or tag of tasks, and a name after ``lm_eval:`` that lm-eval does not have.
        """
        name = key.removeprefix(catalogue.PREFIX)
        listed = {benchmark.key: benchmark for benchmark in self.benchmarks()}
        if found := listed.get(key) or listed.get(catalogue.PREFIX + name):
            return found
        if name.endswith((".yaml", ".yml")):
            return catalogue.own_benchmark(Path(name).expanduser())
        if key != name or catalogue.is_public(name):
            return catalogue.public_benchmark(name)
        return None

    def warm(self) -> None:
        """Import lm-eval, so that a process forked afterwards asks its first question at once."""
        try:
            importlib.import_module("evaluators.benchmarks.runner")
        except ImportError as error:
            raise MissingDependency(f"lm-eval cannot be imported ({error}); install vera-dashboard again.") from error

    def run(
        self,
        benchmark: Benchmark,
        *,
        endpoint: Endpoint,
        api_key: str | None,
        capabilities: Capabilities,
        options: RunOptions,
        answers: AnswerStore,
        progress: Progress,
        judge: ServedJudge | None = None,
    ) -> RawResult:
        """See domain.benchmarks.Evaluator."""
        from evaluators.benchmarks import runner  # noqa: PLC0415 - loads lm-eval

        return runner.run(
            benchmark,
            endpoint=endpoint,
            api_key=api_key,
            capabilities=capabilities,
            options=options,
            answers=answers,
            progress=progress,
            judge=judge,
        )

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """See domain.benchmarks.Evaluator."""
        if benchmark.scorer == catalogue.SCORER:
            from evaluators.benchmarks import public  # noqa: PLC0415 - loads numpy

            return public.measure(benchmark, raw)
        from evaluators.benchmarks import scorers  # noqa: PLC0415 - loads numpy

        measured = scorers.measure(benchmark, raw.samples)
        if benchmark.evidence is not Evidence.JUDGE:
            return measured
        from evaluators.benchmarks.judging import agreement  # noqa: PLC0415 - as above

        return (*measured, agreement.measured(benchmark, raw.samples, raw.provenance))

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:
        """The same answers scored again by the present item scorer; public tasks keep lm-eval's scores. Pure."""
        if benchmark.scorer == catalogue.SCORER:
            return raw
        from evaluators.benchmarks import scorers  # noqa: PLC0415 - loads numpy

        version = scorers.version_made_anew(benchmark.scorer, raw.provenance.get("scorer_version"))
        return replace(
            raw,
            samples=tuple(scorers.score_item(benchmark.scorer, sample) for sample in raw.samples),
            provenance=raw.provenance if version is None else {**raw.provenance, "scorer_version": version},
        )
