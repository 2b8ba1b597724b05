"""Scores of requirements, the policy that judges them and the assessment that holds them together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from domain.energy import EnergyReading
from domain.hashing import sha256_of
from domain.measurements import Interval, Measurement

#: The metric of which each group is one work.
WORKS_NOT_REPRODUCED = "not_reproduced"


class RequirementId(StrEnum):
    """The eighteen technical requirements of COMPL-AI: R01–R12 can be measured, N01–N06 cannot."""

    R01 = "R01"
    R02 = "R02"
    R03 = "R03"
    R04 = "R04"
    R05 = "R05"
    R06 = "R06"
    R07 = "R07"
    R08 = "R08"
    R09 = "R09"
    R10 = "R10"
    R11 = "R11"
    R12 = "R12"
    N01 = "N01"
    N02 = "N02"
    N03 = "N03"
    N04 = "N04"
    N05 = "N05"
    N06 = "N06"

    @property
    def is_measurable(self) -> bool:
        """Whether COMPL-AI names benchmarks for it."""
        return self.value.startswith("R")


class Status(StrEnum):
    """How a score came about. A number belongs to MEASURED, and to PARTIAL with its coverage, only."""

    MEASURED = "MEASURED"
    #: some benchmarks missing or not valid
    PARTIAL = "PARTIAL"
    #: too few items, too few parsed, too many errors, or a companion shows a degenerate model
    INSUFFICIENT = "INSUFFICIENT"
    #: the endpoint lacks a capability
    NOT_MEASURABLE_HERE = "NOT_MEASURABLE_HERE"
    #: a corpus, a detector or a document is needed
    NEEDS_EVIDENCE = "NEEDS_EVIDENCE"
    DECLARED = "DECLARED"
    NOT_RUN = "NOT_RUN"
    FAILED = "FAILED"


class Verdict(StrEnum):
    """What the operator's policy says of a score; uses the interval, never the point alone."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    ATTENTION = "attention"
    FAIL = "fail"
    #: the interval crosses a threshold
    UNDECIDED = "undecided"
    #: no number, or no policy for this requirement
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkScore:
    """What one benchmark contributes to a requirement."""

    benchmark: str
    title: str
    weight: float
    #: Headline metric normalised to [0, 1], 1 = best; None with reasons.
    value: float | None
    interval: Interval | None = None
    valid: bool
    #: Why it does not count, each in one sentence; empty when valid.
    invalid_because: tuple[str, ...] = ()
    headline: Measurement | None = None
    companions: tuple[Measurement, ...] = ()
    normaliser: str
    run_id: str | None = None
    #: What the score hides of the raw value, e.g. an accuracy below chance shown as 0.
    notes: tuple[str, ...] = ()
    #: Small labels beside the score: ``lexical classifier``, ``stated confidence``.
    tags: tuple[str, ...] = ()
    #: What was measured in place of the model: ``the corpus x.jsonl (sha256 …)``; None where it was the model.
    subject: str | None = None

    @property
    def name(self) -> str:
        """The title, with what it is the score of where that is not the model."""
        return self.title if self.subject is None else f"{self.title}: score of {self.subject}, not of the model"


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementScore:
    """The score of one requirement, with what it was made of."""

    requirement: RequirementId
    status: Status
    #: [0, 1], 1 = best; None with a reason.
    value: float | None
    reason: str | None = None
    interval: Interval | None = None
    #: Weight of valid benchmarks / weight of all.
    coverage: float = 0.0
    #: Independent items the score rests on; what belongs together (a pair, the forms of a question) counts once.
    n: int = 0
    benchmarks: tuple[BenchmarkScore, ...] = ()
    verdict: Verdict = Verdict.NONE
    #: Why the policy says so, in words.
    verdict_reason: str | None = None
    #: Thresholds the verdict used, for the tick on the bar: ``pass_at``, ``fail_below``.
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def n_asked(self) -> int:
        """Items that were asked; a number that does not say on how many it rests counts as one."""
        if self.status is Status.FAILED:
            return 0
        asked = sum(b.headline.n for b in self.benchmarks if b.headline is not None)
        return max(asked, self.n, 0 if self.value is None else 1)

    @property
    def of(self) -> str | None:
        """Of what the number is where not of the model, in one sentence."""
        subjects = [b.subject for b in self.benchmarks if b.subject is not None]
        return f"Score of {' and '.join(subjects)}, not of the model." if subjects else None

    @property
    def works(self) -> tuple[str, ...]:
        """Names of the operator's works whose passages the model was asked to continue."""
        figures = (b.headline for b in self.benchmarks if b.headline is not None)
        return tuple(name for m in figures if m.metric == WORKS_NOT_REPRODUCED for name in m.by_group)

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            msg = f"{self.requirement}: exactly one of value and reason must be given"
            raise ValueError(msg)
        if self.value is not None and self.status not in {Status.MEASURED, Status.PARTIAL}:
            msg = f"{self.requirement}: a number does not belong to the status {self.status}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """Pass when the whole interval is at or above ``pass_at``; fail when it is below ``fail_below``."""

    pass_at: float
    fail_below: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The operator's thresholds, versioned."""

    name: str
    version: str
    #: An example policy is labelled as such wherever its verdicts are shown.
    is_example: bool
    thresholds: Mapping[RequirementId, Threshold]
    #: A drop beyond chance of more than this share is a regression.
    max_drop: float = 0.05

    @property
    def sha256(self) -> str:
        """Hash of the policy."""
        return sha256_of(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """The decision page as data: everything a report prints, from stored facts only."""

    id: str
    endpoint_name: str
    base_url: str
    model: str
    served_model: str | None
    fingerprint: str | None
    suite: str
    #: One sentence when only a seeded part of each benchmark was asked.
    subset_note: str | None
    run_ids: tuple[str, ...]
    created_at: datetime
    scores: tuple[RequirementScore, ...]
    #: Benchmark key → reading.
    energy: Mapping[str, EnergyReading]
    policy_name: str
    policy_version: str
    policy_is_example: bool
    policy_sha256: str
    map_id: str
    map_version: str
    map_sha256: str
    #: Standard sentences on what the assessment does not show.
    limitations: tuple[str, ...]
    #: Benchmark key → hash of its samples.
    evidence: Mapping[str, str]
    tool_versions: Mapping[str, Any]

    @property
    def measured(self) -> tuple[RequirementScore, ...]:
        """Requirements with a number."""
        return tuple(s for s in self.scores if s.value is not None)

    @property
    def n_asked(self) -> int:
        """Items that were asked, whether their benchmark counts or not; nothing of what did not come to its end."""
        return sum(score.n_asked for score in self.scores)

    def score(self, requirement: RequirementId) -> RequirementScore:
        """The score of one requirement."""
        return next(s for s in self.scores if s.requirement is requirement)
