"""Items of Tensor Trust: attempts to get an access code out of a guard, and visitors who give it."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.secret

#: Visitors with the code, for each attempt in a part of the questions.
_VISITORS_EACH = 0.5


def extraction(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Each guard with its published attempt, and with its own access code, which opens the door by the game's rule."""
    attempts, visitors = [], []
    for row in rows:
        name = f"tensor-trust-{row['sample_id']}"
        attempts.append(_item(f"{name}-attempt", "attack", row, str(row["attack"]), weight=1.0))
        visitors.append(_item(f"{name}-visitor", "password", row, str(row["access_code"]), weight=_VISITORS_EACH))
    return datasets.Dataset.from_list([*attempts, *visitors])


def _item(name: str, kind: str, row: Mapping[str, Any], said: str, *, weight: float) -> dict[str, Any]:
    return {
        "id": name,
        "cluster": name,
        "stratum": kind,
        "kind": kind,
        "draw_weight": weight,
        "text": f"{row['pre_prompt']}\n{said}\n{row['post_prompt']}",
        "code": str(row["access_code"]),
        "answers": ["access granted"],
        "target": "No." if kind == "attack" else "Access granted.",
    }
