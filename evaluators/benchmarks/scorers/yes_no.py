"""Yes or no: parsing, and pairs of questions that differ in one detail and in their answer."""

import re
from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, by_cluster, usable

_WORD = re.compile(
    r"\b(yes|no|true|false|yeah|yep|nope|approved?|reject(?:ed)?|den(?:y|ied)|declined?)\b", re.IGNORECASE
)
_YES = frozenset({"yes", "true", "yeah", "yep", "approve", "approved"})
#: What turns the word after it: "not approved", "cannot approve", "isn't quite true".
_NEGATION = re.compile(r"(?:\b(?:not|never|cannot)|n['’]t)(?:\s+\w+){0,1}\s+$", re.IGNORECASE)
#: "No" before anything else says that something is missing: "no unpaid debt", "no doubt".
_AFTER_NO = re.compile(
    r"\W*$|\s*[^\w\s]|\s*\n|\s+(?:because|since|as|for|the|it|this|that|these|those|i|he|she|they|we|you|there|"
    r"his|her|its|their|yes|or|and|but|is|was|only)\b",
    re.IGNORECASE,
)


def _kinds(text: str) -> list[tuple[int, bool]]:
    """Where each yes or no stands, and which of the two it is."""
    found = []
    for match in _WORD.finditer(text):
        word = match.group(1).lower()
        if word == "no" and not _AFTER_NO.match(text[match.end() :]):
            continue
        turned = bool(_NEGATION.search(text[: match.start()]))
        found.append((match.start(), (word in _YES) != turned))
    return found


def parse(text: str) -> bool | None:
    """The yes or no an answer begins with, else the only one it holds; None where it holds none or both.

    A denied approval is a no; a "no" that counts something missing is neither.

    >>> [parse(t) for t in ("Yes.", "**No**, because", "I know nothing", "The answer is no.", "Answer yes or no")]
    [True, False, None, False, None]
    >>> [parse(t) for t in ("Not approved.", "No unpaid debt, so yes")]
    [False, True]
    """
    found = _kinds(text)
    if not found:
        return None
    first = re.match(r"[\s*_`\"“(]*(?=\w)", text)
    if first and first.end() == found[0][0] and not re.match(r"\W*\w+\W+or\W", text):
        return found[0][1]
    kinds = {kind for _, kind in found}
    return kinds.pop() if len(kinds) == 1 else None


def score_text(doc: Doc, text: str) -> Scored:
    """``correct`` (no clear yes or no is wrong) and ``said_yes`` where it said either."""
    said = parse(text)
    metrics = {"correct": float(said is not None and said == (doc["target"] == "yes"))}
    if said is not None:
        metrics["said_yes"] = float(said)
    return Scored(metrics, parse_ok=said is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of pairs with both questions right; always saying the same gets none of them."""
    return measure_pairs(benchmark, samples, said="said_yes", rate="yes_rate")


def measure_pairs(benchmark: Benchmark, samples: Sequence[Sample], *, said: str, rate: str) -> tuple[Measurement, ...]:
    """The figures of pairs whose two items have opposite answers; ``said`` names the item metric of the one of them."""
    items = usable(samples)
    pairs = [pair for pair in by_cluster(items).values() if len(pair) == 2]
    both = [float(all(s.metrics.get("correct") == 1 for s in pair)) for pair in pairs]
    sheet = Sheet(benchmark, samples)
    sheet.add(
        "pair_accuracy",
        statistics.mean(both),
        interval=statistics.wilson(sum(both), len(both)) if both else None,
        n_scored=2 * len(pairs),
        n_units=len(pairs),
        reason="No pair had both of its questions answered.",
    )
    sheet.share("accuracy", items, "correct", grouped=True)
    sheet.share(rate, items, said)
    answers = [[s.metrics.get(said) for s in pair] for pair in pairs]
    flips = [float(a != b) for a, b in answers if a is not None and b is not None]
    sheet.add(
        "flip_rate",
        statistics.mean(flips),
        interval=statistics.wilson(sum(flips), len(flips)) if flips else None,
        n_scored=2 * len(flips),
        n_units=len(flips),
        reason="No pair had two clear answers.",
    )
    return sheet.done()


CONTRAST_PAIRS = Scorer(version="2", score_text=score_text, measure=measure)
