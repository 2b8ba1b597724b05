"""What every scorer is made of: the score of one answer, and measurements with their rates and intervals."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Benchmark, Sample
from domain.measurements import Interval, Measurement, Rates, ReliabilityBin
from evaluators import statistics
from evaluators.benchmarks.judging.rubrics import ROLE as JUDGE_ROLE

Doc = Mapping[str, Any]


class Scored(NamedTuple):
    """Per-item metrics of one answer; a metric that does not apply to the item is left out."""

    metrics: dict[str, float]
    #: None where the scorer accepts any text.
    parse_ok: bool | None = None
    #: None where it does not look for refusals.
    refused: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """How answers of one kind of benchmark become numbers; both functions are pure."""

    #: Part of a score's identity: any change of a rule below it is a new version.
    version: str
    score_text: Callable[[Doc, str], Scored]
    measure: Callable[[Benchmark, Sequence[Sample]], tuple[Measurement, ...]]
    #: For what the text alone does not hold: log-probabilities, a content filter's decision.
    score_answer: Callable[[Doc, Answer], Scored] | None = None
    #: What of an answer a classifier is shown, once, when it came; "" for nothing.
    shown_to_classifier: Callable[[Doc, str], str] | None = None
    #: What a judge is sent about an answer, where one is asked; None for an item that it is not to see.
    shown_to_judge: Callable[[Doc, str], str | None] | None = None
    #: The program an answer makes, where it is to be run; None where it holds none.
    program: Callable[[Doc, str], str | None] | None = None
    #: Whether the version is that of the questions as well, which are not asked again when answers are scored again.
    is_of_questions: bool = False
    #: For what is stored beside the answer: a classifier's opinion, a judge's verdict, how its program ended.
    score_sample: Callable[[Sample], Scored] | None = None


def answer_of(sample: Sample) -> Answer | None:
    """The last answer of an item by the model under test; None where it could not be had."""
    own = [asked.answer for asked in sample.asked if not _is_verdict(asked)]
    if sample.error or not own:
        return None
    return None if own[-1].outcome is Outcome.ERROR else own[-1]


def verdict_of(sample: Sample) -> Answer | None:
    """What a judge said of the answer; None where none was asked or it gave no answer."""
    given = [asked.answer for asked in sample.asked if _is_verdict(asked)]
    return None if not given or given[-1].outcome is Outcome.ERROR else given[-1]


def _is_verdict(asked: Asked) -> bool:
    return bool(asked.messages) and asked.messages[0].get("role") == JUDGE_ROLE


def usable(samples: Sequence[Sample]) -> list[Sample]:
    """The items that were answered; errors are excluded from every metric and counted beside it."""
    return [s for s in samples if answer_of(s) is not None]


def rates(samples: Sequence[Sample]) -> Rates:
    """How the answers came out, as shares of all items asked; refused and parsed as shares of the answered ones."""
    n = len(samples)
    if not n:
        return Rates(error=0.0, empty=0.0, truncated=0.0)
    answered = usable(samples)
    refused = [s.refused for s in answered if s.refused is not None]
    parsed = [s.parse_ok for s in answered if s.parse_ok is not None]
    return Rates(
        error=(n - len(answered)) / n,
        empty=sum(is_empty(s) for s in answered) / n,
        truncated=sum(s.truncated for s in answered) / n,
        refused=sum(refused) / len(refused) if refused else None,
        parse_ok=sum(parsed) / len(parsed) if parsed else None,
    )


def is_empty(sample: Sample) -> bool:
    """Whether the model answered with nothing."""
    answer = answer_of(sample)
    if sample.asked and sample.asked[-1].continuation is not None:
        return False  # the likelihood of a given text was asked, and no text
    return sample.empty or (answer is not None and not answer.text.strip())


@dataclass(slots=True)
class Sheet:
    """Collects the measurements of one benchmark over the same items, headline first."""

    benchmark: Benchmark
    samples: Sequence[Sample]
    rows: list[Measurement] = field(default_factory=list)
    _rates: Rates | None = None

    def add(
        self,
        metric: str,
        value: float | None,
        *,
        interval: Interval | None = None,
        n_scored: int,
        n_units: int | None = None,
        reason: str = "No item could be scored.",
        higher_is_better: bool = True,
        domain: tuple[float, float] = (0.0, 1.0),
        by_group: Mapping[str, float | None] | None = None,
        partial_because: str | None = None,
        reliability: tuple[ReliabilityBin, ...] = (),
    ) -> None:
        """One metric; a value of None takes the reason instead. Rounding beyond the domain's edge is undone."""
        if self._rates is None:
            self._rates = rates(self.samples)
        if value is not None and -1e-9 < (value - domain[0]) < 0:
            value = domain[0]
        if value is not None and -1e-9 < (domain[1] - value) < 0:
            value = domain[1]
        self.rows.append(
            Measurement(
                benchmark=self.benchmark.key,
                metric=metric,
                value=value,
                reason=None if value is not None else reason,
                interval=interval if value is not None else None,
                n=len(self.samples),
                n_scored=n_scored,
                higher_is_better=higher_is_better,
                domain=domain,
                rates=self._rates,
                by_group=by_group or {},
                n_units=n_units,
                partial_because=partial_because,
                reliability=reliability,
            )
        )

    def share(
        self, metric: str, items: Sequence[Sample], key: str, *, higher_is_better: bool = True, grouped: bool = False
    ) -> None:
        """Mean of a 0/1 item metric with its interval; with the mean of each stratum where asked for."""
        pairs = [(s, float(v)) for s in items if (v := s.metrics.get(key)) is not None]
        self.share_of(
            metric,
            [v for _, v in pairs],
            [s for s, _ in pairs],
            higher_is_better=higher_is_better,
            by_group=by_stratum(pairs) if grouped else None,
        )

    def share_of(
        self,
        metric: str,
        values: Sequence[float],
        items: Sequence[Sample],
        *,
        reason: str = "No item could be scored.",
        higher_is_better: bool = True,
        by_group: Mapping[str, float | None] | None = None,
    ) -> None:
        """Mean of 0/1 values, one of each item, with its interval from whole clusters."""
        clusters = [s.cluster for s in items]
        self.add(
            metric,
            statistics.mean(values),
            interval=statistics.proportion(values, clusters),
            n_scored=len(values),
            n_units=len(set(clusters)),
            reason=reason,
            higher_is_better=higher_is_better,
            by_group=by_group,
        )

    def done(self) -> tuple[Measurement, ...]:
        """The measurements in the order they were added."""
        return tuple(self.rows)


def by_stratum(pairs: Sequence[tuple[Sample, float]]) -> dict[str, float | None]:
    """Mean of each stratum, sorted by name."""
    groups: dict[str, list[float]] = {}
    for sample, value in pairs:
        groups.setdefault(sample.stratum, []).append(value)
    return {name: statistics.mean(groups[name]) for name in sorted(groups)}


def by_cluster(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """Items that belong together, in order."""
    clusters: dict[str, list[Sample]] = {}
    for sample in samples:
        clusters.setdefault(sample.cluster, []).append(sample)
    return clusters
