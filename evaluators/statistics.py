"""Metrics and confidence intervals, each with its formula, its source and an example.

A statistic that is resampled takes a matrix of weights, one row per resample and one column per item, and returns one
value per row (NaN where a row leaves it undefined), so that 2,000 resamples are a few matrix products.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from domain.measurements import Interval

FloatArray = NDArray[np.float64]
#: weights (resamples × items) → values (resamples)
Statistic = Callable[[FloatArray], FloatArray]

RESAMPLES = 2000
SEED = 20260801
#: Weights held in memory at once; 16 MB.
_CHUNK_CELLS = 2_000_000


def mean(values: Sequence[float]) -> float | None:
    """Arithmetic mean; None of nothing.

    >>> mean([0.0, 1.0, 0.5]), mean([])
    (0.5, None)
    """
    return math.fsum(values) / len(values) if values else None


def wilson(k: float, n: int, *, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion k/n (Wilson 1927, JASA 22:209).

    (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n); never of zero width, also at 0 and 1.

    >>> interval = wilson(10, 10)
    >>> round(interval.low, 3), interval.high
    (0.722, 1.0)
    """
    if n <= 0 or not 0 <= k <= n:
        raise ValueError(f"a proportion needs 0 <= k <= n and n > 0, got k={k}, n={n}")
    z = NormalDist().inv_cdf(0.5 + level / 2)
    p = k / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if k == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if k == n else min(1.0, (centre + half) / scale)
    return Interval(low=low, high=high, level=level, method="wilson")


def rule_of_three(n: int) -> float:
    """95 % upper bound of a rate of which n trials showed no event: 3/n (Hanley and Lippman-Hand 1983, JAMA 249:1743).

    >>> rule_of_three(300)
    0.01
    """
    if n <= 0:
        raise ValueError(f"the rule of three needs at least one trial, got n={n}")
    return min(1.0, 3 / n)


@dataclass(frozen=True, slots=True)
class OfSums:
    """A statistic that depends on weighted sums of item features alone; resampled by the sums of whole clusters.

    >>> share = OfSums(np.array([[1.0, 1.0], [0.0, 1.0]]), lambda sums: sums[:, 0] / sums[:, 1])
    >>> share(np.array([[1.0, 3.0]]))
    array([0.25])
    """

    #: items × features
    features: FloatArray
    #: sums (resamples × features) → values (resamples)
    function: Callable[[FloatArray], FloatArray]

    def __call__(self, weights: FloatArray) -> FloatArray:
        """See Statistic."""
        return self.function(weights @ self.features)


def joined(parts: Sequence[OfSums], combine: Callable[[list[FloatArray]], FloatArray]) -> OfSums:
    """One statistic made of several of the same items.

    >>> difference = joined([ratio([1, 0]), ratio([0, 0])], lambda values: values[0] - values[1])
    >>> difference(np.array([[1.0, 1.0]]))
    array([0.5])
    """
    ends = np.cumsum([part.features.shape[1] for part in parts])
    starts = ends - [part.features.shape[1] for part in parts]

    def function(sums: FloatArray) -> FloatArray:
        slices = zip(parts, starts, ends, strict=True)
        return combine([part.function(sums[:, start:end]) for part, start, end in slices])

    return OfSums(np.hstack([part.features for part in parts]), function)


def ratio(numerators: Sequence[float], denominators: Sequence[float] | None = None) -> OfSums:
    """The weighted ratio Σwa / Σwb as a statistic; the weighted mean where no denominators are given.

    >>> ratio([1, 0, 1])(np.array([[1.0, 1.0, 2.0]]))
    array([0.75])
    """
    a = np.asarray(numerators, dtype=np.float64)
    b = np.ones_like(a) if denominators is None else np.asarray(denominators, dtype=np.float64)

    return OfSums(np.stack([a, b], axis=1), lambda sums: divide(sums[:, 0], sums[:, 1]))


