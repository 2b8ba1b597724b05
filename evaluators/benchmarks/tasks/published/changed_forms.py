"""Published questions in another form: their options in other orders, or the question typed without care."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import datasets

from evaluators.benchmarks.scorers.letters import letter
from evaluators.benchmarks.scorers.perturbation import CLEAN
from evaluators.benchmarks.tasks.published import capability, careless
from evaluators.benchmarks.tasks.starter import scoring

choose_in_order = scoring.option_order
choose_as_typed = scoring.careless_typing

#: An option that speaks of the others means something else in another place: "all of the above", "both A and C".
_ABOUT_OTHERS = re.compile(
    r"(?i:\b(?:all|any|both|either|neither|none|two) of (?:the (?:above|below|options|others)|these|those)\b)|"
    r"\b[A-Ea-e],? (?:and|or|nor) [A-Ea-e]\b|(?i:^\W*(?:all|any|both|either|neither|none)\W*$)"
)
#: Longer questions are whole case histories.
_MOST_CHARACTERS = 300


def option_orders(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Every question of the ARC challenge once with each of its options first, the others following as before.

    So the right option stands under every letter once. A question with an option that speaks of the others, or with two
    options alike, is left out.
    """
    items = [
        {
            **item,
            "id": f"{item['id']}-{first}",
            "form": f"from option {first}" if first else CLEAN,
            "text": _lettered(_question(item), [item["options"][i] for i in ids]),
            "options": [item["options"][i] for i in ids],
            "option_ids": ids,
            "target": letter(ids.index(ord(item["target"]) - ord("A"))),
        }
        for item in capability.arc(rows)
        if _can_be_reordered(item["options"])
        for first in range(len(item["options"]))
        for ids in [_from(first, len(item["options"]))]
    ]
    return datasets.Dataset.from_list(items)


def typed_carelessly(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Every short question of MMLU as it is and with one change to how it is typed; its options never change."""
    questions = list(capability.mmlu(rows))
    known = set().union(*(careless.words(item["text"]) for item in questions))
    items = [
        {**item, "id": f"{item['id']}-{place}", "stratum": kind, "form": form, "text": _lettered(text, item["options"])}
        for item in questions
        if len(question := _question(item)) <= _MOST_CHARACTERS
        and (change := careless.changed(question, item["id"], known)) is not None
        for kind, typed in [change]
        for place, form, text in (("as-is", CLEAN, question), ("changed", kind, typed))
    ]
    return datasets.Dataset.from_list(items)


def _from(first: int, n: int) -> list[int]:
    """The numbers below n from one on, in a circle.

    >>> _from(1, 4)
    [1, 2, 3, 0]
    """
    return [(first + place) % n for place in range(n)]


def _can_be_reordered(options: Sequence[str]) -> bool:
    different = {option.strip().casefold() for option in options}
    return len(different) == len(options) and not any(_ABOUT_OTHERS.search(option) for option in options)


def _lettered(question: str, options: Sequence[str]) -> str:
    return str(capability.lettered(question, options, 0)["text"])


def _question(item: Mapping[str, Any]) -> str:
    """The text before its options."""
    options = "".join(f"\n{letter(place)}. {option}" for place, option in enumerate(item["options"]))
    return str(item["text"]).removesuffix(options)
