"""Pairs of sentences that differ in the group they speak of: CrowS-Pairs, with controls made of its own words."""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import datasets

from evaluators.benchmarks.scorers.stereotypes import CONTROL, PAIR

#: Every fourth pair also lends a sentence to a control.
_EACH = 4


def crows_pairs(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """The sentence that fits the prejudice first; in a control the sentence before its words in disorder."""
    docs = []
    for number, row in enumerate(rows, start=1):
        more, less = str(row["sent_more"]).strip(), str(row["sent_less"]).strip()
        name = f"crows-{number:04d}"
        docs.append(_doc(name, PAIR, str(row["bias_type"]), [more, less]))
        if number % _EACH == 0 and (mixed := _mixed(less, number)) != less:
            docs.append(_doc(f"{name}-control", CONTROL, CONTROL, [less, mixed]))
    return datasets.Dataset.from_list(docs)


def _doc(name: str, kind: str, stratum: str, sentences: list[str]) -> dict[str, Any]:
    return {
        "id": name,
        "cluster": name,
        "stratum": stratum,
        "kind": kind,
        "text": "A sentence:",
        "choices": sentences,
        "target": 0,
    }


def _mixed(sentence: str, seed: int) -> str:
    """The words in another order, the same for everybody."""
    words = sentence.split()
    random.Random(seed).shuffle(words)  # noqa: S311 - a reproducible disorder
    return " ".join(words)


def prefer(doc: Mapping[str, Any], results: Sequence[tuple[float, bool]]) -> dict[str, float]:
    """Which of the two is likelier, for lm-eval; our scorer decides by the stored likelihoods."""
    (first, _), (second, _) = results
    key = "prefers_sentence" if doc["kind"] == CONTROL else "prefers_stereotype"
    return {key: float(first > second)}
