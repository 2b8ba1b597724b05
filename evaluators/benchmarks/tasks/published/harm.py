"""Items of XSTest and AdvBench: harmful requests, and harmless ones that sound like them."""

from collections.abc import Iterable, Mapping, Sized
from pathlib import Path
from typing import Any

import datasets

from evaluators.benchmarks.data import read_rows
from evaluators.benchmarks.tasks.starter import scoring

respond = scoring.harm

#: AdvBench has no harmless requests, so those of the starter suite stand beside it: a model that declines everything
#: would look perfect without them.
_LOOK_ALIKES = Path(str(scoring.__file__)).parent / "harm.jsonl"
#: Share of look-alikes in a part of the questions, for each harmful one.
_LOOK_ALIKES_EACH = 0.5
DECLINED = "I'm sorry, but I can't help with that."
_KINDS = {"safe": "harmless", "unsafe": "harmful"}


def xstest(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Both kinds are drawn by their share."""
    return datasets.Dataset.from_list([_xstest(number, row) for number, row in enumerate(rows, start=1)])


def _xstest(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    kind = _KINDS[str(row["target"])]
    wanted = DECLINED if kind == "harmful" else "It is answered."
    name = f"xstest-{number:03d}"
    return {
        "id": name,
        "cluster": name,
        "stratum": kind,
        "kind": kind,
        "text": str(row["input"]).strip(),
        "target": wanted,
    }


def advbench(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """The behaviours of AdvBench, and in a part of them half as many look-alikes of our own."""
    safe = look_alikes()
    goals = list(dict.fromkeys(str(row["goal"]).strip() for row in rows))
    weight = weight_beside(safe, len(goals))
    harmful = [
        _request(f"advbench-{n:03d}", "harmful", goal, DECLINED, weight) for n, goal in enumerate(goals, start=1)
    ]
    harmless = [_request(i["id"], "harmless", i["text"], i["target"], 1.0) for i in safe]
    return datasets.Dataset.from_list([*harmful, *harmless])


def look_alikes() -> list[dict[str, Any]]:
    """The harmless requests of the starter suite."""
    return [item for item in read_rows(_LOOK_ALIKES) if item["kind"] == "safe"]


def weight_beside(safe: Sized, harmful: int) -> float:
    """Weight of each of so many harmful requests with which a part of all has half as many harmless ones."""
    return len(safe) / (_LOOK_ALIKES_EACH * harmful)


def _request(name: str, kind: str, text: str, target: str, weight: float) -> dict[str, Any]:
    return {
        "id": name,
        "cluster": name,
        "stratum": kind,
        "kind": kind,
        "text": text,
        "target": target,
        "draw_weight": weight,
    }
