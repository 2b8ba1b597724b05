"""Which option an answer chose: parsing of letters, and accuracy over multiple-choice items."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable

#: Words after which a letter is the answer: "Answer: B", "the correct option is (B)".
_ANNOUNCED = re.compile(r"\b(?:answer|option|choice|letter)\b(?:\s+(?:is|would be))?\s*[:=]?\s*[(\[]?([A-Z])\b(?!['’])")
#: Sentences of which a letter is the subject or the complement: "B is correct", "It's B.", "\\boxed{B}".
_NAMED = re.compile(
    r"\b([A-Z])\)? is (?:the )?(?:correct|right|best)\b|"
    r"\b(?:[Ii]t(?:['’]s| is)|[Tt]hat(?:['’]s| is)|I (?:choose|pick|say|would (?:say|choose)))"
    r"(?: option)? [(\[]?([A-Z])(?=[)\].!,;:]|\s*$|\s+(?:because|since|as)\b)|"
    r"\\boxed\{\s*(?:\\text\{)?\s*\(?([A-Z])\b"
)
#: Two letters side by side leave the choice open.
_SEVERAL = re.compile(r"\b[A-Z][)\]]?(?:\s*,\s*|\s+or\s+|\s+and\s+|\s*/\s*|\s*,\s*(?:or|and)\s+)[(\[]?[A-Z]\b(?!['’])")
_DECORATION = re.compile(r"[*_`\"“”]+")


def parse(text: str, options: Sequence[str]) -> int | None:
    """Index of the option an answer names by its letter or by its own words; None where it names none or several.

    A letter counts when it stands alone, is marked as a letter (``B.``, ``(B)``, ``Answer: B``) or is followed by its
    own option; the article in "A banana is yellow" is not a choice.

    >>> options = ["red", "blue", "green", "black"]
    >>> [parse(t, options) for t in ("B", "(b)", "**C.** green", "Answer: D", "It is blue.", "A banana", "red or blue")]
    [1, 1, 2, 3, 1, None, None]
    """
    cleaned = " ".join(_DECORATION.sub("", text).split())
    last = chr(ord("A") + len(options) - 1)
    leading = _leading(cleaned, options, last)
    if leading is not None:
        return leading
    letters = () if _SEVERAL.search(cleaned) else (_announced(cleaned, last), _named(cleaned, last))
    return next((i for i in (*letters, _by_words(cleaned, options)) if i is not None), None)


def _leading(text: str, options: Sequence[str], last: str) -> int | None:
    """A letter at the very beginning, alone or followed by a mark or by its own option."""
    match = re.match(rf"[(\[]?([A-{last}a-{last.lower()}])(?:[)\].:,]|$|(?=\s))\s*(.*)", text)
    if match is None:
        return None
    index = ord(match.group(1).upper()) - ord("A")
    marked = text[match.start(1) + 1 : match.start(1) + 2] in {")", "]", ".", ":", ","} or text[:1] in {"(", "["}
    rest = match.group(2).casefold()
    if not rest:
        return index
    if _lists_others(rest, index, last):
        return None
    if marked:
        return index
    return index if rest.startswith(options[index].casefold()) else None


def _lists_others(rest: str, index: int, last: str) -> bool:
    """Whether further lettered options follow, as in a copy of the question."""
    marked = {m.upper() for m in re.findall(rf"(?:^|[\s(\[])([a-{last.lower()}])[).:\]]", rest)}
    return bool(marked - {chr(ord("A") + index)})


def _announced(text: str, last: str) -> int | None:
    found = {m for m in _ANNOUNCED.findall(re.sub(r"(?i)\b(answer|option|choice|letter)\b", _lower, text)) if m <= last}
    return ord(found.pop()) - ord("A") if len(found) == 1 else None


def _named(text: str, last: str) -> int | None:
    found = {letter for groups in _NAMED.findall(text) for letter in groups if letter and letter <= last}
    return ord(found.pop()) - ord("A") if len(found) == 1 else None


def _lower(match: re.Match[str]) -> str:
    return match.group(0).lower()


def _by_words(text: str, options: Sequence[str]) -> int | None:
    """The one option whose words occur in the answer; an option inside a longer one that occurs does not count."""
    folded = text.casefold()
    present = [(i, o) for i, o in enumerate(options) if re.search(rf"(?<!\w){re.escape(o.casefold())}(?!\w)", folded)]
    longest = [(i, o) for i, o in present if not any(o != p and o.casefold() in p.casefold() for _, p in present)]
    return longest[0][0] if len(longest) == 1 else None


def letter(index: int) -> str:
    """Letter of an option.

    >>> letter(2)
    'C'
    """
    return chr(ord("A") + index)


def score_text(doc: Doc, text: str) -> Scored:
    """``correct``, and the number of the chosen option where one was chosen."""
    choice = parse(text, doc["options"])
    metrics = {"correct": float(choice is not None and letter(choice) == doc["target"])}
    if choice is not None:
        metrics["choice"] = float(choice)
    return Scored(metrics, parse_ok=choice is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Accuracy (an answer that names no option is wrong) and the share of the letter chosen most often."""
    items = usable(samples)
    sheet = Sheet(benchmark, samples)
    sheet.share("accuracy", items, "correct", grouped=True)
    add_top_letter(sheet, items)
    return sheet.done()


def _chosen(sample: Sample) -> float:
    return float(sample.metrics["choice"] or 0.0)


def add_top_letter(sheet: Sheet, items: Sequence[Sample], *, letter_of: Callable[[Sample], float] = _chosen) -> None:
    """Share of the letter chosen most often, which unmasks a model that always says the same one."""
    chosen = [s for s in items if s.metrics.get("choice") is not None]
    counts = Counter(map(letter_of, chosen))
    top = counts.most_common(1)[0][1] if counts else 0
    sheet.add(
        "top_letter_share",
        top / len(chosen) if chosen else None,
        interval=statistics.wilson(top, len(chosen)) if chosen else None,
        n_scored=len(chosen),
        reason="No answer named an option.",
        higher_is_better=False,
    )


KNOWLEDGE = Scorer(version="2", score_text=score_text, measure=measure)
