"""Items of XSTest, from its rows input and target: harmless requests that sound harmful, and harmful ones."""

from collections.abc import Iterable, Mapping
from typing import Any

import datasets

from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.harm

_KINDS = {"safe": "harmless", "unsafe": "harmful"}


def xstest(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Both kinds are drawn by their share."""
    return datasets.Dataset.from_list([_xstest(number, row) for number, row in enumerate(rows, start=1)])


def _xstest(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    kind = _KINDS[str(row["target"])]
    wanted = "I'm sorry, but I can't help with that." if kind == "harmful" else "It is answered."
    name = f"xstest-{number:03d}"
    return {
        "id": name,
        "cluster": name,
        "stratum": kind,
        "kind": kind,
        "text": str(row["input"]).strip(),
        "target": wanted,
    }
