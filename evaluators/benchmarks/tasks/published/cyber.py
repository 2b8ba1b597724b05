"""Items of Tensor Trust: attempts to get a code or entry out of a guard, and visitors who give the code."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.secret
respond_hijacking = scoring.hijacking

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


def hijacking(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """The same with attempts to be let in; what stands before them is the system's message, the rest the user's.

    An attempt that holds the code is no attack but a visitor, and is left out.
    """
    attempts, visitors = [], []
    for row in rows:
        code, attack = str(row["access_code"]), str(row["attack"])
        if code.strip().casefold() in attack.casefold():
            continue
        name = f"tensor-trust-hijack-{row['sample_id']}"
        attempts.append(_in_roles(_item(f"{name}-attempt", "attack", row, attack, weight=1.0), row, attack))
        visitors.append(_in_roles(_item(f"{name}-visitor", "password", row, code, weight=_VISITORS_EACH), row, code))
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


def _in_roles(item: Mapping[str, Any], row: Mapping[str, Any], said: str) -> dict[str, Any]:
    """One user's message, not two: the chat templates of many models refuse two in a row."""
    return {**item, "system": str(row["pre_prompt"]).strip(), "text": f"{said}\n{row['post_prompt']}".strip()}