def divide(a: FloatArray, b: FloatArray) -> FloatArray:
    """Quotient, NaN where the divisor is 0.

    >>> divide(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    result: FloatArray = np.divide(a, b, out=np.full(np.broadcast(a, b).shape, np.nan), where=b != 0)
    return result


def mean_of_known(parts: Sequence[FloatArray]) -> FloatArray:
    """Mean of several statistics in each resample, over those that are defined there; NaN where none is.

    >>> mean_of_known([np.array([1.0, np.nan, np.nan]), np.array([0.0, 0.5, np.nan])])
    array([0.5, 0.5, nan])
    """
    values = np.stack(parts)
    known = np.isfinite(values)
    return divide(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0).astype(np.float64))


def point(statistic: Statistic, n: int) -> float | None:
    """The statistic of n items as they are; None where it is undefined.

    >>> point(ratio([1.0, 0.0]), 2), point(ratio([]), 0)
    (0.5, None)
    """
    value = float(statistic(np.ones((1, n)))[0])
    return value if math.isfinite(value) else None


def clustered_bootstrap(
    clusters: Sequence[str],
    statistics: Mapping[str, Statistic],
    *,
    domains: Mapping[str, tuple[float, float]] | None = None,
    unbiased: frozenset[str] = frozenset(),
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> dict[str, Interval | None]:
    """Percentile intervals from whole clusters drawn with replacement (Davison and Hinkley 1997, §3.8).

    The statistics named in ``unbiased`` (ECE, and any difference without a sign, grow under resampling) have their
    interval shifted by the bootstrap's own estimate of the bias; every interval holds its value. An interval that would
    collapse because every resample is equal is widened by the rule of three. None where fewer than half of the
    resamples define the statistic.

    >>> pairs = clustered_bootstrap(["a", "a", "b", "b"] * 10, {"accuracy": ratio([1, 1, 0, 1] * 10)})
    >>> pairs["accuracy"].low < 0.75 < pairs["accuracy"].high
    True
    """
    names, item_cluster = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    if len(names) == 0:
        return dict.fromkeys(statistics)
    drawn = _resampled(item_cluster, len(names), statistics, resamples=resamples, seed=seed)
    intervals: dict[str, Interval | None] = {}
    for name, statistic in statistics.items():
        low, high = (domains or {}).get(name, (0.0, 1.0))
        value = point(statistic, len(item_cluster))
        intervals[name] = _percentile(
            value, drawn[name], len(names), bounds=(low, high), shift=name in unbiased, level=level
        )
    return intervals


def _resampled(
    item_cluster: NDArray[np.intp], clusters: int, statistics: Mapping[str, Statistic], *, resamples: int, seed: int
) -> dict[str, FloatArray]:
    """The values of every statistic in every resample."""
    rng = np.random.default_rng(seed)
    per_cluster = {
        name: _summed(statistic.features, item_cluster, clusters)
        for name, statistic in statistics.items()
        if isinstance(statistic, OfSums)
    }
    drawn: dict[str, list[FloatArray]] = {name: [] for name in statistics}
    chunk = max(1, _CHUNK_CELLS // len(item_cluster))
    for start in range(0, resamples, chunk):
        counts = _cluster_counts(rng, min(chunk, resamples - start), clusters)
        weights = counts[:, item_cluster] if len(per_cluster) < len(statistics) else counts
        for name, statistic in statistics.items():
            if isinstance(statistic, OfSums):
                drawn[name].append(statistic.function(counts @ per_cluster[name]))
            else:
                drawn[name].append(statistic(weights))
    return {name: np.concatenate(values) for name, values in drawn.items()}


def _summed(features: FloatArray, item_cluster: NDArray[np.intp], clusters: int) -> FloatArray:
    """The features of each cluster's items, added up."""
    sums = np.zeros((clusters, features.shape[1]))
    np.add.at(sums, item_cluster, features)
    return sums


def cluster_sums(clusters: Sequence[str], features: FloatArray) -> FloatArray:
    """The features of each cluster's items, added up; clusters by name.

    >>> cluster_sums(["b", "a", "b"], np.array([[1.0], [2.0], [3.0]])).tolist()
    [[2.0], [4.0]]
    """
    names, item_cluster = np.unique(np.asarray(clusters, dtype=object).astype(str), return_inverse=True)
    return _summed(features, item_cluster, len(names))


def _cluster_counts(rng: np.random.Generator, rows: int, clusters: int) -> FloatArray:
    """How often each cluster was drawn, one row per resample."""
    picks = rng.integers(0, clusters, size=(rows, clusters))
    picks += np.arange(rows)[:, None] * clusters
    return np.bincount(picks.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(np.float64)


def _percentile(
    value: float | None, values: FloatArray, clusters: int, *, bounds: tuple[float, float], shift: bool, level: float
) -> Interval | None:
    finite = values[np.isfinite(values)]
    if value is None or 2 * len(finite) < len(values):
        return None
    if shift:
        finite = finite - (float(finite.mean()) - value)
    low, high = (float(q) for q in np.quantile(finite, [0.5 - level / 2, 0.5 + level / 2]))
    method = "bootstrap_clustered"
    if high - low < 1e-9:
        half = rule_of_three(clusters) * (bounds[1] - bounds[0])
        low, high, method = value - half, value + half, "rule_of_three"
    low, high = min(low, value), max(high, value)
    return Interval(low=max(bounds[0], low), high=min(bounds[1], high), level=level, method=method)


def proportion(values: Sequence[float], clusters: Sequence[str]) -> Interval | None:
    """Interval of the mean of 0/1 items: Wilson where they are independent, else the clustered bootstrap.

    Where all items are equal the bootstrap would collapse; then Wilson with the number of clusters as n.

    >>> proportion([1, 1, 1, 1], ["a", "a", "b", "b"]) == wilson(2, 2)
    True
    """
    if not values:
        return None
    independent = len(set(clusters))
    if independent == len(values):
        return wilson(math.fsum(values), len(values))
    share = math.fsum(values) / len(values)
    if share in {0.0, 1.0}:
        return wilson(share * independent, independent)
    return clustered_bootstrap(clusters, {"share": ratio(values)})["share"]


def ginis(rows: FloatArray) -> FloatArray:
    """Gini coefficient ΣᵢΣⱼ|xᵢ-xⱼ| / (2n²·mean) of each row of non-negative values (Gini 1912); NaN of zeros.

    >>> ginis(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0]]))
    array([0.        , 0.66666667,        nan])
    """
    if (rows < 0).any():
        raise ValueError(f"the Gini coefficient needs values of at least 0, got {rows.min()}")
    x = np.sort(rows, axis=1)
    rank = np.arange(1, x.shape[1] + 1)
    return divide(x @ (2.0 * rank - x.shape[1] - 1), x.shape[1] * x.sum(axis=1))


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    """Spearman's rank correlation (Spearman 1904), mean ranks for ties; None where one side does not vary.

    >>> spearman([1, 2, 3], [10, 20, 40]), spearman([1, 2, 3], [5, 5, 5])
    (1.0, None)
    """
    from scipy import stats  # noqa: PLC0415 - scipy.stats takes most of a second to import

    if len(x) != len(y):
        raise ValueError(f"a rank correlation needs pairs, got {len(x)} and {len(y)} values")
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return float(stats.spearmanr(x, y).statistic)
