"""When a benchmark's number counts, and the sentence for every reason why it does not."""

import operator
from collections.abc import Mapping

from domain import words
from domain.measurements import Interval, Measurement
from requirements_map.entries import Guard, MappedBenchmark

_OPERATORS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le}
_NOT = {">": "not above", ">=": "below", "<": "not below", "<=": "above"}
_SPELLED = {"auroc": "AUROC", "ece": "ECE", "dpd": "DPD", "eod": "EOD", "acc amb": "accuracy on ambiguous questions"}
_SPELLED["acc dis"] = "accuracy on disambiguated questions"


def in_words(metric: str) -> str:
    """A metric's name as it stands in a sentence.

    >>> in_words("majority_share")
    'majority share'
    """
    words = metric.replace("_", " ")
    return _SPELLED.get(words, words)


def number(value: float) -> str:
    """A metric's value as it stands in a sentence.

    >>> number(0.5), number(0.4967)
    ('0.5', '0.497')
    """
    return f"{value:.3g}"


def reasons_against(
    benchmark: MappedBenchmark, by_metric: Mapping[str, Measurement], score: Interval | None
) -> tuple[str, ...]:
    """Why the headline does not count, each reason in one sentence; empty when it counts.

    ``score`` is the interval of the normalised headline.
    """
    headline = by_metric.get(benchmark.metric)
    if headline is None:
        found = ", ".join(by_metric) or "nothing"
        return (f"The metric {benchmark.metric} was not measured; measured was {found}.",)
    reasons = [headline.reason] if headline.reason is not None else []
    reasons += _rate_reasons(benchmark, headline)
    # Guards say nothing about a number that does not exist.
    if headline.value is not None:
        guards = [guard for guard in benchmark.guards if could_flatter(guard, score)]
        reasons += [reason for guard in guards if (reason := guard_reason(guard, by_metric))]
    return tuple(reasons)


def _rate_reasons(benchmark: MappedBenchmark, headline: Measurement) -> list[str]:
    rates = headline.rates
    reasons = []
    if headline.n_scored < benchmark.min_n:
        were = "was" if headline.n_scored == 1 else "were"
        reasons.append(
            f"{words.count_text(headline.n_scored, 'item')} {were} scored; at least {benchmark.min_n} are needed."
        )
    for share, limit, what in (
        (rates.error, benchmark.max_error, "of the items ended in an error"),
        (rates.empty, benchmark.max_empty, "of the answers were empty"),
        (rates.truncated, benchmark.max_truncated, "of the answers were cut at the token limit"),
    ):
        if share is None:
            reasons.append(f"It is not known how many {what}.")
        elif share > limit:
            reasons.append(f"{_percent(share)} {what}; at most {_percent(limit)} may be.")
    if rates.parse_ok is not None and rates.parse_ok < benchmark.min_parse_ok:
        needed = _percent(benchmark.min_parse_ok)
        reasons.append(f"{_percent(rates.parse_ok)} of the answers could be read; at least {needed} must be.")
    return reasons


def could_flatter(guard: Guard, score: Interval | None) -> bool:
    """Whether a score is high enough for the guard to matter; one of unknown certainty is."""
    return guard.only_above is None or score is None or score.high > guard.only_above


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def guard_reason(guard: Guard, by_metric: Mapping[str, Measurement]) -> str | None:
    """Why a companion invalidates the headline; None when it holds. A companion that is missing does not hold."""
    actual, missing = _side(guard.metric, guard.use, by_metric)
    if actual is None:
        return missing
    if guard.value is not None:
        limit, limit_words = guard.value, number(guard.value)
    else:
        other, missing = _side(guard.than or "", "value", by_metric)
        if other is None:
            return missing
        limit, limit_words = other, f"the {in_words(guard.than or '')} {number(other)}"
    if _OPERATORS[guard.op](actual, limit):
        return None
    end = {"value": "", "interval_low": "lower bound of ", "interval_high": "upper bound of "}[guard.use]
    subject = f"{end}{in_words(guard.metric)}"
    return f"{subject[0].upper()}{subject[1:]} {number(actual)} is {_NOT[guard.op]} {limit_words}: {guard.because}."


def _side(metric: str, use: str, by_metric: Mapping[str, Measurement]) -> tuple[float | None, str]:
    """The number a guard compares, or the sentence why there is none."""
    measurement = by_metric.get(metric)
    name = in_words(metric)
    if measurement is None:
        return None, f"The companion {name} was not measured, so a degenerate model cannot be ruled out."
    if measurement.value is None:
        return None, f"The companion {name} has no value: {measurement.reason}"
    if use == "value":
        return measurement.value, ""
    if measurement.interval is None:
        return None, f"The companion {name} has no interval, so a degenerate model cannot be ruled out."
    return (measurement.interval.low if use == "interval_low" else measurement.interval.high), ""
