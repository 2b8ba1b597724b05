"""Writes the items of the starter suite from their sources; the same sources always give the same files.

``python -m evaluators.benchmarks.tasks.starter.generate`` rewrites the JSONL files beside it.
"""

import json
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from evaluators.benchmarks.tasks.starter.sources import arithmetic, contrast, knowledge

Item = dict[str, Any]


def lettered(question: str, options: list[str]) -> str:
    """A question with its options, one line each."""
    return "\n".join([question, *(f"{chr(ord('A') + i)}. {option}" for i, option in enumerate(options))])


def placed(right: str, wrong: list[str], place: int) -> list[str]:
    """The options with the right one at a given place."""
    return [*wrong[:place], right, *wrong[place:]]


def knowledge_items() -> list[Item]:
    """Four-option questions; over the file each letter is right equally often."""
    places = balanced(len(knowledge.QUESTIONS), 4, seed=11)
    rows = []
    for number, ((subject, question, right, *wrong), place) in enumerate(
        zip(knowledge.QUESTIONS, places, strict=True), start=1
    ):
        options = placed(right, wrong, place)
        rows.append(
            {
                "id": f"knowledge-{number:03d}",
                "cluster": f"knowledge-{number:03d}",
                "stratum": subject,
                "text": lettered(question, options),
                "options": options,
                "target": chr(ord("A") + place),
            }
        )
    return rows


def balanced(n: int, kinds: int, *, seed: int) -> list[int]:
    """0 … kinds-1 equally often (up to one), in an order drawn by seed."""
    places = [i % kinds for i in range(n)]
    random.Random(seed).shuffle(places)  # noqa: S311 - items, not secrets
    return places


def contrast_items() -> list[Item]:
    """Two forms of each pair that differ in one detail; the first of them is yes and no equally often."""
    rows = []
    for number, (kind, yes, no, question) in enumerate(contrast.PAIRS, start=1):
        forms = [(yes, "yes"), (no, "no")] if number % 2 else [(no, "no"), (yes, "yes")]
        for form, (text, target) in zip("ab", forms, strict=True):
            rows.append(
                {
                    "id": f"contrast-{number:03d}-{form}",
                    "cluster": f"contrast-{number:03d}",
                    "stratum": kind,
                    "form": form,
                    "text": f"{text} {question}",
                    "target": target,
                }
            )
    return rows


def arithmetic_items() -> list[Item]:
    """Small sums and stories."""
    return [
        {"id": f"arithmetic-{number:03d}", "cluster": f"arithmetic-{number:03d}", **row}
        for number, row in enumerate(arithmetic.items(), start=1)
    ]


FILES: Mapping[str, Callable[[], list[Item]]] = {
    "arithmetic": arithmetic_items,
    "contrast_pairs": contrast_items,
    "knowledge": knowledge_items,
}


def jsonl(rows: list[Item]) -> str:
    """One JSON object per line; refuses rows of unequal fields, since the columns of a data set are fixed."""
    fields = {tuple(row) for row in rows}
    if len(fields) != 1 or len({row["id"] for row in rows}) != len(rows):
        raise ValueError(f"items need the same fields and ids of their own, got {sorted(fields)}")
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def main() -> None:
    """Write every file."""
    for name, make in FILES.items():
        (Path(__file__).parent / f"{name}.jsonl").write_text(jsonl(make()), encoding="utf-8")


if __name__ == "__main__":
    main()
