"""Confidence of multiple-choice answers: from the probabilities of the letters, or as the model states it."""

import math
import re
from collections.abc import Sequence

from domain.answers import Answer, TokenLogprob
from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import calibration_metrics, statistics
from evaluators.benchmarks.scorers import letters
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable
from evaluators.statistics import Statistic, ratio

_PERCENT = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d+)?)\s*(%|per ?cent\b)?", re.IGNORECASE)


def letter_probabilities(logprobs: Sequence[TokenLogprob], options: int) -> list[float]:
    """Probability of each letter at the first generated position that is not blank; variants of a letter are added.

    >>> top = ((" A", math.log(0.5)), ("A", math.log(0.25)), ("B", math.log(0.125)), ("The", math.log(0.1)))
    >>> [round(p, 6) for p in letter_probabilities([TokenLogprob("A", math.log(0.25), top)], 2)]
    [0.75, 0.125]
    """
    position = next((p for p in logprobs if p.token.strip()), None)
    masses = [0.0] * options
    if position is None:
        return masses
    for token, logprob in position.top or ((position.token, position.logprob),):
        name = token.strip(" \n\t().:*▁Ġ")
        if len(name) == 1 and 0 <= ord(name) - ord("A") < options:
            masses[ord(name) - ord("A")] += math.exp(min(0.0, logprob))
    return masses


def score_answer(doc: Doc, answer: Answer) -> Scored:
    """``correct``, ``confidence`` (of the likeliest letter, all letters together being 1) and ``letter_mass``."""
    if not answer.logprobs:
        return Scored({}, parse_ok=False)
    masses = letter_probabilities(answer.logprobs, len(doc["options"]))
    mass = math.fsum(masses)
    if mass <= 0:
        return Scored({"letter_mass": 0.0}, parse_ok=False)
    top = max(range(len(masses)), key=masses.__getitem__)
    return Scored(
        {
            "correct": float(letters.letter(top) == doc["target"]),
            "confidence": masses[top] / mass,
            "letter_mass": min(1.0, mass),
        },
        parse_ok=True,
    )


def score_text(doc: Doc, text: str) -> Scored:
    """``correct`` of the letter written; the text alone holds no confidence."""
    choice = letters.parse(text, doc["options"])
    if choice is None:
        return Scored({}, parse_ok=False)
    return Scored({"correct": float(letters.letter(choice) == doc["target"])}, parse_ok=True)


def stated(text: str) -> tuple[str, float] | None:
    """The confidence an answer states, in [0, 1], and the text before it; None where it states none.

    >>> stated("B, 65%"), stated("A. 60, 80"), stated("C"), stated("B, 250%")
    (('B, ', 0.65), ('A. 60, ', 0.8), None, None)
    """
    found = list(_PERCENT.finditer(text))
    if not found:
        return None
    last = next((m for m in reversed(found) if m.group(2)), found[-1])
    value = float(last.group(1))
    if "." in last.group(1) and value <= 1 and not last.group(2):
        value *= 100
    return (text[: last.start()], value / 100) if value <= 100 else None


def score_stated(doc: Doc, text: str) -> Scored:
    """``correct`` and ``confidence`` of an answer such as "B, 65%"; both or none."""
    parts = stated(text)
    choice = letters.parse(parts[0].rstrip(" ,;-("), doc["options"]) if parts else None
    if parts is None or choice is None:
        return Scored({}, parse_ok=False)
    correct = float(letters.letter(choice) == doc["target"])
    return Scored({"correct": correct, "confidence": parts[1]}, parse_ok=True)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """ECE over ten bins with accuracy, Brier score, AUROC and the ECE that chance alone explains.

    A constant confidence that equals the accuracy has no ECE; its AUROC of one half unmasks it.
    """
    items = [s for s in usable(samples) if s.metrics.get("confidence") is not None]
    confidence = [float(s.metrics["confidence"] or 0) for s in items]
    correct = [float(s.metrics["correct"] or 0) for s in items]
    found: dict[str, Statistic] = {
        "ece": calibration_metrics.ece_statistic(confidence, correct),
        "brier": ratio(calibration_metrics.brier_items(confidence, correct)),
        "auroc": calibration_metrics.auroc_statistic(confidence, correct),
    }
    clusters = [s.cluster for s in items]
    intervals = statistics.clustered_bootstrap(clusters, found, unbiased=frozenset({"ece"}))
    sheet = Sheet(benchmark, samples)
    nothing = "No answer gave the confidence of an option."

    def add(metric: str, *, higher_is_better: bool, reason: str = nothing) -> None:
        value = statistics.point(found[metric], len(items))
        n = len(items) if value is not None else 0
        sheet.add(
            metric, value, interval=intervals[metric], n_scored=n, reason=reason, higher_is_better=higher_is_better
        )

    add("ece", higher_is_better=False)
    sheet.share("accuracy", items, "correct", grouped=True)
    add("brier", higher_is_better=False)
    alike = "All answers are right, or all are wrong, so confidence cannot tell them apart."
    add("auroc", higher_is_better=True, reason=alike if items else nothing)
    _letter_mass(sheet, usable(samples))
    null = calibration_metrics.null_ece_p95(confidence)
    sheet.add("null_ece_p95", null, n_scored=len(items), reason=nothing, higher_is_better=False)
    return sheet.done()


def _letter_mass(sheet: Sheet, items: Sequence[Sample]) -> None:
    """Mean probability of all letters together, over every answer that had log-probabilities; none where stated."""
    pairs = [(s.cluster, float(v)) for s in items if (v := s.metrics.get("letter_mass")) is not None]
    if pairs:
        masses = [v for _, v in pairs]
        interval = statistics.clustered_bootstrap([c for c, _ in pairs], {"mass": ratio(masses)})["mass"]
        sheet.add("letter_mass", statistics.mean(masses), interval=interval, n_scored=len(masses))


CALIBRATION = Scorer(version="1", score_text=score_text, score_answer=score_answer, measure=measure)
CALIBRATION_VERBAL = Scorer(version="1", score_text=score_stated, measure=measure)
