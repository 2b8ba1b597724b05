"""An lm-eval task object made from one task file, with its items in memory."""

import contextlib
import hashlib
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import lm_eval.api.task
from lm_eval.tasks import TaskManager

from domain.benchmarks import Benchmark, RunOptions
from domain.errors import InvalidTask, UnknownBenchmark, VeraError
from domain.hashing import sha256_of
from evaluators.benchmarks import data, task_files, works

#: lm-eval draws few-shot examples with this seed unless told otherwise.
FEWSHOT_SEED = 1234
_OWN_TASKS = Path(__file__).parent / "tasks"
_SPLITS = ("training_split", "validation_split", "test_split", "fewshot_split")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTask:
    """A task ready to be asked, with what identifies it."""

    #: `lm_eval.api.task.Task`
    task: Any
    docs: list[dict[str, Any]]
    path: Path
    provenance: Mapping[str, Any]


def load(benchmark: Benchmark, options: RunOptions) -> LoadedTask:
    """Build the task of a benchmark; InvalidTask names the task and the cause."""
    path = task_path(benchmark)
    definition = task_files.read_definition(path)
    overrides, files = _data_overrides(definition, path, _standing_in(benchmark, definition, options))
    with naming(benchmark.title):
        task = _build(path, overrides, benchmark)
        _set_fewshot(task, options)
        docs = _materialised(task)
    provenance = {
        "task": definition.get("task"),
        "task_version": str(task.VERSION),
        "task_sha256": _definition_sha256(definition, path),
        "dataset": _data_provenance(task, definition, files, len(docs)),
        "num_fewshot": task.config.num_fewshot,
    }
    return LoadedTask(task=task, docs=docs, path=path, provenance=provenance)


def task_path(benchmark: Benchmark) -> Path:
    """The task file of a benchmark."""
    if benchmark.source in {"starter", "published"}:
        return _OWN_TASKS / benchmark.task
    if Path(benchmark.task).is_absolute():
        return Path(benchmark.task)
    path = task_files.find_public(benchmark.task)
    if path is None:
        raise UnknownBenchmark(f"lm-eval {task_files.lm_eval_version()} has no task {benchmark.task!r}.")
    return path


@contextlib.contextmanager
def naming(task: str) -> Iterator[None]:
    """Whatever the code of a task file raises becomes InvalidTask with the task's name."""
    try:
        yield
    except VeraError:
        raise
    except ModuleNotFoundError as error:
        raise InvalidTask(
            f"The task {task} needs the Python package {error.name}, which is not installed; install it beside VERA."
        ) from error
    except (FileNotFoundError, ConnectionError, datasets.exceptions.DatasetsError) as error:
        raise InvalidTask(_absent(task, error)) from error
    except Exception as error:  # a task file may run any Python code, so any exception can come out of it
        if _is_out_of_reach(error):
            raise InvalidTask(_absent(task, error)) from error
        raise InvalidTask(f"The task {task} failed with {type(error).__name__}: {_first_line(error)}.") from error


def _absent(task: str, error: BaseException) -> str:
    return (
        f"The data set of {task} is not on this machine and could not be fetched ({_first_line(error)}); "
        "give its file with --data, or pull it on a connected machine."
    )


def _is_out_of_reach(error: BaseException | None) -> bool:
    """Whether a failure of the network is behind an exception of a library that has classes of its own for it."""
    while error is not None:
        if isinstance(error, ConnectionError | TimeoutError | socket.gaierror):
            return True
        error = error.__cause__ or error.__context__
    return False


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".")[:300] if lines else type(error).__name__


def _build(path: Path, overrides: dict[str, Any], benchmark: Benchmark) -> Any:
    manager = TaskManager(include_defaults=False)
    entry = lm_eval.tasks._index.TaskIndex.entry_from_path(path)  # noqa: SLF001 - the only way to add overrides
    if entry is None:
        raise InvalidTask(f"The task file {path} of {benchmark.title} does not exist.")
    return manager._factory.build(entry, overrides=overrides, registry={})  # noqa: SLF001 - as above


def _standing_in(benchmark: Benchmark, definition: Mapping[str, Any], options: RunOptions) -> str | None:
    names = (benchmark.key, benchmark.task, str(definition.get("task")))
    return next((options.data_files[name] for name in names if name in options.data_files), None)


def _data_overrides(
    definition: Mapping[str, Any], path: Path, standing_in: str | None
) -> tuple[dict[str, Any], list[data.DataFile]]:
    """What to change in the task so that its items come from files, and those files."""
    loader = definition.get("dataset_path")
    kwargs = definition.get("dataset_kwargs") or {}
    if standing_in is not None:
        found = [data.DataFile.of(file) for file in data.files_of(Path(standing_in))]
        field = kwargs.get("field") if loader == "json" else None
        text = kwargs.get("as_text") or ()
        rows = [data.as_text(row, text) for file in found for row in _rows_of(file.path, field, kwargs)]
        return _one_split(definition, _in_memory({"test": rows}, standing_in)), found
    if loader not in data.FILE_LOADERS or not kwargs.get("data_files"):
        return {}, []
    names = _file_names(kwargs["data_files"])
    if any("://" in name for split in names.values() for name in split):
        return {}, []  # an address such as hf://datasets/… is for the library to fetch
    files = {split: [data.DataFile.of(path.parent / name) for name in listed] for split, listed in names.items()}
    rows_of = {
        split: [row for file in listed for row in data.read_rows(file.path, field=kwargs.get("field"))]
        for split, listed in files.items()
    }
    overrides = {"custom_dataset": _in_memory(rows_of, str(path.parent)), "dataset_kwargs": None}
    return overrides, [file for listed in files.values() for file in listed]


