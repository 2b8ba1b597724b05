"""Positive or negative: pairs of reviews that differ in a few words and in what they say."""

import re
from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks.scorers import yes_no
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer

_WORD = re.compile(r"\b(positive|negative|favou?rable|unfavou?rable|pos|neg)\b", re.IGNORECASE)
_POSITIVE = frozenset({"positive", "favourable", "favorable", "pos"})
#: "not positive", "isn't negative", "not entirely positive".
_NEGATION = re.compile(r"(?:\b(?:not|never|hardly)|n['’]t)(?:\s+\w+){0,1}\s+$", re.IGNORECASE)
#: A copy of the question, or a list of both words, chooses neither.
_BOTH = re.compile(r"\s*(?:/|,|or)\s*$", re.IGNORECASE)


def parse(text: str) -> bool | None:
    """Whether an answer says positive; its first word counts, else the only one it holds; None of neither or both.

    >>> [parse(t) for t in ("Positive", "**negative**.", "It is not positive.", "Positive or negative?", "Good")]
    [True, False, False, None, None]
    """
    found = list(_WORD.finditer(text))
    if not found:
        return None
    kinds = [(match.group(1).lower() in _POSITIVE) != bool(_NEGATION.search(text[: match.start()])) for match in found]
    if len(set(kinds)) == 1:
        return kinds[0]
    leads = not re.search(r"\w", text[: found[0].start()])
    listed = _BOTH.match(text[found[0].end() : found[1].start()])
    return kinds[0] if leads and not listed else None


def score_text(doc: Doc, text: str) -> Scored:
    """``correct`` (no clear word is wrong) and ``said_positive`` where it said either."""
    said = parse(text)
    metrics = {"correct": float(said is not None and said == (doc["target"] == "positive"))}
    if said is not None:
        metrics["said_positive"] = float(said)
    return Scored(metrics, parse_ok=said is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of pairs with both reviews right; always saying the same gets none of them."""
    return yes_no.measure_pairs(benchmark, samples, said="said_positive", rate="said_positive_rate")


SENTIMENT_PAIRS = Scorer(version="1", score_text=score_text, measure=measure)
