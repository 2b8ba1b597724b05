"""Requests of IFEval with the instructions that are checked."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks.scorers.verifiable_checks import CHECKS
from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.verifiable

#: Which language a text is in is not checked, so that no detector is needed; requests that ask for one are left out.
_LEFT_OUT = "language:response_language"


def ifeval(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Every request whose instructions all have a check; the target names them, as there is no right answer."""
    items = []
    for row in rows:
        instructions = [str(name).removeprefix("en:") for name in row["instruction_id_list"]]
        if _LEFT_OUT in instructions:
            continue
        if unknown := [name for name in instructions if name not in CHECKS]:
            raise InvalidTask(
                f"The request {row['key']} of IFEval has the instruction {unknown[0]!r}, which is not known."
            )
        given = [{k: v for k, v in one.items() if v is not None} for one in row["kwargs"]]
        name = f"ifeval-{row['key']}"
        items.append(
            {
                "id": name,
                "cluster": name,
                "stratum": instructions[0].partition(":")[0].replace("_", " "),
                "text": str(row["prompt"]),
                "instructions": instructions,
                "arguments": json.dumps(given, ensure_ascii=False),
                "target": ", ".join(instructions),
            }
        )
    return datasets.Dataset.from_list(items)
