"""Could a difference between two groups be chance: labels exchanged at random within what belongs together."""

from collections.abc import Mapping, Sequence

import numpy as np

from domain.measurements import Interval
from evaluators.statistics import RESAMPLES, SEED, FloatArray, OfSums, cluster_sums, point


def exchanged_values(
    clusters: Sequence[str], statistic: OfSums, exchanged: OfSums, *, draws: int = RESAMPLES, seed: int = SEED
) -> FloatArray:
    """The statistic where each cluster's labels stay or are exchanged, each with probability one half (Fisher 1935).

    ``exchanged`` is the statistic of the same items with all labels exchanged.
    """
    own, other = cluster_sums(clusters, statistic.features), cluster_sums(clusters, exchanged.features)
    stays = np.random.default_rng(seed).integers(0, 2, size=(draws, len(own))).astype(np.float64)
    return statistic.function(stays @ own + (1 - stays) @ other)


def reaching(
    intervals: Mapping[str, Interval | None],
    clusters: Sequence[str],
    statistics: Mapping[str, OfSums],
    exchanged: Mapping[str, OfSums],
    *,
    none: Mapping[str, float],
) -> dict[str, Interval | None]:
    """The intervals, each reaching to its value of no difference where the labels could as well be exchanged.

    A difference without a sign is above 0 in every sample, also of a model that makes none, so no resampling of it
    reaches 0. Whether 0 belongs to the interval is therefore asked of the randomisation test: it does unless a
    difference as large comes up in less than (1 - level)/2 of the exchanges.
    """
    found = dict(intervals)
    for name, perfect in none.items():
        interval, value = intervals.get(name), None
        if interval is not None and name in exchanged:
            value = point(statistics[name], len(clusters))
        if interval is None or value is None:
            continue
        drawn = exchanged_values(clusters, statistics[name], exchanged[name])
        as_far = np.abs(drawn[np.isfinite(drawn)] - perfect) >= abs(value - perfect) - 1e-9
        if len(as_far) and float(as_far.mean()) >= (1 - interval.level) / 2:
            found[name] = Interval(
                low=min(interval.low, perfect),
                high=max(interval.high, perfect),
                level=interval.level,
                method=interval.method,
            )
    return found
