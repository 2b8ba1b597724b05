"""Confidence of multiple-choice answers: from the probabilities of the letters, or as the model states it."""

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from domain.answers import Answer, TokenLogprob
from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement, ReliabilityBin
from evaluators import calibration_metrics, statistics
from evaluators.benchmarks.scorers import letters
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable
from evaluators.statistics import Statistic, ratio

_PERCENT = re.compile(r"(?<![\w.,])(\d{1,3}(?:\.\d+)?)\s*(?:%|per ?cent\b)", re.IGNORECASE)
#: The form asked for without the sign: "B, 65", "(B) 0.65".
_BARE = re.compile(r"[\s*(\[]*([A-Z])[)\]*]*[\s,.:;-]+(\d{1,3}(?:\.\d+)?)[\s.*]*")
#: Rounding may carry a logarithm of 1 above 0, and many probabilities together above 1, by no more than this.
_ROUNDING_NATS = 1e-4
_ROUNDING_MASS = 1e-3


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
            masses[ord(name) - ord("A")] += math.exp(logprob)
    return masses


def _is_possible(logprobs: Sequence[TokenLogprob], mass: float) -> bool:
    """Whether the numbers can be probabilities; a server that sends others is not believed."""
    values = [v for p in logprobs for v in (p.logprob, *(v for _, v in p.top))]
    return all(v <= _ROUNDING_NATS for v in values) and mass <= 1 + _ROUNDING_MASS


def score_answer(doc: Doc, answer: Answer) -> Scored:
    """``correct``, ``confidence`` (of the likeliest letter, all letters together being 1) and ``letter_mass``."""
    if not answer.logprobs:
        return Scored({}, parse_ok=False)
    masses = letter_probabilities(answer.logprobs, len(doc["options"]))
    mass = math.fsum(masses)
    if not _is_possible(answer.logprobs, mass):
        return Scored({}, parse_ok=False)
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


class Stated(NamedTuple):
    """What an answer says of its own certainty."""

    #: The answer without the number, from which its option is read.
    rest: str
    #: In [0, 1].
    confidence: float


def stated(text: str, options: Sequence[str]) -> Stated | None:
    """The confidence an answer states with a per cent sign, or as "letter, number"; None where it states none.

    A number that is the text of the named option is that option and no confidence.

    >>> options = ["60", "97"]
    >>> [s and s.confidence for s in (stated(t, options) for t in ("B, 65%", "B. 97, 80", "B 65", "B. 97", "B, 250%"))]
    [0.65, 0.8, 0.65, None, None]
    """
    signed = list(_PERCENT.finditer(text))
    if signed:
        last = signed[-1]
        value = float(last.group(1))
        return Stated(f"{text[: last.start()]} {text[last.end() :]}", value / 100) if value <= 100 else None
    bare = _BARE.fullmatch(_without_option(text, options))
    if bare is None:
        return None
    value = float(bare.group(2))
    value = value if "." in bare.group(2) and value <= 1 else value / 100
    return Stated(bare.group(1), value) if value <= 1 else None


def _without_option(text: str, options: Sequence[str]) -> str:
    """The text without the words of its own option behind the leading letter."""
    found = re.match(r"[\s*(\[]*([A-Z])[)\]*]*[\s,.:;-]+", text)
    index = ord(found.group(1)) - ord("A") if found else len(options)
    if found is None or index >= len(options):
        return text
    rest = text[found.end() :]
    words = options[index].casefold()
    same = rest.casefold().startswith(words) and not re.match(r"[\w.]*\w", rest[len(words) :])
    return text[: found.end()] + rest[len(words) :] if same else text


def score_stated(doc: Doc, text: str) -> Scored:
    """``correct`` and ``confidence`` of an answer such as "B, 65%"; both or none."""
    said = stated(text, doc["options"])
    choice = letters.parse(said.rest.strip().rstrip(" ,;-("), doc["options"]) if said else None
    if said is None or choice is None:
        return Scored({}, parse_ok=False)
    correct = float(letters.letter(choice) == doc["target"])
    return Scored({"correct": correct, "confidence": said.confidence}, parse_ok=True)


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

    def add(
        metric: str, *, higher_is_better: bool, reason: str = nothing, bins: tuple[ReliabilityBin, ...] = ()
    ) -> None:
        value = statistics.point(found[metric], len(items))
        sheet.add(
            metric,
            value,
            interval=intervals[metric],
            n_scored=len(items) if value is not None else 0,
            reason=reason,
            higher_is_better=higher_is_better,
            reliability=bins,
        )

    add("ece", higher_is_better=False, bins=calibration_metrics.reliability(confidence, correct))
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


CALIBRATION = Scorer(version="2", score_text=score_text, score_answer=score_answer, measure=measure)
CALIBRATION_VERBAL = Scorer(version="2", score_text=score_stated, measure=measure)
