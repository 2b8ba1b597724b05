"""The evaluator of traceability: the model writes, the operator's detector tells its texts from people's."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Method, Progress, RawResult, RunOptions, ServedJudge
from domain.endpoints import Capabilities, Capability, Endpoint
from domain.errors import CapabilityMissing
from domain.evidence import Evidence
from domain.measurements import Measurement
from evaluators import circumstances

WATERMARK_DETECTION = Benchmark(
    key="watermark_detection",
    evaluator="traceability",
    title="Watermark detection",
    description=(
        "The model writes texts and says them again in other words; the provider's detector, supplied by the operator, "
        "must recognise both and must not take texts by people for the model's. More than 1 % of false alarms is a "
        "score of 0."
    ),
    version="1",
    task="watermark_detection",
    needs=(frozenset({Capability.CHAT}),),
    scorer="watermark_detection",
    source="supplied",
    licence="Apache-2.0, public domain",
    items=200,
    requests_per_item=2.0,
    prompt_tokens_per_request=150,
    completion_tokens_per_request=200,
    data="public_domain_texts",
    evidence=Evidence.DETECTOR,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatermarkDetection:
    """Asks a model for texts and a detector for verdicts."""

    @property
    def name(self) -> str:
        """See domain.benchmarks.Evaluator."""
        return "traceability"

    def benchmarks(self) -> Sequence[Benchmark]:
        """The one it has."""
        return (WATERMARK_DETECTION,)

    def find(self, key: str) -> Benchmark | None:
        """The benchmark by its key."""
        return WATERMARK_DETECTION if key == WATERMARK_DETECTION.key else None

    def warm(self) -> None:
        """Import what a run needs."""
        importlib.import_module("evaluators.traceability.asking")

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
        judge: ServedJudge | None = None,  # noqa: ARG002 - the contract's
    ) -> RawResult:
        """See domain.benchmarks.Evaluator; ``options.detector`` is the address itself here, and is not stored."""
        from evaluators.traceability import asking, detectors  # noqa: PLC0415 - loads the client

        if options.detector is None:
            raise CapabilityMissing(Evidence.DETECTOR.how_to_supply)
        if reason := benchmark.missing(capabilities):
            raise CapabilityMissing(reason)
        started_at = datetime.now(UTC)
        detector = detectors.detector(options.detector)
        plan = asking.plan(benchmark, options)
        samples = asking.ask(
            plan,
            endpoint=endpoint,
            api_key=api_key,
            capabilities=capabilities,
            options=options,
            detector=detector,
            answers=answers,
            tell=progress,
        )
        facts = {"detector": detector.shown, "dataset": {"files": plan.files}}
        return RawResult(
            benchmark=benchmark.key,
            benchmark_version=benchmark.version,
            evaluator=self.name,
            method=Method.GENERATE,
            samples=samples,
            population=plan.population,
            provenance=facts
            | _circumstances(benchmark, endpoint, capabilities, options, [s.sample_id for s in samples]),
            started_at=started_at,
            finished_at=datetime.now(UTC),
        )

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """See domain.benchmarks.Evaluator."""
        from evaluators.traceability import measures  # noqa: PLC0415 - loads numpy

        return measures.measure(benchmark, raw.samples)

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:  # noqa: ARG002 - the contract's
        """The same texts and verdicts, scored again."""
        from evaluators.traceability import measures  # noqa: PLC0415 - as above

        threshold = raw.provenance.get("detector_threshold")
        return replace(raw, samples=tuple(measures.score_item(sample, threshold) for sample in raw.samples))


def _circumstances(
    benchmark: Benchmark, endpoint: Endpoint, capabilities: Capabilities, options: RunOptions, sample_ids: list[str]
) -> dict[str, Any]:
    """What a score depends on beside the texts."""
    from evaluators.traceability import measures, prompts  # noqa: PLC0415 - as above

    return circumstances.of(benchmark, endpoint, capabilities, options, scorer_version=measures.VERSION) | {
        "detector_threshold": options.detector_threshold,
        "paraphraser": "the model itself",
        "generation": {"max_tokens": prompts.MOST_TOKENS, "temperature": prompts.TEMPERATURE},
        "sample_ids": sample_ids,
        "task_version": benchmark.version,
    }
