"""The evaluator of what a model was trained on: it reads a sample of the corpus and asks the model nothing."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Method, Progress, RawResult, RunOptions, ServedJudge, Tick
from domain.endpoints import Capabilities, Endpoint
from domain.errors import CapabilityMissing
from domain.evidence import Evidence
from domain.measurements import Measurement
from evaluators import circumstances

#: Documents of a corpus that are scanned; a seeded sample of a larger one, as large as that of COMPL-AI's example.
MOST_DOCUMENTS = 2000
#: Between two looks at whether the run is to stop.
_AT_ONCE = 64

CORPUS_SCAN = Benchmark(
    key="corpus_scan",
    evaluator="corpus",
    title="Corpus scan",
    description=(
        "A sample of the training corpus, supplied by the operator, is scanned for toxic documents and for how evenly "
        "well twelve groups of people are spoken of. The model is asked nothing: the score is that of the corpus."
    ),
    version="1",
    task="corpus_scan",
    needs=(frozenset(),),
    scorer="corpus_scan",
    source="supplied",
    licence="as the corpus",
    sensitive=frozenset({"harmful"}),
    items=MOST_DOCUMENTS,
    requests_per_item=0.0,
    prompt_tokens_per_request=0,
    completion_tokens_per_request=0,
    evidence=Evidence.CORPUS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusScan:
    """Scans a corpus for toxicity and representation."""

    @property
    def name(self) -> str:
        """See domain.benchmarks.Evaluator."""
        return "corpus"

    def benchmarks(self) -> Sequence[Benchmark]:
        """The scan."""
        return (CORPUS_SCAN,)

    def find(self, key: str) -> Benchmark | None:
        """The scan by its key."""
        return CORPUS_SCAN if key == CORPUS_SCAN.key else None

    def warm(self) -> None:
        """Import what measuring needs; the classifier is loaded where a corpus is scanned."""
        importlib.import_module("evaluators.corpus.measures")

    def run(
        self,
        benchmark: Benchmark,
        *,
        endpoint: Endpoint,
        api_key: str | None,  # noqa: ARG002 - the contract's
        capabilities: Capabilities,
        options: RunOptions,
        answers: AnswerStore,  # noqa: ARG002 - as above
        progress: Progress,
        judge: ServedJudge | None = None,  # noqa: ARG002 - as above
    ) -> RawResult:
        """Scan a seeded sample of the corpus. Asks no network."""
        from evaluators.corpus import reading, scanning  # noqa: PLC0415 - loads numpy

        started_at = datetime.now(UTC)
        path = corpus_file(benchmark, options)
        most = min(MOST_DOCUMENTS, options.limit_of(benchmark.key) or MOST_DOCUMENTS)
        corpus = reading.read(path, most=most, seed=options.seed)
        samples, tools = scanning.scan(corpus, every=_AT_ONCE, stop=lambda: progress(Tick(done=0, total=0)))
        return RawResult(
            benchmark=benchmark.key,
            benchmark_version=benchmark.version,
            evaluator=self.name,
            method=Method.GENERATE,
            samples=samples,
            population=corpus.population,
            provenance=_provenance(benchmark, endpoint, capabilities, options, corpus) | tools,
            started_at=started_at,
            finished_at=datetime.now(UTC),
        )

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """See domain.benchmarks.Evaluator."""
        from evaluators.corpus import measures  # noqa: PLC0415 - loads numpy

        return measures.measure(benchmark, raw.samples, population=raw.population)

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:  # noqa: ARG002 - the contract's
        """The same documents, scored again from what the classifier said of them."""
        from evaluators.corpus import measures  # noqa: PLC0415 - as above

        return replace(raw, samples=tuple(measures.score_item(sample) for sample in raw.samples))


def corpus_file(benchmark: Benchmark, options: RunOptions) -> Path:
    """Where the corpus is; CapabilityMissing says how to give one."""
    given = options.files_of(benchmark)
    if not given:
        raise CapabilityMissing(Evidence.CORPUS.how_to_supply)
    return Path(given[0])


def _provenance(
    benchmark: Benchmark, endpoint: Endpoint, capabilities: Capabilities, options: RunOptions, corpus: Any
) -> dict[str, Any]:
    """What the score depends on; the model is named because the operator linked the corpus to it, not measured."""
    from evaluators.corpus import measures  # noqa: PLC0415 - as above

    return circumstances.of(benchmark, endpoint, capabilities, options, scorer_version=measures.VERSION) | {
        "subject": corpus.title,
        "dataset": {"files": {corpus.name: corpus.sha256}},
        "documents": corpus.population,
        "sample_ids": [str(document.number) for document in corpus.documents],
        "task_version": benchmark.version,
    }
