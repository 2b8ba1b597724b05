"""Items of the BoolQ contrast set: a published question, and one about the same paragraph with the other answer."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.contrast_pairs

_ANSWERS = {"TRUE": "yes", "FALSE": "no"}


def boolq_contrast(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """One pair of each paragraph that has one: its question and the first changed one with the other answer."""
    items = [item for number, row in enumerate(rows, start=1) for item in _pair(f"boolq-{number:03d}", row)]
    return datasets.Dataset.from_list(items)


def _pair(name: str, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    original = _ANSWERS.get(str(row.get("answer")))
    changed = [
        q for q in row.get("perturbed_questions") or () if _ANSWERS.get(str(q.get("answer"))) not in {None, original}
    ]
    if original is None or not changed:  # a few paragraphs have no question with the other answer
        return []
    return [
        _item(f"{name}-a", name, row, str(row["question"]), original),
        _item(f"{name}-b", name, row, str(changed[0]["perturbed_q"]), _ANSWERS[changed[0]["answer"]]),
    ]


def _item(name: str, cluster: str, row: Mapping[str, Any], question: str, target: str) -> dict[str, Any]:
    text = f"{str(row['paragraph']).strip()}\nQuestion: {question.strip().rstrip('?')}?"
    return {"id": name, "cluster": cluster, "stratum": "paragraphs", "text": text, "target": target}
