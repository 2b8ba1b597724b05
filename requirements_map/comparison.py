"""Two runs compared: per benchmark on the items both answered, per requirement through the map. Pure.

Tests: the exact test of McNemar (1947, Psychometrika 12:153) where the headline is the mean of independent 0/1 items;
a sign-flip randomisation test on whole clusters (Fisher 1935) otherwise, which is McNemar's test where clusters hold
one 0/1 item each; for metrics that are no mean over items (calibration error, parity) the difference of two intervals.
The p-values of all benchmarks are corrected together by Holm (1979, Scand. J. Stat. 6:65).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from domain import intervals
from domain.comparison import BenchmarkChange, ChangeTest, Comparison, RequirementChange
from domain.measurements import Interval
from domain.scores import BenchmarkScore, Policy, RequirementScore, Status, Verdict
from requirements_map import paired
from requirements_map.paired import Item

SIGNIFICANCE = 0.05
#: A mean over items is the headline itself where they agree this closely.
_SAME = 1e-9
#: Verdicts of which the left is better than each named right.
_WORSE = {
    Verdict.PASS: {Verdict.ATTENTION, Verdict.UNDECIDED, Verdict.FAIL},
    Verdict.ATTENTION: {Verdict.FAIL},
    Verdict.UNDECIDED: {Verdict.FAIL},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two runs: its judged scores and its items by benchmark."""

    run_id: str
    scores: Sequence[RequirementScore]
    items: Mapping[str, Sequence[Item]]

    def benchmarks(self) -> dict[str, BenchmarkScore]:
        """The benchmarks with a headline value, by key."""
        found = (b for score in self.scores for b in score.benchmarks)
        return {b.benchmark: b for b in found if b.headline is not None and b.headline.value is not None}


def compare(earlier: Side, later: Side, *, policy: Policy, warnings: Sequence[str] = ()) -> Comparison:
    """What changed from the earlier run to the later one, and which requirements regressed beyond the policy."""
    before, after = earlier.benchmarks(), later.benchmarks()
    keys = [key for key in after if key in before]
    changes = corrected(
        [_benchmark(before[key], after[key], earlier.items.get(key, ()), later.items.get(key, ())) for key in keys]
    )
    by_key = {change.benchmark: change for change in changes}
    scores = {score.requirement: score for score in earlier.scores}
    return Comparison(
        earlier_run=earlier.run_id,
        later_run=later.run_id,
        benchmarks=tuple(changes),
        requirements=tuple(
            _requirement(scores[score.requirement], score, by_key, policy)
            for score in later.scores
            if score.requirement in scores and _is_of_interest(scores[score.requirement], score)
        ),
        policy_name=policy.name,
        policy_version=policy.version,
        max_drop=policy.max_drop,
        warnings=tuple(warnings),
    )


def corrected(changes: Sequence[BenchmarkChange]) -> list[BenchmarkChange]:
    """The changes with Holm's correction over all of them."""
    adjusted = holm([change.p_value for change in changes])
    return [
        replace(change, p_adjusted=p, significant=p < SIGNIFICANCE) for change, p in zip(changes, adjusted, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values: with p sorted upwards, the running maximum of min(1, (m - i) p_i).

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03, 0.005])]
    [0.03, 0.06, 0.06, 0.02]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, position in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[position]))
        adjusted[position] = highest
    return adjusted


def _benchmark(
    before: BenchmarkScore, after: BenchmarkScore, old: Sequence[Item], new: Sequence[Item]
) -> BenchmarkChange:
    pairs = _pairs(before, after, old, new)
    outcome = paired.of_pairs(pairs) if pairs else _unpaired(before, after)
    return BenchmarkChange(
        benchmark=after.benchmark,
        title=after.title,
        metric=after.headline.metric if after.headline else "",
        test=outcome.test,
        n_common=len(pairs) if pairs else _common(old, new),
        earlier=outcome.earlier,
        later=outcome.later,
        difference=outcome.difference,
        interval=outcome.interval,
        p_value=outcome.p_value,
        p_adjusted=outcome.p_value,
        better=outcome.better,
        worse=outcome.worse,
        significant=False,
    )


def _common(old: Sequence[Item], new: Sequence[Item]) -> int:
    return len({item.id for item in old} & {item.id for item in new})


def _pairs(
    before: BenchmarkScore, after: BenchmarkScore, old: Sequence[Item], new: Sequence[Item]
) -> list[paired.Pair]:
    """Values of the items both runs scored, where the headline is a mean of such values; else none."""
    if after.headline is None or not after.headline.higher_is_better:
        return []
    for reduction in paired.REDUCTIONS:
        for metric in paired.metrics(new, first=after.headline.metric):
            olds, news = reduction(old, metric), reduction(new, metric)
            if _is_headline(before, olds) and _is_headline(after, news):
                return paired.pair(olds, news)
    return []


