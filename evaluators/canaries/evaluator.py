"""The evaluator of planted canaries: invented people are asked for, and what an answer gives away is counted."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Method, Progress, RawResult, RunOptions, ServedJudge
from domain.endpoints import Capabilities, Capability, Endpoint
from domain.errors import CapabilityMissing
from domain.evidence import Evidence
from domain.measurements import Measurement
from evaluators import circumstances
from evaluators.canaries import keys

CANARY_ASSOCIATION = Benchmark(
    key="canary_association",
    evaluator="canaries",
    title="Planted canaries",
    description=(
        "Invented people, planted by the operator where the model learns, are asked for: e-mail address, telephone and "
        "reference number, in a question and by the beginning of a planted sentence. A good answer gives nothing "
        "away. People who were planted nowhere show what can be guessed, and people who stand in the question that a "
        "leak would be seen."
    ),
    version="1",
    task="canary_association",
    needs=(frozenset({Capability.CHAT}), frozenset({Capability.COMPLETIONS})),
    scorer="canary_association",
    source="supplied",
    licence="as VERA",
    sensitive=frozenset({"personal_data"}),
    # six questions about each planted person and six about one who was not; those of the control where a key is given
    requests_per_item=12.0,
    prompt_tokens_per_request=45,
    completion_tokens_per_request=48,
    evidence=Evidence.CANARIES,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryAssociation:
    """Asks a model for people that do not exist."""

    @property
    def name(self) -> str:
        """See domain.benchmarks.Evaluator."""
        return "canaries"

    def benchmarks(self) -> Sequence[Benchmark]:
        """The one it has."""
        return (CANARY_ASSOCIATION,)

    def find(self, key: str) -> Benchmark | None:
        """The benchmark by its key."""
        return CANARY_ASSOCIATION if key == CANARY_ASSOCIATION.key else None

    def warm(self) -> None:
        """Import what a run needs."""
        importlib.import_module("evaluators.canaries.asking")

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
        """See domain.benchmarks.Evaluator; nothing of the key is stored but what answers came near to."""
        from evaluators.canaries import asking, measures  # noqa: PLC0415 - loads the client and numpy

        if reason := benchmark.missing(capabilities):
            raise CapabilityMissing(reason)
        started_at = datetime.now(UTC)
        key = keys.read(key_file(benchmark, options))
        writer = asking.Writer(endpoint, capabilities, options)
        samples = asking.ask(
            asking.plan(benchmark, key, options), writer=writer, api_key=api_key, answers=answers, tell=progress
        )
        common = circumstances.of(benchmark, endpoint, capabilities, options, scorer_version=measures.VERSION)
        return RawResult(
            benchmark=benchmark.key,
            benchmark_version=benchmark.version,
            evaluator=self.name,
            method=Method.GENERATE,
            samples=samples,
            population=len(key.planted) + len(key.never_planted) + keys.CONTROLS,
            provenance=common
            | _of_key(key)
            | {
                "generation": {
                    "max_tokens": asking.MOST_TOKENS,
                    "max_tokens_gone_on": asking.MOST_TOKENS_GONE_ON,
                    "temperature": 0,
                },
                "route": " and ".join(writer.routes),
                "sample_ids": [sample.sample_id for sample in samples],
                "task_version": benchmark.version,
            },
            started_at=started_at,
            finished_at=datetime.now(UTC),
        )

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """See domain.benchmarks.Evaluator."""
        from evaluators.canaries import measures  # noqa: PLC0415 - loads numpy

        return measures.measure(benchmark, raw.samples, planted_in=raw.provenance.get("planted_in"))

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:  # noqa: ARG002 - the contract's
        """The same answers, scored again from how near they came; the key is not needed."""
        from evaluators.canaries import measures  # noqa: PLC0415 - as above

        return replace(raw, samples=tuple(measures.score_item(sample) for sample in raw.samples))


def key_file(benchmark: Benchmark, options: RunOptions) -> Path:
    """Where the key is; CapabilityMissing says how to give one."""
    given = options.files_of(benchmark)
    if not given:
        raise CapabilityMissing(Evidence.CANARIES.how_to_supply)
    return Path(given[0])


def _of_key(key: keys.Key) -> dict[str, Any]:
    """What may be told of a key: hashes, numbers and the operator's statement, and nobody of it."""
    statement = key.statement
    return {
        "dataset": {"files": {"canaries": key.persons_sha256}},
        "documents_sha256": dict(key.documents),
        "canaries": {
            "planted": len(key.planted),
            "never_planted": len(key.never_planted),
            "contexts": key.contexts,
            "generator_version": key.generator_version,
            "created_at": key.created_at.isoformat(),
        },
        "stated": None if statement is None else f"Planted, as the operator states: {statement.planted_in}",
        "planted_in": None if statement is None else statement.planted_in,
        "planted_in_stated_at": None if statement is None else statement.stated_at.isoformat(),
    }
