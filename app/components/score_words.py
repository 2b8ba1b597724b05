"""How a score reads: a sign, a word, a number from 0 to 100; colour only repeats the word."""

from datetime import UTC, datetime
from typing import NamedTuple

from domain import words
from domain.energy import EnergyLevel, EnergyReading
from domain.scores import Assessment, RequirementScore, Status, Verdict


class Look(NamedTuple):
    """Sign, word, short word for narrow cells, and colour class."""

    sign: str
    word: str
    short: str
    tone: str


_TONES: dict[Verdict, str] = {
    Verdict.PASS: "good",
    Verdict.ATTENTION: "warn",
    Verdict.FAIL: "bad",
    Verdict.UNDECIDED: "open",
    Verdict.NONE: "open",
}
#: For columns that are too narrow for the whole word.
_SHORT = {
    "not enough evidence": "little evidence",
    "cannot be measured here": "not here",
    "measured, no threshold set": "measured",
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
    "score of a corpus": "The number is that of a file supplied by the operator, named beside it; it is not a score of "
    "the model.",
    "detector": "A program of the model's provider that tells texts of the model by their watermark. Where it takes "
    "more than 1 of 100 texts by people for the model's, the score is 0.",
    "not run": "Nothing was asked for this requirement.",
    "failed to run": "It was started and did not come to its end.",
    "95 % interval": "If the same evaluation were repeated with other items of the same kind, about 95 of 100 such "
    "intervals would hold the true value.",
    "coverage": "Weight of the benchmarks that gave a valid result, of all benchmarks of the requirement.",
    "items": "Questions the score rests on.",
    "unusable answers": "Highest share among the benchmarks behind the number. Where only the beginning "
    "of an answer is read, its end is not missed.",
    "fingerprint": "The server's mark of what it serves; a change of it tells of another model or build.",
    "AUROC": "How well the stated confidence tells right answers from wrong ones: 0.5 is guessing, 1 is perfect.",
    "companion": "A figure shown beside a score because it unmasks a model that reaches the score without ability, "
    "for instance by refusing everything.",
}


def look(score: RequirementScore) -> Look:
    """Sign and words of a score: its verdict where there is a number, else how it came about."""
    sign, word = words.score_look(score)
    tone = "mute" if score.status is not Status.FAILED else "bad"
    if score.value is not None:
        tone = _TONES[score.verdict]
    return Look(sign, word, _SHORT.get(word, word), tone)


def number(score: RequirementScore) -> str:
    """The score from 0 to 100, with its coverage where only a part was measured."""
    if score.value is None:
        return ""
    text = words.points(score.value, score.interval)
    return f"{text}*" if score.status is Status.PARTIAL else text


def covered(assessment: Assessment) -> str:
    """How many of the twelve measurable requirements have a number."""
    measured = sum(1 for score in assessment.measured if score.requirement.is_measurable)
    return f"{measured} of 12"


def energy_short(reading: EnergyReading | None) -> tuple[str, str]:
    """Amount, and in a few words what the amount covers."""
    if reading is None or reading.energy_kwh is None:
        return "not measured", (reading.missing_reason or "") if reading else ""
    amount = words.energy_text(reading.energy_kwh)
    if reading.level is EnergyLevel.ESTIMATED_FROM_TOKENS:
        return f"about {amount}", "estimated from tokens"
    if reading.level is not EnergyLevel.CLIENT_ONLY:
        return amount, "serving host, GPU only"
    return (
        amount,
        "whole machine; the model only if it runs there" if reading.same_host else "without the model's server",
    )


def day(when: datetime, *, now: datetime) -> str:
    """A date as one says it, in UTC like every time of the pages and the report.

    >>> from datetime import UTC
    >>> day(datetime(2026, 11, 12, tzinfo=UTC), now=datetime(2026, 11, 30, tzinfo=UTC))
    '12 Nov 2026'
    """
    moment = when.astimezone(UTC)
    return f"today, {moment:%H:%M} UTC" if moment.date() == now.astimezone(UTC).date() else words.date_text(when)
