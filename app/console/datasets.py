"""What `vera data …` does."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.console import tables
from domain.datasets import DataSet
from domain.errors import UserError
from domain.settings import Settings
from domain.words import count_text
from jobs import datasets, pulls

#: Tasks of one data set that a table names; a data set may serve dozens.
_MOST_NAMED = 4


def import_data(source: Path, *, task: str | None, licence: str | None) -> int:
    """Import a folder by its manifest, or a file for a task; 1 where a data set had to be left out."""
    folder = Settings.load().data_folder
    source = source.expanduser()
    if task is not None:
        brought = datasets.import_file(source, task=task, licence=licence, folder=folder)
    elif source.is_file():
        raise UserError(f"Say what {source.name} is for: `vera data import {source} --task NAME`.")
    elif licence is not None:
        raise UserError("A folder's manifest states the licences; --licence is for a single file with --task.")
    else:
        brought = datasets.import_folder(source, folder=folder)
    print(
        f"{count_text(len(brought.data_sets), 'data set')} imported into {folder}: "
        f"{count_text(brought.copied, 'file')} copied, {brought.kept:,} already there."
    )
    for sentence in brought.left_out:
        print(f"vera: {sentence}", file=sys.stderr)
    return 1 if brought.left_out else 0


def pull(*, suite: str | None, tasks: Sequence[str], to: Path) -> None:
    """Fetch what public tasks read, and say what needs nothing or has to come from elsewhere."""
    if (suite is None) == (not tasks):
        raise UserError("Say what to fetch, by --suite or by --task and not by both.")
    settings = Settings.load()
    wanted = pulls.wanted(suite=suite, tasks=tasks, tasks_dir=settings.tasks_dir)
    if wanted.own:
        print(f"{count_text(len(wanted.own), 'benchmark')} of {suite or 'these'} bring their items and need no data.")
    if wanted.elsewhere:
        sentence = (
            f"No public task fetches {', '.join(wanted.elsewhere)}; "
            "import a folder with these data sets and their MANIFEST.yaml."
        )
        if not wanted.hub:
            raise UserError(sentence)
        _tell(sentence)
    if wanted.hub:
        pulled = pulls.pull(wanted.hub, to=to.expanduser(), offline=settings.offline, tell=_tell)
        print(f"{count_text(len(pulled.data_sets), 'data set')} in {to}; import it with `vera data import {to}`.")


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def list_data(*, as_json: bool) -> None:
    """Show the imported data sets."""
    folder = Settings.load().data_folder
    found = datasets.listed(folder)
    if as_json:
        print(json.dumps({"data_sets": [_plain(d) for d in found]}, indent=2, ensure_ascii=False))
    elif not found:
        print(f"No data set is imported into {folder} yet; bring some with `vera data import FOLDER`.", file=sys.stderr)
    else:
        rows = [(d.id, str(len(d.files)), _rows(d), _licence(d), _served(d)) for d in found]
        tables.show_rows(("Data set", "Files", "Rows", "Licence", "Serves"), rows)


def verify() -> int:
    """Say which files are not as imported; 1 where there is one."""
    folder = Settings.load().data_folder
    count, problems = datasets.verify(folder)
    for problem in problems:
        print(f"{problem.kind}: {problem.path} of {problem.data_set} ({problem.detail})")
    if problems:
        print(
            f"vera: {len(problems):,} of {count_text(count, 'file')} in {folder} not as imported; "
            "import the data again.",
            file=sys.stderr,
        )
        return 1
    print(f"{count_text(count, 'file')} in {folder}: all as imported.")
    return 0


def _rows(data_set: DataSet) -> str:
    counts = [f.rows for f in data_set.files if f.rows is not None]
    return f"{sum(counts):,}" if counts else "–"


def _licence(data_set: DataSet) -> str:
    return f"{data_set.licence} [{data_set.licence_status}]"


def _served(data_set: DataSet) -> str:
    names = [*datasets.served_benchmarks(data_set), *data_set.serves]
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _plain(data_set: DataSet) -> dict[str, Any]:
    return {
        "id": data_set.id,
        "name": data_set.name,
        "source": dict(data_set.source),
        "licence": data_set.licence,
        "licence_status": data_set.licence_status,
        "benchmarks": list(datasets.served_benchmarks(data_set)),
        "tasks": dict(data_set.serves),
        "files": [{"path": f.path, "sha256": f.sha256, "bytes": f.bytes, "rows": f.rows} for f in data_set.files],
    }
