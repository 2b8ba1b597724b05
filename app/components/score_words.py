"""How a score reads: a sign, a word, a number from 0 to 100; colour only repeats the word."""

from datetime import datetime
from typing import NamedTuple

from domain.energy import EnergyLevel, EnergyReading
from domain.measurements import Interval
from domain.scores import Assessment, RequirementScore, Status, Verdict


class Look(NamedTuple):
    """Sign, word, short word for narrow cells, and colour class."""

    sign: str
    word: str
    short: str
    tone: str


_OF_VERDICT: dict[Verdict, Look] = {
    Verdict.PASS: Look("✔", "pass", "pass", "good"),
    Verdict.ATTENTION: Look("▲", "attention", "attention", "warn"),
    Verdict.FAIL: Look("✖", "fail", "fail", "bad"),
    Verdict.UNDECIDED: Look("◆", "undecided", "undecided", "open"),
    Verdict.NONE: Look("■", "measured, no threshold set", "measured", "open"),
}
_OF_STATUS: dict[Status, Look] = {
    Status.INSUFFICIENT: Look("○", "not enough evidence", "little evidence", "mute"),
    Status.NOT_MEASURABLE_HERE: Look("⊘", "cannot be measured here", "not here", "mute"),
    Status.NEEDS_EVIDENCE: Look("☐", "needs evidence", "needs evidence", "mute"),
    Status.DECLARED: Look("✎", "declared", "declared", "mute"),
    Status.NOT_RUN: Look("–", "not run", "not run", "mute"),
    Status.FAILED: Look("⚠", "failed to run", "failed to run", "bad"),
}
#: One sentence per word, for the glossary of a page.
GLOSSARY: dict[str, str] = {
    "pass": "The whole interval lies at or above the policy's pass mark.",
    "attention": "The whole interval lies between the two marks of the policy.",
    "fail": "The whole interval lies below the policy's lower mark.",
    "undecided": "The interval crosses a mark: more items are needed before one can say.",
    "not enough evidence": "Too few items, too many unusable answers, or a companion figure shows that the model "
    "did not really take part; the number is therefore withheld.",
    "cannot be measured here": "The endpoint does not offer what the benchmark needs.",
    "needs evidence": "It cannot be seen through an endpoint: a document, a data sample or a detector is needed.",
    "not run": "Nothing was asked for this requirement.",
    "failed to run": "It was started and did not come to its end.",
    "95 % interval": "If the same evaluation were repeated with other items of the same kind, about 95 of 100 such "
    "intervals would hold the true value.",
    "coverage": "Weight of the benchmarks that gave a valid result, of all benchmarks of the requirement.",
    "items": "Questions the score rests on.",
    "companion": "A figure shown beside a score because it unmasks a model that reaches the score without ability, "
    "for instance by refusing everything.",
}


def look(score: RequirementScore) -> Look:
    """Sign and words of a score: its verdict where there is a number, else how it came about."""
    if score.value is not None:
        return _OF_VERDICT[score.verdict]
    return _OF_STATUS[score.status]


def points(value: float, interval: Interval | None = None) -> str:
    """A value of [0, 1] on the scale of 0 to 100; a decimal only where the interval is narrower than two points.

    >>> points(0.618), points(0.618, Interval(low=0.61, high=0.625, method="wilson"))
    ('62', '61.8')
    """
    narrow = interval is not None and interval.high - interval.low < 0.02
    return f"{value * 100:.1f}" if narrow else f"{value * 100:.0f}"


def number(score: RequirementScore) -> str:
    """The score from 0 to 100, with its coverage where only a part was measured."""
    if score.value is None:
        return ""
    text = points(score.value, score.interval)
    return f"{text}*" if score.status is Status.PARTIAL else text


def interval_text(interval: Interval | None) -> str:
    """The interval on the scale of 0 to 100.

    >>> interval_text(Interval(low=0.55, high=0.69, method="wilson"))
    '55–69'
    """
    if interval is None:
        return "no interval"
    return f"{points(interval.low, interval)}–{points(interval.high, interval)}"


def spoken(score: RequirementScore) -> str:
    """The score in words, for a tooltip and a screen reader."""
    word = look(score).word
    if score.value is None:
        return f"{word}. {score.reason}"
    parts = [f"{word}, {points(score.value, score.interval)} of 100"]
    if score.interval is not None:
        parts.append(f"interval {interval_text(score.interval)}")
    parts.append(f"{score.n:,} items")
    if score.status is Status.PARTIAL:
        parts.append(f"only {score.coverage:.0%} of the benchmarks by weight")
    return ", ".join(parts)


def covered(assessment: Assessment) -> str:
    """How many of the twelve measurable requirements have a number."""
    measured = sum(1 for score in assessment.measured if score.requirement.is_measurable)
    return f"{measured} of 12"


def energy_short(reading: EnergyReading | None) -> tuple[str, str]:
    """Amount, and in a few words what the amount covers."""
    if reading is None or reading.energy_kwh is None:
        return "not measured", (reading.missing_reason or "") if reading else ""
    watt_hours = reading.energy_kwh * 1000
    amount = f"{watt_hours:.2g} Wh" if watt_hours < 100 else f"{reading.energy_kwh:.2g} kWh"
    if reading.level is EnergyLevel.ESTIMATED_FROM_TOKENS:
        return f"about {amount}", "estimated from tokens"
    if reading.level is not EnergyLevel.CLIENT_ONLY:
        return amount, "serving host, GPU only"
    return amount, "whole machine, model included" if reading.same_host else "without the model's server"


def day(when: datetime, *, now: datetime) -> str:
    """A date as one says it, on the clock of `now`.

    >>> from datetime import UTC
    >>> day(datetime(2026, 11, 12, tzinfo=UTC), now=datetime(2026, 11, 30, tzinfo=UTC))
    '12 Nov 2026'
    """
    local = when.astimezone(now.tzinfo)
    if local.date() == now.date():
        return f"today, {local:%H:%M}"
    return f"{local.day} {local:%b %Y}"


def moment(when: datetime | None, *, now: datetime) -> str:
    """Date and time on the reader's clock; an em dash where there is none yet."""
    if when is None:
        return "—"
    local = when.astimezone(now.tzinfo)
    return f"{local.day} {local:%b %Y, %H:%M}"
