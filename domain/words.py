"""How a verdict, a score and an amount read, in pages, reports and at the command line alike.

Plain English through functions, so that a catalogue of translations can stand behind them without any caller changing.
Words carry the state; a colour may repeat it.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from domain.energy import energy_text as energy_text  # noqa: PLC0414 - one of the words, kept where labels need it
from domain.measurements import Interval, Rates
from domain.scores import BenchmarkScore, RequirementScore, Status, Verdict

#: What stands where a number would be, when there is none.
NO_NUMBER = "–"


class Look(NamedTuple):
    """A sign and the word it stands for; never shown apart."""

    icon: str
    word: str


_OF_VERDICT = {
    Verdict.PASS: Look("✔", "pass"),
    Verdict.ATTENTION: Look("▲", "attention"),
    Verdict.FAIL: Look("✖", "fail"),
    Verdict.UNDECIDED: Look("◆", "undecided"),
    Verdict.NONE: Look("■", "measured, no threshold set"),
}
_OF_STATUS = {
    Status.MEASURED: Look("■", "measured"),
    Status.PARTIAL: Look("■", "measured in part"),
    Status.INSUFFICIENT: Look("○", "not enough evidence"),
    Status.NOT_MEASURABLE_HERE: Look("⊘", "cannot be measured here"),
    Status.NEEDS_EVIDENCE: Look("□", "needs evidence"),
    Status.DECLARED: Look("✎", "declared"),
    Status.NOT_RUN: Look("–", "not run"),
    Status.FAILED: Look("⚠", "failed to run"),
}


def verdict_look(verdict: Verdict) -> Look:
    """What the policy says, in a sign and a word."""
    return _OF_VERDICT[verdict]


def status_look(status: Status) -> Look:
    """How a score came about, in a sign and a word."""
    return _OF_STATUS[status]


def score_look(score: RequirementScore) -> Look:
    """The verdict where there is a number, else why there is none."""
    return verdict_look(score.verdict) if score.value is not None else status_look(score.status)


def points(value: float, interval: Interval | None = None) -> str:
    """A value of [0, 1] on the scale of 0 to 100; a decimal only where the interval is narrower than two points.

    >>> points(0.618), points(0.618, Interval(low=0.61, high=0.625, method="wilson")), points(0.0)
    ('62', '61.8', '0')
    """
    return f"{value * 100:.{_decimals(interval)}f}"


def score_text(value: float | None, interval: Interval | None = None) -> str:
    """A score from 0 to 100; a dash where there is none, never 0.

    >>> score_text(0.618), score_text(None)
    ('62', '–')
    """
    return NO_NUMBER if value is None else points(value, interval)


def interval_text(interval: Interval | None) -> str:
    """An interval on the scale of 0 to 100, as precise as its score.

    >>> interval_text(Interval(low=0.55, high=0.69, method="wilson")), interval_text(None)
    ('55–69', 'no interval')
    """
    return "no interval" if interval is None else f"{points(interval.low, interval)}–{points(interval.high, interval)}"


def items_behind(score: RequirementScore) -> int:
    """Items a score rests on; where its number is withheld, those its benchmarks scored all the same."""
    return score.n or sum(b.headline.units for b in score.benchmarks if b.headline is not None)


def reason_text(score: RequirementScore) -> str:
    """Why there is no number, with the items that were scored all the same."""
    seen = items_behind(score)
    return f"{score.reason}" + (f" ({count_text(seen, 'item')} scored)" if seen else "")


def about(score: RequirementScore, *, most_works: int | None = None) -> str | None:
    """What a score is of where that is not the model, and the works it speaks of; None where neither is to be said."""
    parts = [score.of] if score.of else []
    if score.works:
        parts.append(f"Works tested: {first_of(score.works, most_works)}.")
    return " ".join(parts) or None


def first_of(names: Sequence[str], most: int | None = None) -> str:
    """Names in a row, and how many more there are than are shown.

    >>> first_of(["Emma", "Persuasion", "Sanditon"], 2), first_of(["Emma", "Persuasion"])
    ('Emma, Persuasion and 1 more', 'Emma, Persuasion')
    """
    shown = names if most is None else names[:most]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def spoken(score: RequirementScore) -> str:
    """The score in one breath, for a screen reader or a tooltip."""
    word = score_look(score).word
    if score.value is None:
        return f"{word}: {reason_text(score)}"
    if score.of is not None:  # no reader is to take it for the model's
        word = f"{word} ({score.of[0].lower()}{score.of[1:].rstrip('.')})"
    parts = [word, f"score {points(score.value, score.interval)} of 100"]
    if score.interval is not None:
        parts.append(f"{score.interval.level:.0%} interval {interval_text(score.interval)}".replace("%", " %"))
    parts += [f"{name.replace('_', ' ')} {points(mark)}" for name, mark in sorted(score.thresholds.items())]
    parts.append(count_text(score.n, "item"))
    if score.status is Status.PARTIAL and score.coverage < 1:
        parts.append(f"{percent_text(score.coverage)} of the benchmarks by weight")
    return ", ".join(parts)


#: Word of an unusable answer → its share; the same on pages, in the report and at the terminal.
_UNUSABLE: tuple[tuple[str, Callable[[Rates], float | None]], ...] = (
    ("failed", lambda rates: rates.error),
    ("empty", lambda rates: rates.empty),
    ("cut off", lambda rates: rates.truncated),
    ("refused", lambda rates: rates.refused),
    ("unreadable", lambda rates: None if rates.parse_ok is None else 1 - rates.parse_ok),
)


def rate_words(rates: Iterable[Rates]) -> list[str]:
    """The highest share of each kind of unusable answer, where it is not zero.

    >>> rate_words([Rates(error=0.003, empty=0.0, truncated=0.2, parse_ok=0.95)])
    ['0.3 % failed', '20 % cut off', '5 % unreadable']
    """
    known = list(rates)
    shares = ((max((read(r) or 0.0 for r in known), default=0.0), word) for word, read in _UNUSABLE)
    return [f"{percent_text(share)} {word}" for share, word in shares if share > 1e-9]


def counted_rates(benchmark: BenchmarkScore, cut_by_design: Collection[str]) -> Rates | None:
    """The shares that speak against answers: a benchmark that needs only their beginning cuts them itself."""
    if benchmark.headline is None:
        return None
    rates = benchmark.headline.rates
    return replace(rates, truncated=0.0) if benchmark.benchmark in cut_by_design else rates


def unusable_words(score: RequirementScore, cut_by_design: Collection[str]) -> list[str] | None:
    """Unusable answers among the benchmarks behind a number; among all that were asked where there is no number."""
    behind = [b for b in score.benchmarks if b.valid or score.value is None]
    rates = [found for b in behind if (found := counted_rates(b, cut_by_design)) is not None]
    return rate_words(rates) if rates else None


def percent_text(share: float | None) -> str:
    """A share of [0, 1] in per cent; what is not all and not nothing never reads 100 or 0.

    >>> percent_text(0.25), percent_text(0.003), percent_text(0.0001), percent_text(0.9996), percent_text(None)
    ('25 %', '0.3 %', 'under 0.1 %', 'over 99.9 %', '–')
    """
    if share is None:
        return NO_NUMBER
    value = share * 100
    if 0 < value < 0.05:
        return "under 0.1 %"
    if 99.95 < value < 100:
        return "over 99.9 %"
    return f"{value:.1f} %" if 0 < value < 0.95 or 99 < value < 100 else f"{value:.0f} %"


def share_text(part: int, whole: int) -> str:
    """A part of a whole, both as counts.

    >>> share_text(9, 12)
    '9 of 12'
    """
    return f"{part:,} of {whole:,}"


def count_text(count: int, noun: str) -> str:
    """A count with its noun.

    >>> count_text(1, "item"), count_text(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def date_text(when: datetime) -> str:
    """The day in UTC, the same on every machine.

    >>> date_text(datetime(2026, 11, 12, 23, 30, tzinfo=UTC))
    '12 Nov 2026'
    """
    moment = when.astimezone(UTC)
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def moment_text(when: datetime) -> str:
    """Day and minute in UTC.

    >>> moment_text(datetime(2026, 11, 12, 9, 5, tzinfo=UTC))
    '12 Nov 2026, 09:05 UTC'
    """
    return f"{date_text(when)}, {when.astimezone(UTC):%H:%M} UTC"


def short_hash(digest: str) -> str:
    """The beginning of a hash, enough to recognise it by.

    >>> short_hash("b179c9523d0e6a0f98a330c7562b6827")
    'b179c9523d0e…'
    """
    return f"{digest[:12]}…" if len(digest) > 13 else digest


#: Not ``%b``, which follows the locale of the process.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _decimals(interval: Interval | None) -> int:
    return 1 if interval is not None and interval.high - interval.low < 0.02 else 0
