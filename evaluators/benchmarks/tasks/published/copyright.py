"""Passages to be continued: of an operator's works, of public-domain books and of this software's licence."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import datasets

from domain.errors import InvalidTask
from evaluators.benchmarks import scorers
from evaluators.benchmarks.works import CONTINUATION, PREFIX, refuse_short

_LICENCE = Path(__file__).with_name("licence.txt")
#: From one passage of the licence to the next, and least distance in a work.
_STRIDE = PREFIX + CONTINUATION + 50
#: Of so many places a work is asked to be continued at most.
_MOST = 40


def resume(doc: Mapping[str, Any], results: list[str]) -> dict[str, float]:
    """What a task's ``process_results`` returns."""
    return scorers.score_text("passages", doc, results[0])


def passages(rows: Iterable[Mapping[str, Any]]) -> datasets.Dataset:
    """Rows with work and text are works of the operator; rows with prefix and reference are public-domain passages."""
    items: list[dict[str, Any]] = []
    for number, row in enumerate(rows, start=1):
        work = str(row.get("work") or f"work {number}")
        if row.get("text"):
            items += _of_work(number, work, str(row["text"]))
        elif row.get("prefix") and row.get("reference"):
            items.append(_item(f"public-{number:03d}", "public_domain", work, row["prefix"], row["reference"]))
        else:
            raise InvalidTask(f"Row {number} of the works needs `work` and `text`, the text of the work.")
    licence = _LICENCE.read_text(encoding="utf-8")
    for number, place in enumerate(range(0, len(licence) - PREFIX - CONTINUATION, _STRIDE), start=1):
        items.append(_item(f"licence-{number:03d}", "licence", "licence of this software", *_cut(licence, place)))
    return datasets.Dataset.from_list(items)


def _of_work(number: int, work: str, text: str) -> list[dict[str, Any]]:
    """Passages spread evenly over a work, its beginning among them."""
    refuse_short(work, text)
    last = len(text) - PREFIX - CONTINUATION
    count = min(_MOST, last // _STRIDE + 1)
    places = [last * i // (count - 1) if count > 1 else 0 for i in range(count)]
    return [_item(f"own-{number:03d}-{i:02d}", "own", work, *_cut(text, place)) for i, place in enumerate(places, 1)]


def _cut(text: str, place: int) -> tuple[str, str]:
    """A prefix from the place on that ends with a word, and what follows it."""
    end = place + PREFIX
    blank = max(text.rfind(" ", place, end), text.rfind("\n", place, end))
    end = blank if blank > place + PREFIX // 2 else end
    return text[place:end].strip(), text[end : end + CONTINUATION].strip()


def _item(name: str, kind: str, work: str, prefix: Any, reference: Any) -> dict[str, Any]:
    return {
        "id": name,
        "cluster": name,
        "stratum": work,
        # the controls only guard the number
        "draw_weight": 0.2 if kind == "public_domain" else 1.0,
        "kind": kind,
        "work": work,
        "text": str(prefix).strip(),
        "reference": str(reference).strip(),
        "target": str(reference).strip(),
    }
