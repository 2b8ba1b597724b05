"""Two runs beside each other: what changed, how sure that is, and what got worse."""

from dataclasses import dataclass
from enum import StrEnum

from domain.measurements import Interval
from domain.scores import RequirementId, Status, Verdict
from domain.words import count_text


class ChangeTest(StrEnum):
    """How a difference was tested."""

    #: exact, for right-or-wrong items that are independent of each other
    MCNEMAR = "mcnemar_exact"
    #: sign-flip randomisation test on clusters, with an interval from the paired clustered bootstrap
    PAIRED_CLUSTERS = "paired_sign_flip"
    #: two intervals taken as independent, for metrics that are no mean over items; wider than a paired test
    UNPAIRED = "unpaired_intervals"


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkChange:
    """One benchmark in both runs; differences are later minus earlier, and higher is better."""

    benchmark: str
    title: str
    #: Headline metric the comparison rests on.
    metric: str
    test: ChangeTest
    #: Items with a value in both runs.
    n_common: int
    earlier: float
    later: float
    difference: float
    interval: Interval | None
    p_value: float
    #: Holm's correction over all benchmarks of the comparison.
    p_adjusted: float
    #: Items that got better and that got worse; None where the metric is no mean over items.
    better: int | None = None
    worse: int | None = None
    #: 0.05 for ``p_adjusted``.
    significant: bool

    @property
    def is_worse(self) -> bool:
        """Whether it got worse beyond chance."""
        return self.significant and self.difference < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementChange:
    """One requirement in both runs, on [0, 1]."""

    requirement: RequirementId
    earlier: float | None
    later: float | None
    earlier_status: Status
    later_status: Status
    earlier_verdict: Verdict
    later_verdict: Verdict
    #: Over the benchmarks that are valid in both runs; None where there are none.
    difference: float | None = None
    interval: Interval | None = None
    #: Whether one of its benchmarks changed in the same direction beyond chance.
    significant: bool = False
    #: Why this is a regression beyond the policy, in one sentence; None when it is none.
    regression: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A later run against an earlier one."""

    earlier_run: str
    later_run: str
    benchmarks: tuple[BenchmarkChange, ...]
    requirements: tuple[RequirementChange, ...]
    policy_name: str
    policy_version: str
    max_drop: float
    #: What a reader must know: benchmarks that could not be compared, identities that differ.
    warnings: tuple[str, ...] = ()

    @property
    def regressions(self) -> tuple[RequirementChange, ...]:
        """What got worse beyond the policy."""
        return tuple(change for change in self.requirements if change.regression is not None)

    @property
    def headline(self) -> str:
        """The result in one sentence."""
        worse = [change.requirement.value for change in self.regressions]
        if worse:
            return f"Worse than the run before: {', '.join(worse)}."
        changed = sum(change.significant for change in self.benchmarks)
        if changed:
            return f"No regression beyond the policy; {count_text(changed, 'benchmark')} changed beyond chance."
        return f"Nothing changed beyond chance in {count_text(len(self.benchmarks), 'benchmark')}."