def _rows_of(path: Path, field: str | None, kwargs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Items of one file of several; with its name as the value of a further field where the task asks for that.

    A text file is one item where the task says in which fields its name and its text go.
    """
    if kwargs.get("txt_as") and path.name.endswith(".txt"):
        (work,), (name, text) = works.read(path), kwargs["txt_as"]
        return [{name: work.name, text: work.text}]
    file_in = kwargs.get("file_in")
    rows = data.read_rows(path, field=field)
    return [{**row, file_in: path.name} for row in rows] if file_in else rows


def _file_names(named: Any) -> dict[str, list[str]]:
    """The files of each split: one name, a list of names, or either of them by split."""
    splits = named if isinstance(named, Mapping) else {"train": named}
    return {
        str(split): [str(name) for name in (listed if isinstance(listed, list | tuple) else [listed])]
        for split, listed in splits.items()
    }


def _one_split(definition: Mapping[str, Any], custom_dataset: Callable[..., Any]) -> dict[str, Any]:
    """All items are asked; few-shot examples come from them too, and lm-eval leaves out the one that is asked."""
    overrides: dict[str, Any] = dict.fromkeys(_SPLITS)
    overrides |= {"test_split": "test", "custom_dataset": custom_dataset, "dataset_kwargs": None}
    fewshot = definition.get("fewshot_config")
    if not (isinstance(fewshot, Mapping) and fewshot.get("samples")):
        overrides["fewshot_split"] = "test"
        if isinstance(fewshot, Mapping) and "split" in fewshot:
            overrides["fewshot_config"] = {**fewshot, "split": "test"}
    return overrides


def _in_memory(rows_of: Mapping[str, list[dict[str, Any]]], origin: str) -> Callable[..., Any]:
    tables = {split: data.dataset(rows, origin=origin) for split, rows in rows_of.items()}

    def custom_dataset(**_: Any) -> dict[str, Any]:
        return tables

    return custom_dataset


def _set_fewshot(task: Any, options: RunOptions) -> None:
    """As lm-eval's own command line: a task that fixes zero examples keeps zero."""
    own = task.get_config("num_fewshot")
    if own is None or (options.num_fewshot is not None and own != 0):
        task.set_config(key="num_fewshot", value=options.num_fewshot or 0)
    task.set_fewshot_seed(seed=FEWSHOT_SEED)


def _materialised(task: Any) -> list[dict[str, Any]]:
    """The items as dictionaries, made once; lm-eval would make them anew for every pass."""
    table = task.task_docs if hasattr(task, "task_docs") else task.eval_docs
    if isinstance(table, datasets.Dataset) and not any(_is_decoded(f) for f in table.features.values()):
        docs: list[dict[str, Any]] = table.to_list()
    else:
        docs = list(table)
    if not docs:
        raise InvalidTask(f"The task {task.config.task} has no items.")
    task.test_docs = lambda: docs
    task.has_test_docs = lambda: True
    if hasattr(task, "sampler") and not task.config.num_fewshot:
        task.sampler.df = []  # a second copy of all items, kept by lm-eval for examples nobody asked for
    return docs


def _is_decoded(feature: Any) -> bool:
    return isinstance(feature, datasets.Image | datasets.Audio) or (
        hasattr(feature, "feature") and _is_decoded(feature.feature)
    )


def _definition_sha256(definition: Mapping[str, Any], path: Path) -> str:
    """Hash of the task's keys and of the Python files beside it that it names."""
    modules = {
        value.removeprefix("!function ").rpartition(".")[0]
        for value in definition.values()
        if isinstance(value, str) and value.startswith("!function ")
    }
    files = sorted(path.parent / f"{module.replace('.', '/')}.py" for module in modules)
    codes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()]
    return sha256_of([definition, codes])


def _data_provenance(task: Any, definition: Mapping[str, Any], files: list[data.DataFile], rows: int) -> dict[str, Any]:
    if files:
        return {"files": {file.path.name: file.sha256 for file in files}, "rows": rows}
    tables = task.dataset.values() if isinstance(getattr(task, "dataset", None), Mapping) else ()
    return {
        "path": definition.get("dataset_path"),
        "name": definition.get("dataset_name"),
        "revision": (definition.get("dataset_kwargs") or {}).get("revision"),
        "fingerprints": sorted(f for t in tables if (f := getattr(t, "_fingerprint", None))),
        "rows": rows,
    }
