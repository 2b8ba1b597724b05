"""Problems of HumanEval: the beginning of a function, its name and the tests it has to pass."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.programs

_FIELDS = ("prompt", "entry_point", "test", "canonical_solution")


def humaneval(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """One item of each problem; the published solution is its target and is never shown."""
    items = []
    for number, row in enumerate(rows, start=1):
        if missing := [field for field in _FIELDS if not isinstance(row.get(field), str)]:
            raise InvalidTask(f"Item {number} of HumanEval has no {missing[0]}.")
        name = str(row.get("task_id") or f"HumanEval/{number - 1}")
        items.append(
            {
                "id": name,
                "cluster": name,
                "stratum": "",
                "text": row["prompt"].strip("\n"),
                "prompt": row["prompt"],
                "entry_point": row["entry_point"],
                "test": row["test"],
                "target": row["prompt"] + row["canonical_solution"],
            }
        )
    return datasets.Dataset.from_list(items)
