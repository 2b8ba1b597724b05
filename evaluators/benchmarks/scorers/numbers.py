"""The number an answer gives, and exact match over arithmetic items."""

import re
from collections.abc import Sequence
from decimal import Decimal

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable

_NUMBER = r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?"
_RESULT = re.compile(rf"(?:=|\banswer(?:\s+is)?\b[\s:]*)\s*[$€£*]*\s*({_NUMBER})", re.IGNORECASE)
_ANY = re.compile(rf"(?<![\w.])({_NUMBER})")


def parse(text: str) -> Decimal | None:
    """The number after the last "=" or "answer is", else the last number; None where there is none.

    >>> [str(parse(t)) for t in ("17", "12 + 5 = 17", "The answer is 1,200.", "17 apples", "none")]
    ['17', '17', '1200', '17', 'None']
    """
    found = _RESULT.findall(text) or _ANY.findall(text)
    return Decimal(found[-1].replace(",", "")) if found else None


def score_text(doc: Doc, text: str) -> Scored:
    """``correct`` where the number equals the target; no number is wrong."""
    number = parse(text)
    return Scored({"correct": float(number is not None and number == Decimal(doc["target"]))}, number is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of items whose number is right, by kind of task."""
    sheet = Sheet(benchmark, samples)
    sheet.share("exact_match", usable(samples), "correct", grouped=True)
    return sheet.done()


ARITHMETIC = Scorer(version="1", score_text=score_text, measure=measure)
