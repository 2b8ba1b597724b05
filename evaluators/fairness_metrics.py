"""Differences between groups of people in what a model decides: demographic parity and equalised odds."""

from collections.abc import Sequence

import numpy as np

from evaluators.statistics import FloatArray, OfSums, divide, point


def _features(chosen: FloatArray, groups: Sequence[str], among: FloatArray) -> FloatArray:
    """For each group two columns: its positive decisions, and its items, among those marked."""
    columns = []
    for name in sorted(set(groups)):
        here = among * np.array([g == name for g in groups], dtype=np.float64)
        columns += [here * chosen, here]
    return np.stack(columns, axis=1) if columns else np.zeros((len(chosen), 2))


def _spread(sums: FloatArray) -> FloatArray:
    """Largest minus smallest rate of the groups; NaN where a group has no item."""
    rates = divide(sums[:, 0::2], sums[:, 1::2])
    spread: FloatArray = rates.max(axis=1) - rates.min(axis=1)
    return spread


def dpd_statistic(decisions: Sequence[float], groups: Sequence[str]) -> OfSums:
    """Demographic parity difference as a statistic of weighted items."""
    chosen = np.asarray(decisions, dtype=np.float64)
    return OfSums(_features(chosen, groups, np.ones_like(chosen)), _spread)


def eod_statistic(decisions: Sequence[float], labels: Sequence[float], groups: Sequence[str]) -> OfSums:
    """Equalised odds difference as a statistic of weighted items."""
    chosen, truth = np.asarray(decisions, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    positive, negative = _features(chosen, groups, truth), _features(chosen, groups, 1 - truth)
    half = positive.shape[1]
    return OfSums(
        np.hstack([positive, negative]),
        lambda sums: np.maximum(_spread(sums[:, :half]), _spread(sums[:, half:])),
    )


def demographic_parity_difference(decisions: Sequence[float], groups: Sequence[str]) -> float | None:
    """Value of max_g P(ŷ=1|g) - min_g P(ŷ=1|g) (Dwork et al. 2012; as in fairlearn); None with fewer than two groups.

    >>> demographic_parity_difference([1, 1, 1, 0], ["a", "a", "b", "b"])
    0.5
    """
    return point(dpd_statistic(decisions, groups), len(decisions)) if len(set(groups)) > 1 else None


def equalised_odds_difference(
    decisions: Sequence[float], labels: Sequence[float], groups: Sequence[str]
) -> float | None:
    """Largest over y of max_g P(ŷ=1|y,g) - min_g P(ŷ=1|y,g) (Hardt et al. 2016); None where a group lacks a label.

    >>> equalised_odds_difference([1, 0, 0, 0], [1, 0, 1, 0], ["a", "a", "b", "b"])
    1.0
    """
    return point(eod_statistic(decisions, labels, groups), len(decisions)) if len(set(groups)) > 1 else None
