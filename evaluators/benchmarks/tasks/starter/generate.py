"""Writes the items of the starter suite from their sources; the same sources always give the same files.

``python -m evaluators.benchmarks.tasks.starter.generate`` rewrites the JSONL files beside it.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from evaluators.benchmarks.tasks.starter.builders import choices, confidences, conversations, judgements
from evaluators.benchmarks.tasks.starter.builders.forms import Item

FILES: Mapping[str, Callable[[], list[Item]]] = {
    "arithmetic": judgements.arithmetic_items,
    "bias_qa": choices.bias_items,
    "calibration": choices.calibration_items,
    "contrast_pairs": judgements.contrast_items,
    "decisions": judgements.decision_items,
    "disclosure": conversations.disclosure_items,
    "harm": conversations.harm_items,
    "injection": conversations.injection_items,
    "instructions": judgements.instruction_items,
    "knowledge": choices.knowledge_items,
    "perturbation": choices.perturbation_items,
    "privacy": confidences.privacy_items,
    "secret": conversations.secret_items,
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
