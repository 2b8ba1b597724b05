"""Data sets of the Hugging Face hub, fetched whole and written as lines of JSON. Needs a network."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub

from domain.errors import InvalidTask, UserError
from evaluators.benchmarks.mirror import HubData

#: Seconds to wait for the hub's first answer; a machine without network is told at once.
_PATIENCE_S = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What was fetched, and as of which revision."""

    rows: int
    columns: tuple[str, ...]
    #: Commit of the hub's repository; None for a folder of this machine.
    revision: str | None
    licence: str | None


def fetch(found: HubData, target: Path, *, cache: Path) -> Fetched:
    """Write the split that is asked to a file; UserError where the hub cannot be reached or refuses it."""
    try:
        revision, licence = (None, None) if Path(found.path).is_dir() else _at_hub(found)
        table: Any = datasets.load_dataset(
            found.path, found.name, split=found.split, revision=revision, cache_dir=str(cache), **dict(found.kwargs)
        )
    except Exception as error:  # whatever the hub's HTTP library or the builder of a data set makes of a failure
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
        raise UserError(
            f"The data set {found.path} could not be fetched ({reason}); nothing was written. "
            "Pull on a machine that reaches huggingface.co."
        ) from error
    _write(table, target, found.path)
    return Fetched(rows=len(table), columns=tuple(table.column_names), revision=revision, licence=licence)


def _at_hub(found: HubData) -> tuple[str | None, str | None]:
    """The commit that will be fetched, so that it can be named, and the licence its card states."""
    info = huggingface_hub.HfApi().dataset_info(found.path, revision=found.revision, timeout=_PATIENCE_S)
    licence = info.card_data.get("license") if info.card_data else None
    return info.sha, ", ".join(licence) if isinstance(licence, list) else licence


def _write(table: Any, target: Path, name: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8") as stream:
        for row in table:
            try:
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            except TypeError as error:
                raise InvalidTask(
                    f"The data set {name} holds more than text and numbers ({error}), which cannot be mirrored."
                ) from error
