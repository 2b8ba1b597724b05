"""Tests of a difference between two runs that asked the same questions, and of two intervals that share nothing."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.comparison import ChangeTest
from domain.measurements import Interval

RESAMPLES = 2000
FLIPS = 9999
SEED = 20260801
#: With so few clusters that differ, every pattern of signs is looked at instead of a sample of them.
_EXACT_CLUSTERS = 13
_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One item of a run with its metrics; None where the item could not be scored."""

    id: str
    cluster: str
    metrics: Mapping[str, float | None] = field(default_factory=dict)


class Value(NamedTuple):
    """What one unit contributes to a mean."""

    value: float
    cluster: str


class Pair(NamedTuple):
    """One unit in both runs."""

    earlier: float
    later: float
    cluster: str


class Outcome(NamedTuple):
    """A tested difference, later minus earlier."""

    test: ChangeTest
    earlier: float
    later: float
    difference: float
    interval: Interval | None
    p_value: float
    better: int | None
    worse: int | None


Reduction = Callable[[Sequence[Item], str], dict[str, Value]]


def by_item(items: Sequence[Item], metric: str) -> dict[str, Value]:
    """Each item's own value."""
    return {item.id: Value(value, item.cluster) for item in items if (value := item.metrics.get(metric)) is not None}


def all_of_cluster(items: Sequence[Item], metric: str) -> dict[str, Value]:
    """The least value of each cluster: a pair counts where both of its items do."""
    groups: dict[str, list[float]] = {}
    for item in items:
        if (value := item.metrics.get(metric)) is not None:
            groups.setdefault(item.cluster, []).append(value)
    # A cluster of which a part got no answer does not count; the largest says how many there should be.
    size = max(map(len, groups.values()), default=0)
    return {name: Value(min(values), name) for name, values in groups.items() if len(values) == size}


REDUCTIONS: tuple[Reduction, ...] = (by_item, all_of_cluster)


def metrics(items: Sequence[Item], *, first: str) -> tuple[str, ...]:
    """Item metrics that may stand behind a headline: the one of its name, and the one the items lead with."""
    leading = next((name for item in items for name in item.metrics), first)
    return tuple(dict.fromkeys((first, leading)))


def pair(earlier: Mapping[str, Value], later: Mapping[str, Value]) -> list[Pair]:
    """The units both runs have, in the later run's order."""
    return [Pair(earlier[key].value, new.value, new.cluster) for key, new in later.items() if key in earlier]


def of_pairs(pairs: Sequence[Pair]) -> Outcome:
    """The difference of two means over the same units."""
    earlier, later = (math.fsum(side) / len(pairs) for side in ([p.earlier for p in pairs], [p.later for p in pairs]))
    better, worse = (sum(p.later > p.earlier for p in pairs), sum(p.later < p.earlier for p in pairs))
    independent = len({p.cluster for p in pairs}) == len(pairs)
    if independent and {p.earlier for p in pairs} | {p.later for p in pairs} <= {0.0, 1.0}:
        kind, p_value, interval = ChangeTest.MCNEMAR, mcnemar(better, worse), newcombe(pairs)
    else:
        kind, p_value, interval = ChangeTest.PAIRED_CLUSTERS, sign_flip(pairs), bootstrap(pairs)
    return Outcome(kind, earlier, later, later - earlier, interval, p_value, better, worse)


def mcnemar(better: int, worse: int) -> float:
    """Exact two-sided p-value of the discordant pairs under a fair coin (McNemar 1947, Psychometrika 12:153).

    >>> round(mcnemar(2, 10), 4), mcnemar(0, 0)
    (0.0386, 1.0)
    """
    if better + worse == 0:
        return 1.0
    from scipy import stats  # noqa: PLC0415 - scipy.stats takes most of a second to import

    return float(stats.binomtest(better, better + worse, 0.5).pvalue)


def newcombe(pairs: Sequence[Pair]) -> Interval:
    """Interval of a difference of paired proportions (Newcombe 1998, Statistics in Medicine 17:2635, method 10).

    From Wilson intervals of both proportions and their correlation φ, with a continuity correction of φ:
    ``δ² = (p₂-l₂)² - 2φ(p₂-l₂)(u₁-p₁) + (u₁-p₁)²`` below, and the same with the other limits above.

    >>> same = [Pair(1.0, 1.0, str(i)) for i in range(50)]
    >>> newcombe(same).low < 0 < newcombe(same).high
    True
    """
    n = len(pairs)
    both = sum(p.earlier == 1 and p.later == 1 for p in pairs)
    lost = sum(p.earlier == 1 and p.later == 0 for p in pairs)
    won = sum(p.earlier == 0 and p.later == 1 for p in pairs)
    neither = n - both - lost - won
    old, new = (both + lost) / n, (both + won) / n
    (old_low, old_high), (new_low, new_high) = wilson(both + lost, n), wilson(both + won, n)
    phi = _phi(both, lost, won, neither)
    below = _square_and_add(new - new_low, old_high - old, phi)
    above = _square_and_add(new_high - new, old - old_low, phi)
    low, high = new - old - below, new - old + above
    return Interval(low=max(-1.0, low), high=min(1.0, high), method="newcombe_paired")


