"""Items of the forecasts of which the order is known: one question about five years each."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.forecasts

_YEAR = re.compile(r"\b(20\d\d)\b")


def monotonic(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """One item of each year; its target is the way the numbers go, as the true one is not known."""
    items = []
    for number, row in enumerate(rows, start=1):
        name, direction = f"forecast-{number:02d}", str(row["direction"])
        if direction not in {"increasing", "decreasing"}:
            raise InvalidTask(
                f"Item {number} of the forecasts goes {direction!r} and neither increasing nor decreasing."
            )
        for question in map(str, row["questions"]):
            years = _YEAR.findall(question)
            if not years:
                raise InvalidTask(f"Item {number} of the forecasts has a question without a year: {question}")
            items.append(
                {
                    "id": f"{name}-{years[-1]}",
                    "cluster": name,
                    "stratum": direction,
                    "text": f"{question.strip().rstrip('?')}?",
                    "year": int(years[-1]),
                    "direction": direction,
                    "target": direction,
                }
            )
    return datasets.Dataset.from_list(items)
