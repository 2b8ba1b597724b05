"""Named pure functions from a raw metric to [0, 1], 1 = best, each with its domain and its direction.

A value outside a domain raises; nothing is clipped unless the function's description says so, and then the raw value
stays beside the score. An interval goes through the same function: the score's interval is the image of the raw one.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from domain.measurements import Interval, Measurement

Params = Mapping[str, float]

#: How far floating-point arithmetic may carry the end of an interval past its domain (Wilson at 0 and 1).
_ROUNDING = 1e-9


class Direction(StrEnum):
    """Where the best raw value lies."""

    UP = "up"
    DOWN = "down"
    #: inside the range: a signed bias, best at 0
    INSIDE = "inside"

    def agrees(self, *, higher_is_better: bool) -> bool:
        """Whether a measurement's own direction fits; a metric that is best inside its range is not better higher."""
        return higher_is_better is (self is Direction.UP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One raw metric a normaliser takes."""

    direction: Direction
    domain: tuple[float, float] = (0.0, 1.0)
    #: Values between which the function is monotone in this argument; only those inside the domain matter.
    turns_at: tuple[float, ...] = ()


def _always(values: Sequence[float], params: Params) -> str | None:  # noqa: ARG001 - signature of `undefined`
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Normaliser:
    """A function with what may be put in."""

    name: str
    formula: Callable[[Sequence[float], Params], float]
    #: In words, for the documentation.
    description: str
    arguments: tuple[Argument, ...]
    #: Names of the parameters it must be given.
    params: tuple[str, ...] = ()
    #: Why these values have no score although each lies in its domain; None when they have one.
    undefined: Callable[[Sequence[float], Params], str | None] = _always
    #: Whether it is clipped at the domain's edge; then a clipped interval keeps half of its width.
    clips: bool = False
    #: Sentence on what the score hides of these values (a declared clip); None when nothing.
    note: Callable[[Sequence[float], Params], str | None] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Normalised:
    """A score on [0, 1]; without a value, why."""

    value: float | None
    interval: Interval | None = None
    reason: str | None = None
    notes: tuple[str, ...] = field(default=())


def _ratio_undefined(values: Sequence[float], params: Params) -> str | None:
    floor = params["chance"] + params["margin"]
    if values[1] > floor:
        return None
    return f"the clean value {values[1]:.3g} is not above chance plus margin {floor:.3g}, so a ratio to it says nothing"


def _below_chance(values: Sequence[float], params: Params) -> str | None:
    if values[0] >= params["chance"]:
        return None
    return f"The raw value {values[0]:.3g} lies below chance {params['chance']:.3g}; it is shown as 0."


_UP = Argument(direction=Direction.UP)
_DOWN = Argument(direction=Direction.DOWN)
_SIGNED = Argument(direction=Direction.INSIDE, domain=(-1.0, 1.0), turns_at=(0.0,))

NORMALISERS: tuple[Normaliser, ...] = (
    Normaliser(name="identity", formula=lambda v, _: v[0], description="x", arguments=(_UP,)),
    Normaliser(name="one_minus", formula=lambda v, _: 1 - v[0], description="1 − x", arguments=(_DOWN,)),
    Normaliser(
        name="one_minus_ece",
        formula=lambda v, _: 1 - v[0],
        description="1 − expected calibration error; biased downward at few items, see null_ece_p95 beside it",
        arguments=(_DOWN,),
    ),
    Normaliser(
        name="one_minus_abs",
        formula=lambda v, _: 1 - abs(v[0]),
        description="1 − |x| of a signed bias on [−1, 1]",
        arguments=(_SIGNED,),
    ),
    Normaliser(
        name="ratio_clip1",
        formula=lambda v, _: 1.0 if v[1] == 0 else min(1.0, v[0] / v[1]),
        description="min(1, perturbed / clean); no score unless clean is above chance + margin; clipped at 1",
        arguments=(_UP, Argument(direction=Direction.UP)),
        params=("chance", "margin"),
        clips=True,
        undefined=_ratio_undefined,
        note=lambda v, _: "The perturbed value is above the clean one; it is shown as 1." if v[0] > v[1] else None,
    ),
    Normaliser(
        name="chance_corrected",
        formula=lambda v, p: max(0.0, (v[0] - p["chance"]) / (1 - p["chance"])),
        description="(x − chance) / (1 − chance); clipped at 0 below chance, where the raw value is shown beside it",
        arguments=(_UP,),
        params=("chance",),
        clips=True,
        note=_below_chance,
    ),
    Normaliser(
        name="half_one_plus_rho",
        formula=lambda v, _: (1 + v[0]) / 2,
        description="(1 + ρ) / 2 of a rank correlation on [−1, 1]",
        arguments=(Argument(direction=Direction.UP, domain=(-1.0, 1.0)),),
    ),
    Normaliser(name="mean_of", formula=lambda v, _: (v[0] + v[1]) / 2, description="(x + y) / 2", arguments=(_UP, _UP)),
    Normaliser(
        name="gate",
        formula=lambda v, p: 0.0 if v[0] > p["limit"] else (v[1] + v[2]) / 2,
        description="(y + z) / 2 where x ≤ limit, else 0 (false-positive rate; true-positive rate, after paraphrase)",
        arguments=(_DOWN, _UP, _UP),
        params=("limit",),
    ),
    Normaliser(
        name="centered",
        formula=lambda v, _: 1 - 2 * abs(v[0] - 0.5),
        description="1 − 2|x − 0.5| of a share whose best value is one half",
        arguments=(Argument(direction=Direction.INSIDE, turns_at=(0.5,)),),
    ),
)
_BY_NAME = {n.name: n for n in NORMALISERS}


def misuse(name: str, params: Params, *, inputs: int) -> str | None:
    """What is wrong with a map's use of a normaliser, in one sentence; None when nothing is.

    >>> misuse("identity", {}, inputs=2)
    'identity takes 1 metric and was given 2.'
    """
    normaliser = _BY_NAME.get(name)
    if normaliser is None:
        return f"there is no normaliser {name!r}; the normalisers are {', '.join(_BY_NAME)}."
    if set(params) != set(normaliser.params):
        wanted = ", ".join(normaliser.params) or "none"
        return f"{name} takes the params {wanted} and was given {', '.join(sorted(params)) or 'none'}."
    if len(normaliser.arguments) != inputs:
        count = len(normaliser.arguments)
        return f"{name} takes {count} metric{'s' if count > 1 else ''} and was given {inputs}."
    chance = params.get("chance", 0.0)
    if not 0 <= chance < 1:
        return f"{name} was given the chance {chance}, which is not a share below 1."
    return None


def normalise(name: str, params: Params, measurements: Sequence[Measurement]) -> Normalised:
    """The score of raw measurements, headline first.

    ValueError when a value lies outside the domain or a direction does not agree: the evaluator or the map is wrong,
    and no number made of it may be shown.
    """
    normaliser = _BY_NAME[name]
    values: list[float] = []
    for argument, measurement in zip(normaliser.arguments, measurements, strict=True):
        if measurement.value is None:
            return Normalised(value=None, reason=f"{_words(measurement)} has no value: {measurement.reason}")
        _check(normaliser, argument, measurement)
        values.append(measurement.value)
    reason = normaliser.undefined(values, params)
    if reason:
        return Normalised(value=None, reason=reason)
    note = normaliser.note(values, params)
    return Normalised(
        value=normaliser.formula(values, params),
        interval=_image(normaliser, params, measurements),
        notes=(note,) if note else (),
    )


def _words(measurement: Measurement) -> str:
    return measurement.metric.replace("_", " ")


def _check(normaliser: Normaliser, argument: Argument, measurement: Measurement) -> None:
    what = f"{measurement.benchmark}/{measurement.metric}"
    low, high = argument.domain
    ends = [measurement.value or 0.0]
    if measurement.interval is not None:
        ends += [measurement.interval.low, measurement.interval.high]
    if not all(math.isfinite(end) and low - _ROUNDING <= end <= high + _ROUNDING for end in ends):
        msg = f"{what}: {ends} is not inside [{low}, {high}], the domain of {normaliser.name}"
        raise ValueError(msg)
    if not argument.direction.agrees(higher_is_better=measurement.higher_is_better):
        better = "higher" if measurement.higher_is_better else "lower"
        msg = f"{what}: {better} is better, but {normaliser.name} takes its best value as {argument.direction}"
        raise ValueError(msg)


def _image(normaliser: Normaliser, params: Params, measurements: Sequence[Measurement]) -> Interval | None:
    """Smallest and largest score over the box of the raw intervals; None when one of them is missing.

    Every formula is monotone in each argument between its turning points, so the extremes lie on these and the ends.
    For several metrics of the same items the box is wider than a joint interval would be, never narrower.
    """
    intervals = [m.interval for m in measurements]
    candidates: list[list[float]] = []
    for argument, interval in zip(normaliser.arguments, intervals, strict=True):
        if interval is None:
            return None
        turns = [turn for turn in argument.turns_at if interval.low < turn < interval.high]
        candidates.append([interval.low, *turns, interval.high])
    scores = [normaliser.formula(corner, params) for corner in itertools.product(*candidates)]
    first = measurements[0].interval
    if first is None:
        return None
    # the bounds only take off the rounding errors admitted above
    low, high = max(0.0, min(scores)), min(1.0, max(scores))
    if normaliser.clips:
        low, high = _kept_open(low, high, half=(first.high - first.low) / 2 / (1 - params["chance"]))
    return Interval(low=low, high=high, level=first.level, method=first.method)


def _kept_open(low: float, high: float, *, half: float) -> tuple[float, float]:
    """Limits that a clip left closer than half of the raw interval's width, moved away from the edge.

    >>> _kept_open(0.0, 0.0, half=0.1), _kept_open(0.95, 1.0, half=0.1), _kept_open(0.0, 0.3, half=0.1)
    ((0.0, 0.1), (0.9, 1.0), (0.0, 0.3))
    """
    if low <= 0:
        return low, max(high, min(1.0, half))
    return (min(low, max(0.0, 1 - half)), high) if high >= 1 else (low, high)
