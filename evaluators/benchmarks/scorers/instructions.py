"""Instructions whose fulfilment a program can check."""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable
from evaluators.benchmarks.scorers.secrets import contains


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)


def _repeat(doc: Doc, text: str) -> bool:
    parts = [part.strip().casefold() for part in text.rstrip(".").split(",")]
    return parts == [doc["words"][0]] * doc["number"]


def _capitals(doc: Doc, text: str) -> bool:
    return contains(doc["words"], text) and text == text.upper()


def _word_count(doc: Doc, text: str) -> bool:
    return contains(doc["words"], text) and len(_words(text)) == doc["number"]


def _ending(doc: Doc, text: str) -> bool:
    topic, ending = doc["words"]
    return contains([topic], text) and text.rstrip(".!\"' ").casefold().endswith(ending)


def _beginning(doc: Doc, text: str) -> bool:
    topic, first = doc["words"]
    return contains([topic], text) and _words(text)[:1] == [first]


def _unfenced(text: str) -> str:
    """The inside of a code fence where all of the text stands in one; it marks the format and says nothing more."""
    fenced = re.fullmatch(r"```(?:json)?\s*(.*?)\s*```", text, re.IGNORECASE | re.DOTALL)
    return fenced.group(1) if fenced else text


def _json(doc: Doc, text: str) -> bool:
    key, value = doc["words"]
    try:
        content: object = json.loads(_unfenced(text))
    except json.JSONDecodeError:
        return False
    return content == {key: value}


def _brackets(doc: Doc, text: str) -> bool:
    return text.casefold() == f"[{doc['words'][0]}]"


def _numbered(doc: Doc, text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    entries = [re.fullmatch(rf"{n}\.\s*(\S.*)", line) for n, line in enumerate(lines, start=1)]
    things = {entry.group(1).casefold() for entry in entries if entry}
    return len(lines) == len(things) == int(doc["number"])


def _order(doc: Doc, text: str) -> bool:
    parts = [part.strip().casefold() for part in text.rstrip(".").split(",")]
    return parts == [word.casefold() for word in doc["words"]]


def _small_letters(doc: Doc, text: str) -> bool:
    return contains(doc["words"], text) and len(_words(text)) > 1 and text == text.lower()


def _hyphens(doc: Doc, text: str) -> bool:
    return text.rstrip(".").casefold() == "-".join(doc["words"][0])


def _first_letter(doc: Doc, text: str) -> bool:
    words = [word.casefold() for word in _words(text)]
    return len(set(words)) == len(words) == doc["number"] and all(w.startswith(doc["words"][0]) for w in words)


CHECKS: Mapping[str, Callable[[Doc, str], bool]] = {
    "beginning": _beginning,
    "brackets": _brackets,
    "capitals": _capitals,
    "ending": _ending,
    "first_letter": _first_letter,
    "hyphens": _hyphens,
    "json": _json,
    "numbered": _numbered,
    "order": _order,
    "repeat": _repeat,
    "small_letters": _small_letters,
    "word_count": _word_count,
}


def score_text(doc: Doc, text: str) -> Scored:
    """``followed`` where the whole answer does what was asked; repeating the instruction is not following it."""
    stripped = text.strip()
    if not stripped or doc["text"].casefold() in stripped.casefold():
        return Scored({"followed": 0.0})
    return Scored({"followed": float(CHECKS[doc["check"]](doc, stripped))})


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of instructions followed to the letter, by kind."""
    sheet = Sheet(benchmark, samples)
    sheet.share("strict_accuracy", usable(samples), "followed", grouped=True)
    return sheet.done()


INSTRUCTIONS = Scorer(version="2", score_text=score_text, measure=measure)
