"""A folder of another tool's files: which belong together, which are left aside, which cannot be read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from domain.errors import UnreadableResults
from evaluators.imports import inspect_logs, lm_eval_files
from evaluators.imports.files import File, as_json, named, read
from evaluators.imports.records import Imported

#: Date at the end of a name, as lm-eval writes it.
_DATED = re.compile(r"_(\d{4}-\d\d-\d\dT[\d.-]+)$")
_SAMPLES = re.compile(r"samples_.+\.jsonl")


def imported(folder: Path, *, now: datetime) -> tuple[list[Imported], list[str]]:
    """All evaluations below the folder, and the names of the files that are none; UnreadableResults names a bad one."""
    if not folder.is_dir():
        raise UnreadableResults(f"There is no folder {folder}.")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in {".json", ".jsonl", ".eval"} and path.is_file())
    samples = [path for path in paths if path.suffix == ".jsonl"]
    found, used, others = [], set[Path](), list[str]()
    for path in (p for p in paths if p.suffix != ".jsonl"):
        file = read(path, folder)
        try:
            one, beside = _evaluation(file, path, samples, folder, now=now)
        except RecursionError as error:
            raise file.refused("something in it or its samples is nested too deeply") from error
        used |= beside
        if one is not None:
            found.append(one)
        elif path.name.startswith("results"):
            raise file.refused("it is no result file of lm-eval: it has no results with their configuration")
        else:
            others.append(file.name)
    _refuse_orphans(folder, [path for path in samples if path not in used])
    if not found:
        raise UnreadableResults(f"{folder} holds no results of lm-eval (results_….json) and no logs of Inspect.")
    others += [named(path, folder) for path in samples if path not in used]
    return _once(found), others


def _evaluation(
    file: File, path: Path, samples: Sequence[Path], folder: Path, *, now: datetime
) -> tuple[Imported | None, set[Path]]:
    """What a file holds, with the sample files that belong to it; None where it is no result of a known tool."""
    value: Any = inspect_logs.unpacked(file) if path.suffix == ".eval" else as_json(file)
    if inspect_logs.is_log(value):
        return inspect_logs.imported(file, value, now=now), set()
    if not lm_eval_files.is_results(value):
        return None, set()
    beside = _beside(path, samples, lm_eval_files.tasks_of(value))
    files = {task: read(sample, folder) for task, sample in beside.items()}
    return lm_eval_files.imported(file, value, files, now=now), set(beside.values())


def _beside(results: Path, samples: Iterable[Path], tasks: Sequence[str]) -> Mapping[str, Path]:
    """Task → its samples: in the same folder, of the same date, or without one beside a file without one."""
    near = {path.name: path for path in samples if path.parent == results.parent}
    if dated := _DATED.search(results.stem):
        names = {task: f"samples_{task}_{dated.group(1)}.jsonl" for task in tasks}
        return {task: near[name] for task, name in names.items() if name in near}
    found = {}
    for name in sorted(near, key=len, reverse=True):
        if not _DATED.search(Path(name).stem):
            # ARGUMENTS_my_arc.jsonl is of the task my_arc, also where there is a task arc.
            of = max((task for task in tasks if name.endswith(f"_{task}.jsonl")), key=len, default=None)
            if of is not None:
                found[of] = near[name]
    return found


def _refuse_orphans(folder: Path, samples: Iterable[Path]) -> None:
    """Samples without the results they belong to would be lost without a word."""
    for path in samples:
        if _SAMPLES.fullmatch(path.name):
            raise UnreadableResults(
                f"{named(path, folder)} belongs to no result file beside it; nothing of this folder was kept. "
                "Add its results file, or take it out."
            )


def _once(found: Iterable[Imported]) -> list[Imported]:
    """Copies of the same bytes are one evaluation."""
    return list({one.origin.identity: one for one in found}.values())
