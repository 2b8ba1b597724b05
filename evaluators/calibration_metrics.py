"""Does the stated confidence fit how often the answer is right: ECE, MCE, Brier score, AUROC and their null band."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.measurements import ReliabilityBin
from evaluators.statistics import SEED, FloatArray, OfSums, Statistic, divide, point, wilson

BINS = 10


class _Binned(NamedTuple):
    confidence: FloatArray
    correct: FloatArray
    #: items × bins, 1 where the item lies in the bin
    membership: FloatArray


def _arrays(confidence: Sequence[float], correct: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    p, y = np.asarray(confidence, dtype=np.float64), np.asarray(correct, dtype=np.float64)
    if p.shape != y.shape:
        raise ValueError(f"calibration needs pairs, got {p.size} confidences and {y.size} outcomes")
    if p.size and not (p.min() >= 0 and p.max() <= 1):
        raise ValueError(f"a confidence lies in [0, 1], got {p.min()} to {p.max()}")
    return p, y


def bin_indices(confidence: FloatArray, bins: int = BINS) -> NDArray[np.int64]:
    """Number of the equal-width, right-closed bin ((k-1)/B, k/B] of each confidence; the first bin includes 0.

    >>> bin_indices(np.array([0.0, 0.1, 0.11, 1.0]))
    array([0, 0, 1, 9])
    """
    edges = np.linspace(0.0, 1.0, bins + 1)
    return np.clip(np.digitize(confidence, edges, right=True) - 1, 0, bins - 1).astype(np.int64)


def _binned(confidence: Sequence[float], correct: Sequence[float], bins: int) -> _Binned:
    p, y = _arrays(confidence, correct)
    return _Binned(p, y, np.eye(bins)[bin_indices(p, bins)].reshape(len(p), bins))


def ece_statistic(confidence: Sequence[float], correct: Sequence[float], *, bins: int = BINS) -> OfSums:
    """ECE as a statistic of weighted items."""
    binned = _binned(confidence, correct, bins)
    gaps = binned.membership * (binned.correct - binned.confidence)[:, None]
    return OfSums(
        np.hstack([gaps, np.ones((len(gaps), 1))]),
        lambda sums: divide(np.abs(sums[:, :-1]).sum(axis=1), sums[:, -1]),
    )


def ece(confidence: Sequence[float], correct: Sequence[float], *, bins: int = BINS) -> float | None:
    """Expected calibration error Σ_b n_b/n·|acc_b - conf_b| (Naeini et al. 2015; Guo et al. 2017); None of nothing.

    >>> round(ece([0.8, 0.8, 0.8, 0.8, 0.8], [1, 1, 1, 1, 0]), 9), ece([], [])
    (0.0, None)
    """
    return point(ece_statistic(confidence, correct, bins=bins), len(confidence))


def reliability(
    confidence: Sequence[float], correct: Sequence[float], *, bins: int = BINS
) -> tuple[ReliabilityBin, ...]:
    """Reliability diagram (DeGroot and Fienberg 1983): accuracy per bin of the ECE, with Wilson intervals.

    Empty bins are left out. Σ n·|accuracy - confidence| / Σ n over what is returned is the ECE.

    >>> [(b.confidence, b.accuracy, b.n) for b in reliability([0.75, 0.75, 0.25], [1, 0, 0])]
    [(0.25, 0.0, 1), (0.75, 0.5, 2)]
    """
    p, y = _arrays(confidence, correct)
    indices = bin_indices(p, bins)
    found: list[ReliabilityBin] = []
    for index in np.unique(indices):
        inside = indices == index
        right, n = float(y[inside].sum()), int(inside.sum())
        found.append(
            ReliabilityBin(confidence=float(p[inside].mean()), accuracy=right / n, interval=wilson(right, n), n=n)
        )
    return tuple(found)


def mce(confidence: Sequence[float], correct: Sequence[float], *, bins: int = BINS) -> float | None:
    """Maximum calibration error max_b |acc_b - conf_b| over the bins in use (Naeini et al. 2015).

    >>> mce([0.5, 1.0], [0, 1])
    0.5
    """
    binned = _binned(confidence, correct, bins)
    if not len(binned.confidence):
        return None
    counts = binned.membership.sum(axis=0)
    gaps = binned.membership.T @ (binned.correct - binned.confidence)
    return float(np.nanmax(np.abs(divide(gaps, counts))))


def brier_items(confidence: Sequence[float], correct: Sequence[float]) -> list[float]:
    """The squared error (p - y)² of each item (Brier 1950); their mean is the Brier score.

    >>> brier_items([1.0, 0.5], [1, 0])
    [0.0, 0.25]
    """
    p, y = _arrays(confidence, correct)
    return [float(v) for v in (p - y) ** 2]


def brier(confidence: Sequence[float], correct: Sequence[float]) -> float | None:
    """Brier score Σ(p - y)²/n of the top answer (Brier 1950); None of nothing.

    >>> brier([1.0, 0.5], [1, 0])
    0.125
    """
    items = brier_items(confidence, correct)
    return float(np.mean(items)) if items else None


def auroc_statistic(confidence: Sequence[float], correct: Sequence[float]) -> Statistic:
    """AUROC as a statistic of weighted items; NaN where all or none are right."""
    p, y = _arrays(confidence, correct)
    order = np.argsort(p, kind="stable")
    right = y[order]
    starts = np.flatnonzero(np.diff(p[order], prepend=-1.0)) if len(p) else np.zeros(0, dtype=np.int64)

    def statistic(weights: FloatArray) -> FloatArray:
        if not len(right):
            return np.full(len(weights), np.nan)
        ranked = weights[:, order]
        positive = np.add.reduceat(ranked * right, starts, axis=1)
        negative = np.add.reduceat(ranked * (1 - right), starts, axis=1)
        below = np.cumsum(negative, axis=1) - negative
        wins = (positive * (below + negative / 2)).sum(axis=1)
        return divide(wins, positive.sum(axis=1) * negative.sum(axis=1))

    return statistic


def auroc(confidence: Sequence[float], correct: Sequence[float]) -> float | None:
    """P(confidence of a right answer > that of a wrong one), ties ½ (Hanley and McNeil 1982); None if all are alike.

    >>> auroc([0.9, 0.8, 0.3], [1, 1, 0]), auroc([0.5, 0.5], [1, 0]), auroc([0.5], [1])
    (1.0, 0.5, None)
    """
    return point(auroc_statistic(confidence, correct), len(confidence))


def null_ece_p95(
    confidence: Sequence[float], *, bins: int = BINS, simulations: int = 1000, seed: int = SEED
) -> float | None:
    """95th percentile of the ECE of a perfectly calibrated predictor with these confidences (Bröcker and Smith 2007).

    Outcomes are drawn as Bernoulli(pᵢ); an ECE above it is more than the noise of so few items.

    >>> null_ece_p95([1.0, 1.0]), null_ece_p95([])
    (0.0, None)
    """
    p = np.asarray(confidence, dtype=np.float64)
    if not len(p):
        return None
    rng = np.random.default_rng(seed)
    membership = np.eye(bins)[bin_indices(p, bins)]
    chunk = max(1, 2_000_000 // len(p))
    values: list[FloatArray] = []
    for start in range(0, simulations, chunk):
        hits = rng.random((min(chunk, simulations - start), len(p))) < p
        values.append(np.abs((hits - p) @ membership).sum(axis=1) / len(p))
    return float(np.quantile(np.concatenate(values), 0.95))
