"""Which file of an imported data set an lm-eval task reads, and what a task would otherwise fetch."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from domain.benchmarks import Benchmark
from domain.datasets import DataSet, DataSetFile
from evaluators.benchmarks import task_files

_READABLE = re.compile(r"\.(jsonl?|csv|parquet)(\.gz)?$")
#: Loaders of `datasets` that read files beside the task, so that nothing is fetched.
_FILE_LOADERS = frozenset({"json", "csv", "parquet", "text", "arrow"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HubData:
    """What an lm-eval task reads from the Hugging Face hub."""

    path: str
    name: str | None
    split: str
    revision: str | None
    #: What the task hands to the loader besides.
    kwargs: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def key(self) -> str:
        """A name for a folder: what is equal in every part has one copy."""
        parts = [self.path.strip("/"), self.name, self.split]
        return re.sub(r"[^A-Za-z0-9.-]+", "_", "__".join(part for part in parts if part)).strip("_.-")


def hub_data(benchmark: Benchmark) -> HubData | None:
    """What has to be fetched before a task can be asked; None for one that brings its items or reads imported ones."""
    if benchmark.source not in {"public", "own"}:
        return None
    path = Path(benchmark.task) if Path(benchmark.task).is_absolute() else task_files.find_public(benchmark.task)
    definition = task_files.read_definition(path) if path else {}
    loader, kwargs = definition.get("dataset_path"), definition.get("dataset_kwargs") or {}
    if not isinstance(loader, str) or definition.get("custom_dataset") or loader in _FILE_LOADERS:
        return None
    name = definition.get("dataset_name")
    return HubData(
        path=loader,
        name=str(name) if name else None,
        split=str(definition.get("test_split") or definition.get("validation_split") or "test"),
        revision=kwargs.get("revision"),
        kwargs={key: value for key, value in kwargs.items() if key not in {"revision", "trust_remote_code"}},
    )


def serves(data_set: DataSet) -> dict[str, str]:
    """The lm-eval tasks that find their columns in a data set, each with the file or folder it reads.

    A data set whose manifest does not say that its columns are the task's serves none.
    """
    columns = data_set.columns_match or ""
    if "yes" not in columns.casefold():
        return {}
    candidates = _candidates(data_set, columns)
    public = task_files.public_tasks() if candidates else {}
    found = {}
    for task in _expanded(data_set.tasks, public):
        if (path := _path_for(task, public[task], candidates, data_set)) is not None:
            found[task] = path
    return found


def _expanded(named: Iterable[str], public: Mapping[str, Path]) -> list[str]:
    """Names that lm-eval has a task of; `<word>` in a name stands for any."""
    tasks: dict[str, None] = {}
    for name in named:
        if "<" in name:
            pattern = re.compile("[^/]+".join(re.escape(part) for part in re.split(r"<[^<>]*>", name)))
            tasks.update(dict.fromkeys(sorted(task for task in public if pattern.fullmatch(task))))
        elif name in public:
            tasks[name] = None
    return list(tasks)


def _candidates(data_set: DataSet, columns: str) -> list[DataSetFile]:
    """Files that may be a task's: those made for lm-eval where there are any."""
    made = [f for f in data_set.files if "/lm_eval/" in f.path]
    only = re.search(r"yes \((jsonl|csv|parquet)\)", columns)
    return [
        file
        for file in made or data_set.files
        if (ending := _READABLE.search(file.path))
        and (only is None or ending.group(1) == only.group(1))
        # Questions of another data set in the layout of the task's: a score of them must be asked for by name.
        and "_from_" not in PurePosixPath(file.path).name
    ]


def _path_for(task: str, definition: Path, candidates: list[DataSetFile], data_set: DataSet) -> str | None:
    """By the name of the task, by its configuration or split in lm-eval, or all files where they are alike."""
    by_stem = {_stem(file): file.path for file in candidates}
    for stem, path in by_stem.items():
        if task == stem or task.endswith("_" + stem):
            return path
    if len(candidates) == 1:
        return candidates[0].path
    read = task_files.read_definition(definition)
    for key in ("dataset_name", "test_split", "validation_split"):
        if (named := by_stem.get(str(read.get(key)).casefold())) is not None:
            return named
    return _common_folder(candidates, data_set)


def _stem(file: DataSetFile) -> str:
    return PurePosixPath(file.path).name.partition(".")[0].casefold()


def _common_folder(candidates: list[DataSetFile], data_set: DataSet) -> str | None:
    """The folder of files with the same columns, where it holds no other file that would be read with them."""
    folders = {str(PurePosixPath(file.path).parent) for file in candidates}
    if len(folders) != 1 or len({file.columns for file in candidates}) != 1:
        return None
    folder = folders.pop()
    beside = [f for f in data_set.files if str(PurePosixPath(f.path).parent) == folder and _READABLE.search(f.path)]
    return folder if len(beside) == len(candidates) else None


def count_rows(path: Path) -> int:
    """Items of a data file; InvalidTask where a task could not read it."""
    from evaluators.benchmarks import data  # noqa: PLC0415 - loads `datasets`

    return len(data.read_rows(path))
