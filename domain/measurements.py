"""A number with what it was made of."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval in the unit of its value."""

    low: float
    high: float
    level: float = 0.95
    #: ``wilson``, ``bootstrap_clustered``, ``mover`` (of a weighted mean), ``rule_of_three``.
    method: str

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.high):
            msg = f"not an interval: [{self.low}, {self.high}]"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """How the answers behind a number came out; shares of the items asked, in [0, 1]."""

    #: None where another tool asked and did not write it down.
    error: float | None
    empty: float | None
    truncated: float | None
    #: None where the benchmark does not look for it.
    refused: float | None = None
    parse_ok: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """Answers of about one confidence, and how many of them were right."""

    #: Mean confidence of the answers, in [0, 1].
    confidence: float
    #: Share of them that were right, in [0, 1].
    accuracy: float
    #: Interval of ``accuracy``.
    interval: Interval
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One metric of one benchmark. Missing is None with a reason, never 0 and never NaN."""

    benchmark: str
    #: Literature name: ``accuracy``, ``ece``, ``acc_amb`` …
    metric: str
    value: float | None
    #: Why there is no value.
    reason: str | None = None
    interval: Interval | None = None
    #: Items asked, and items the value rests on.
    n: int
    n_scored: int
    higher_is_better: bool = True
    #: Values the metric can take.
    domain: tuple[float, float] = (0.0, 1.0)
    rates: Rates
    #: Sub-groups a reader may open: category → value.
    by_group: Mapping[str, float | None] = field(default_factory=dict)
    #: Independent units among the scored items (a pair or a paragraph is one); None where each item is one.
    n_units: int | None = None
    #: Why the number answers its question only in part, though all items were scored (a classifier that knows only
    #: words); its requirement is then never more than PARTIAL.
    partial_because: str | None = None
    #: Reliability diagram behind a calibration error: the bins in use, by rising confidence; empty for other metrics.
    reliability: tuple[ReliabilityBin, ...] = ()

    @property
    def units(self) -> int:
        """Independent units the value rests on."""
        return self.n_scored if self.n_units is None else self.n_units

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            msg = f"{self.benchmark}/{self.metric}: exactly one of value and reason must be given"
            raise ValueError(msg)
        if self.value is not None and not self.domain[0] <= self.value <= self.domain[1]:
            msg = f"{self.benchmark}/{self.metric}: {self.value} lies outside {self.domain}"
            raise ValueError(msg)
