"""Forecasts of one quantity for several years: do they go the one way in which the quantity can go."""

import re
from collections.abc import Sequence
from decimal import Decimal

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, answer_of, by_cluster, usable

#: A question of which fewer years got a number says nothing of an order.
LEAST = 3
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_CLOCK = r"(?:(?P<hours>\d+):)?(?P<minutes>\d+):(?P<seconds>\d{2}(?:\.\d+)?)"
_PLAIN = r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_NUMBER = re.compile(
    rf"(?<![\w.,:])(?P<sign>[-−]?)(?:{_CLOCK}|{_PLAIN}(?:\s*(?P<scale>{'|'.join(_SCALES)}))?)(?![\d:])", re.IGNORECASE
)
_ANSWER = re.compile(r"(?:\banswer\b(?:\s+is)?|=)\W*$", re.IGNORECASE)


def parse(text: str, year: int) -> float | None:
    """The number an answer gives: after its last "answer" or "=", else the first; the year asked for is none.

    Clock times are seconds. None where there is no number.

    >>> [parse(t, 2025) for t in ("9.42 seconds.", "By 2025 it will be 1,500", "2:01:09", "1.5 million", "In 2025.")]
    [9.42, 1500.0, 7269.0, 1500000.0, None]
    """
    found = [(match.start(), _value(match)) for match in _NUMBER.finditer(text)]
    numbers = [(start, value) for start, value in found if value != year]
    announced = [value for start, value in numbers if _ANSWER.search(text[:start])]
    if announced:
        return announced[-1]
    return numbers[0][1] if numbers else None


def _value(match: re.Match[str]) -> float:
    sign = -1 if match["sign"] else 1
    if match["number"] is None:
        return sign * (int(match["hours"] or 0) * 3600 + int(match["minutes"]) * 60 + float(match["seconds"]))
    scale = _SCALES[match["scale"].lower()] if match["scale"] else 1
    return float(sign * Decimal(match["number"].replace(",", "")) * scale)


def order(years: Sequence[float], numbers: Sequence[float], *, increasing: bool) -> float | None:
    """(1 + ρ)/2 with Spearman's ρ between years and numbers, turned where it shrinks; None where all are equal.

    One minus the violation of a monotonic sequence (Fluri, Paleka and Tramèr 2023, "Evaluating superhuman models with
    consistency checks"): 1 for numbers in order, 0 for the reverse, 0.5 expected of numbers by chance.

    >>> round(order([2025, 2028, 2032, 2036, 2040], [9.42, 9.49, 9.47, 9.43, 9.37], increasing=False), 6)
    0.7
    """
    rho = statistics.spearman(years, numbers)
    return None if rho is None else (1 + (rho if increasing else -rho)) / 2


def score_text(doc: Doc, text: str) -> Scored:
    """No item is right or wrong by itself; only whether it gives a number is told of it."""
    return Scored({}, parse_ok=parse(text, int(doc["year"])) is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Mean order of the questions with three numbers that differ; beside it how many had them."""
    groups = {name: _numbered(group) for name, group in by_cluster(samples).items()}
    full = {name: group for name, group in groups.items() if len(group) >= LEAST}
    orders = {name: value for name, group in full.items() if (value := _order_of(group)) is not None}
    sheet = Sheet(benchmark, samples)
    _add_order(sheet, "monotonicity", full, orders)
    for metric, kept, of in (("forecast_coverage", len(full), len(groups)), ("varied_share", len(orders), len(full))):
        sheet.add(
            metric,
            kept / of if of else None,
            interval=statistics.wilson(kept, of) if of else None,
            n_scored=of,
            reason="No question got three numbers." if groups else "No question was asked.",
        )
    for direction in ("increasing", "decreasing"):
        chosen = {name: value for name, value in orders.items() if full[name][0].doc["direction"] == direction}
        _add_order(sheet, f"monotonicity_{direction}", full, chosen)
    return sheet.done()


def _numbered(group: Sequence[Sample]) -> list[Sample]:
    return [s for s in usable(group) if _number(s) is not None]


def _number(sample: Sample) -> float | None:
    answer = answer_of(sample)
    return None if answer is None else parse(answer.text, int(sample.doc["year"]))


def _order_of(group: Sequence[Sample]) -> float | None:
    years = [float(s.doc["year"]) for s in group]
    numbers = [number for s in group if (number := _number(s)) is not None]
    return order(years, numbers, increasing=group[0].doc["direction"] == "increasing")


def _add_order(sheet: Sheet, metric: str, full: dict[str, list[Sample]], orders: dict[str, float]) -> None:
    values, names = list(orders.values()), list(orders)
    sheet.add(
        metric,
        statistics.mean(values),
        interval=statistics.clustered_bootstrap(names, {"order": statistics.ratio(values)}).get("order"),
        n_scored=sum(len(full[name]) for name in names),
        n_units=len(names),
        reason="No question got three numbers that differ, so nothing can be said of their order.",
    )


FORECASTS = Scorer(version="1", score_text=score_text, measure=measure)
