"""What became of a benchmark, as scoring needs to know it; and what a person declared."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Self

from domain.measurements import Measurement
from domain.scores import RequirementId


class State(StrEnum):
    """How far a benchmark came."""

    MEASURED = "measured"
    FAILED = "failed"
    #: the endpoint lacks a capability, or nobody can run the benchmark yet
    BLOCKED = "blocked"
    NOT_RUN = "not_run"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOutcome:
    """One benchmark's measurements, or the sentence that says why there are none."""

    benchmark: str
    state: State
    #: Headline first or not: scoring finds each by its metric's name.
    measurements: tuple[Measurement, ...] = ()
    #: Why there are no measurements; None when there are.
    reason: str | None = None
    run_id: str | None = None
    #: What was measured in place of the model, as the middle of a sentence: ``the corpus x.jsonl (sha256 …)``.
    subject: str | None = None
    #: What the operator states of it and nothing checks, in one sentence.
    stated: str | None = None

    def __post_init__(self) -> None:
        if (self.state is State.MEASURED) == (self.reason is not None):
            msg = f"{self.benchmark}: a reason belongs to an outcome without measurements, and only to it"
            raise ValueError(msg)
        foreign = {m.benchmark for m in self.measurements} - {self.benchmark}
        if foreign:
            msg = f"{self.benchmark}: holds measurements of {', '.join(sorted(foreign))}"
            raise ValueError(msg)

    @classmethod
    def measured(
        cls,
        benchmark: str,
        measurements: tuple[Measurement, ...],
        *,
        run_id: str | None = None,
        subject: str | None = None,
        stated: str | None = None,
    ) -> Self:
        """It ran to its end and was measured."""
        return cls(
            benchmark=benchmark,
            state=State.MEASURED,
            measurements=measurements,
            run_id=run_id,
            subject=subject,
            stated=stated,
        )

    @classmethod
    def failed(cls, benchmark: str, reason: str, *, run_id: str | None = None) -> Self:
        """It was started and did not come to its end."""
        return cls(benchmark=benchmark, state=State.FAILED, reason=reason, run_id=run_id)

    @classmethod
    def blocked(cls, benchmark: str, reason: str, *, run_id: str | None = None) -> Self:
        """It cannot run on this endpoint."""
        return cls(benchmark=benchmark, state=State.BLOCKED, reason=reason, run_id=run_id)

    @classmethod
    def not_run(cls, benchmark: str, reason: str = "It was not run.", *, run_id: str | None = None) -> Self:
        """Nobody has run it, or it was cancelled."""
        return cls(benchmark=benchmark, state=State.NOT_RUN, reason=reason, run_id=run_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A document somebody supplied for a requirement that no benchmark of the suite measures."""

    requirement: RequirementId
    author: str
    declared_on: date
    sha256: str

    @property
    def sentence(self) -> str:
        """What a reader is told in place of a number."""
        return (
            f"Declared by {self.author} on {self.declared_on.isoformat()} (document sha256 {self.sha256[:12]}…); "
            "a declaration was not checked by measurement."
        )
