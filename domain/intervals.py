"""The interval of a weighted mean of independent estimates."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from domain.measurements import Interval


class Part(NamedTuple):
    """One estimate of a weighted mean."""

    weight: float
    value: float
    interval: Interval


def mover(parts: Sequence[Part]) -> Interval:
    """Interval of Σ wᵢθᵢ / Σ wᵢ by the method of variance estimates recovery.

    With shares ``w``, estimates ``t`` and limits ``l, u`` of independent parts (Zou & Donner 2008, Statistics in
    Medicine 27:1693): ``low = Σwt - sqrt(Σ w²(t-l)²)``, ``high = Σwt + sqrt(Σ w²(u-t)²)``. Unlike adding the limits,
    it does not assume that all parts are at their worst at once; unlike a normal interval, it keeps the asymmetry of
    Wilson intervals and so never leaves the range of the parts. An interval that does not hold its own estimate (a
    percentile bootstrap of a biased statistic) is stretched to it first, also where it is the only one.

    >>> half = Interval(low=0.4, high=0.6, method="wilson")
    >>> both = mover([Part(1, 0.5, half), Part(1, 0.5, half)])
    >>> round(both.low, 4), round(both.high, 4)
    (0.4293, 0.5707)
    """
    levels = {part.interval.level for part in parts}
    if len(levels) != 1:
        msg = f"intervals of {len(levels)} confidence levels cannot be combined: {sorted(levels)}"
        raise ValueError(msg)
    total = sum(part.weight for part in parts)
    shares = [(part.weight / total, part.value, part.interval) for part in parts]
    if len(parts) == 1 and parts[0].interval.low <= parts[0].value <= parts[0].interval.high:
        return parts[0].interval
    mean = math.fsum(w * t for w, t, _ in shares)
    below = math.sqrt(math.fsum((w * max(0.0, t - i.low)) ** 2 for w, t, i in shares))
    above = math.sqrt(math.fsum((w * max(0.0, i.high - t)) ** 2 for w, t, i in shares))
    # The limits cannot pass the sums of the parts' limits; the comparison only removes rounding errors.
    low = max(mean - below, math.fsum(w * min(t, i.low) for w, t, i in shares))
    high = min(mean + above, math.fsum(w * max(t, i.high) for w, t, i in shares))
    return Interval(low=min(low, mean), high=max(high, mean), level=levels.pop(), method="mover")