def wilson(k: int, n: int) -> tuple[float, float]:
    """95 % Wilson score limits of k/n (Wilson 1927, JASA 22:209).

    >>> tuple(round(limit, 3) for limit in wilson(10, 10))
    (0.722, 1.0)
    """
    p, z2 = k / n, _Z * _Z
    half = _Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n))
    centre, scale = p + z2 / (2 * n), 1 + z2 / n
    return (0.0 if k == 0 else (centre - half) / scale), (1.0 if k == n else (centre + half) / scale)


def _phi(both: int, lost: int, won: int, neither: int) -> float:
    margins = (both + lost) * (won + neither) * (both + won) * (lost + neither)
    if margins == 0:
        return 0.0
    product = float(both * neither - lost * won)
    if product > 0:
        product = max(0.0, product - (both + lost + won + neither) / 2)
    return product / math.sqrt(margins)


def _square_and_add(a: float, b: float, phi: float) -> float:
    return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))


def sign_flip(pairs: Sequence[Pair]) -> float:
    """Two-sided p-value of a mean difference when each cluster's sign could as well be the other (Fisher 1935).

    With few clusters that differ all 2ᵏ patterns, otherwise 9,999 drawn by seed; of 0/1 items in clusters of one it is
    McNemar's exact test.

    >>> worse = [Pair(1.0, 0.0, str(i)) for i in range(10)] + [Pair(0.0, 1.0, str(i)) for i in range(10, 12)]
    >>> round(sign_flip(worse), 4) == round(mcnemar(2, 10), 4)
    True
    """
    sums = _cluster_sums(pairs)[:, 0]
    sums = sums[np.abs(sums) > 1e-12]
    if len(sums) == 0:
        return 1.0
    observed = abs(float(sums.sum())) - 1e-9
    if len(sums) <= _EXACT_CLUSTERS:
        patterns = (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums))) & 1
        return float(np.mean(np.abs((2.0 * patterns - 1) @ sums) >= observed))
    rng = np.random.default_rng(SEED)
    hits = 0
    for start in range(0, FLIPS, 1000):
        signs = rng.integers(0, 2, size=(min(1000, FLIPS - start), len(sums))) * 2.0 - 1
        hits += int(np.sum(np.abs(signs @ sums) >= observed))
    return (1 + hits) / (1 + FLIPS)


def bootstrap(pairs: Sequence[Pair]) -> Interval:
    """Percentile interval of the mean difference from whole clusters drawn with replacement, the pairs kept together.

    Davison and Hinkley 1997, §3.8. Where every resample is equal, 3/n of the clusters stands on each side (Hanley and
    Lippman-Hand 1983, JAMA 249:1743).
    """
    sums = _cluster_sums(pairs)
    rng = np.random.default_rng(SEED)
    drawn = []
    for start in range(0, RESAMPLES, 200):
        picks = rng.integers(0, len(sums), size=(min(200, RESAMPLES - start), len(sums)))
        totals = sums[picks].sum(axis=1)
        drawn.append(totals[:, 0] / totals[:, 1])
    low, high = (float(q) for q in np.quantile(np.concatenate(drawn), [0.025, 0.975]))
    method = "bootstrap_clustered_paired"
    if high - low < 1e-9:
        half = min(1.0, 3 / len(sums))
        low, high, method = low - half, high + half, "rule_of_three"
    return Interval(low=low, high=high, method=method)


def unpaired(earlier: float, old: Interval, later: float, new: Interval) -> Outcome:
    """The difference of two estimates taken as independent (Zou and Donner 2008, Statistics in Medicine 27:1693).

    ``low = d - sqrt((p₂-l₂)² + (u₁-p₁)²)``, ``high = d + sqrt((u₂-p₂)² + (p₁-l₁)²)``; the p-value is normal, from the
    side of the interval that faces zero. Of answers to the same questions it is wider than a paired test would be.

    >>> a, b = Interval(low=0.4, high=0.6, method="wilson"), Interval(low=0.1, high=0.3, method="wilson")
    >>> outcome = unpaired(0.5, a, 0.2, b)
    >>> round(outcome.difference, 2), round(outcome.interval.high, 3), outcome.p_value < 0.05
    (-0.3, -0.159, True)
    """
    difference = later - earlier
    below = math.hypot(max(0.0, later - new.low), max(0.0, old.high - earlier))
    above = math.hypot(max(0.0, new.high - later), max(0.0, earlier - old.low))
    facing = above if difference < 0 else below
    z = abs(difference) / facing * _Z if facing > 0 else 0.0
    interval = Interval(low=difference - below, high=difference + above, level=new.level, method="mover")
    p_value = 2 * NormalDist().cdf(-z)
    return Outcome(ChangeTest.UNPAIRED, earlier, later, difference, interval, p_value, None, None)


def _cluster_sums(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """One row per cluster: the sum of its differences, and how many units it has."""
    sums: dict[str, list[float]] = {}
    for p in pairs:
        row = sums.setdefault(p.cluster, [0.0, 0.0])
        row[0] += p.later - p.earlier
        row[1] += 1
    return np.array(list(sums.values()), dtype=np.float64)
