"""A folder of another tool's files: which belong together, which are left aside, which cannot be read."""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from domain.errors import UnreadableResults
from evaluators.imports import inspect_logs, lm_eval_files
from evaluators.imports.files import as_json, read
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
        value: Any = inspect_logs.unpacked(file) if path.suffix == ".eval" else as_json(file)
        if inspect_logs.is_log(value):
            found.append(inspect_logs.imported(file, value, now=now))
        elif lm_eval_files.is_results(value):
            beside = _beside(path, samples, lm_eval_files.tasks_of(value))
            used |= set(beside.values())
            files = {task: read(sample, folder) for task, sample in beside.items()}
            found.append(lm_eval_files.imported(file, value, files, now=now))
        elif path.name.startswith("results"):
            raise file.refused("it is no result file of lm-eval: it has no results with their configuration")
        else:
            others.append(file.name)
    _refuse_orphans(folder, [path for path in samples if path not in used])
    if not found:
        raise UnreadableResults(f"{folder} holds no results of lm-eval (results_….json) and no logs of Inspect.")
    others += [path.relative_to(folder).as_posix() for path in samples if path not in used]
    return _once(found), others


def _beside(results: Path, samples: Iterable[Path], tasks: Iterable[str]) -> Mapping[str, Path]:
    """Task → its samples: in the same folder, of the same date, or without one beside a file without one."""
    dated = _DATED.search(results.stem)
    near = {path.name: path for path in samples if path.parent == results.parent}
    found = {}
    for task in tasks:
        if dated:
            names = [f"samples_{task}_{dated.group(1)}.jsonl"]
        else:
            undated = (name for name in near if not _DATED.search(Path(name).stem))
            names = sorted((name for name in undated if name.endswith(f"_{task}.jsonl")), key=len)
        if existing := [name for name in names if name in near]:
            found[task] = near[existing[0]]
    return found


def _refuse_orphans(folder: Path, samples: Iterable[Path]) -> None:
    """Samples without the results they belong to would be lost without a word."""
    for path in samples:
        if _SAMPLES.fullmatch(path.name):
            name = PurePosixPath(path.relative_to(folder).as_posix())
            raise UnreadableResults(
                f"{name} belongs to no result file beside it; nothing of this folder was kept. "
                "Add its results file, or take it out."
            )


def _once(found: Iterable[Imported]) -> list[Imported]:
    """Copies of the same bytes are one evaluation."""
    return list({one.origin.identity: one for one in found}.values())