def _is_headline(score: BenchmarkScore, values: Mapping[str, paired.Value]) -> bool:
    if not values or score.headline is None or score.headline.value is None:
        return False
    mean = math.fsum(value.value for value in values.values()) / len(values)
    return abs(mean - score.headline.value) < _SAME


def _unpaired(before: BenchmarkScore, after: BenchmarkScore) -> paired.Outcome:
    """The difference of the normalised values; certain of nothing where an interval is missing."""
    if before.value is not None and after.value is not None and before.interval and after.interval:
        return paired.unpaired(before.value, before.interval, after.value, after.interval)
    headlines = (before.headline, after.headline)
    old, new = (float(h.value) if h is not None and h.value is not None else 0.0 for h in headlines)
    sign = 1.0 if after.headline is None or after.headline.higher_is_better else -1.0
    return paired.Outcome(ChangeTest.UNPAIRED, old, new, sign * (new - old), None, 1.0, None, None)


def _is_of_interest(before: RequirementScore, after: RequirementScore) -> bool:
    return bool(before.benchmarks or after.benchmarks) or before.status is not after.status


def _requirement(
    before: RequirementScore, after: RequirementScore, changes: Mapping[str, BenchmarkChange], policy: Policy
) -> RequirementChange:
    difference, interval = _difference(before, after, changes)
    own = [changes[b.benchmark] for b in after.benchmarks if b.benchmark in changes]
    significant = difference is not None and any(
        change.significant and (change.difference < 0) == (difference < 0) for change in own
    )
    change = RequirementChange(
        requirement=after.requirement,
        earlier=before.value,
        later=after.value,
        earlier_status=before.status,
        later_status=after.status,
        earlier_verdict=before.verdict,
        later_verdict=after.verdict,
        difference=difference,
        interval=interval,
        significant=significant,
    )
    return replace(change, regression=regression(change, max_drop=policy.max_drop))


def regression(change: RequirementChange, *, max_drop: float) -> str | None:
    """Why a change is a regression beyond the policy, in one sentence; None when it is none."""
    name = change.requirement.value
    if change.earlier is not None and change.later is None and change.later_status is not Status.NOT_RUN:
        return f"{name} had the score {_points(change.earlier)} and can no longer be measured."
    if change.later_verdict in _WORSE.get(change.earlier_verdict, set()):
        return f"The verdict on {name} went from {change.earlier_verdict.value} to {change.later_verdict.value}."
    if change.difference is None or not change.significant or -change.difference <= max_drop:
        return None
    return f"{name} fell by {_points(-change.difference)} points beyond chance; the policy allows {_points(max_drop)}."


def _points(share: float) -> str:
    return f"{100 * share:.3g}"


def _difference(
    before: RequirementScore, after: RequirementScore, changes: Mapping[str, BenchmarkChange]
) -> tuple[float | None, Interval | None]:
    """Weighted mean of the normalised differences of the benchmarks that are valid in both runs."""
    old = {b.benchmark: b for b in before.benchmarks if b.valid}
    both = [(old[b.benchmark], b) for b in after.benchmarks if b.valid and b.benchmark in old]
    parts = [_part(b, a, changes[a.benchmark]) for b, a in both if a.benchmark in changes]
    if not parts:
        return None, None
    total = math.fsum(weight for weight, _, _ in parts)
    value = math.fsum(weight * difference for weight, difference, _ in parts) / total
    known = [intervals.Part(w, d, i) for w, d, i in parts if i is not None]
    return value, intervals.mover(known) if len(known) == len(parts) else None


def _part(
    before: BenchmarkScore, after: BenchmarkScore, change: BenchmarkChange
) -> tuple[float, float, Interval | None]:
    """Weight, normalised difference and its interval; from the pairs where the score is linear in its raw value."""
    slope = _slope(before, after)
    if change.test is not ChangeTest.UNPAIRED and slope is not None:
        scaled = change.interval and replace(
            change.interval, low=slope * change.interval.low, high=slope * change.interval.high
        )
        return after.weight, slope * change.difference, scaled
    if before.value is None or after.value is None:
        return after.weight, change.difference, change.interval
    if before.interval is None or after.interval is None:
        return after.weight, after.value - before.value, None
    outcome = paired.unpaired(before.value, before.interval, after.value, after.interval)
    return after.weight, outcome.difference, outcome.interval


def _hides_something(score: BenchmarkScore) -> bool:
    """Whether a note tells of a clip; why a number answers in part says nothing of its value."""
    because = score.headline.partial_because if score.headline else None
    return any(note != because for note in score.notes)


def _slope(before: BenchmarkScore, after: BenchmarkScore) -> float | None:
    """Score per raw unit where the normaliser is a line and clips neither value; None otherwise."""
    if after.normaliser != before.normaliser:
        return None
    if after.normaliser == "identity":  # clips nothing, whatever else its notes tell
        return 1.0
    if _hides_something(after) or _hides_something(before):
        return None
    if after.normaliser.startswith("chance_corrected(chance="):
        return 1 / (1 - float(after.normaliser.removeprefix("chance_corrected(chance=").rstrip(")")))
    return None
