"""Benchmarks made from lm-eval task files: public ones by their name and an operator's own by their path."""

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from domain.benchmarks import Benchmark
from domain.endpoints import Capability
from domain.errors import InvalidTask, UnknownBenchmark
from evaluators.benchmarks import task_files

PREFIX = "lm_eval:"
#: Name of the measure function of tasks whose per-item metrics are lm-eval's own.
SCORER = "lm_eval"

_GENERATE = (frozenset({Capability.CHAT}), frozenset({Capability.COMPLETIONS}))
_LOGPROBS = (frozenset({Capability.ECHO_LOGPROBS}), frozenset({Capability.FORCED_LOGPROBS}))
_LETTERS = frozenset({Capability.CHAT, Capability.TOP_LOGPROBS})
_ASKS = {
    "generate_until": "asks for a written answer",
    "multiple_choice": "compares how likely the model finds each of the given answers",
    "loglikelihood": "measures how likely the model finds the expected answer",
    "loglikelihood_rolling": "measures how likely the model finds whole texts",
}


def is_letters(choices: Any) -> bool:
    """Whether all choices are single letters, so that a chat endpoint's first-token probabilities can rank them.

    >>> is_letters(["A", "B", "C"]), is_letters(["yes", "no"])
    (True, False)
    """
    return (
        isinstance(choices, list | tuple)
        and len(choices) > 1
        and all(isinstance(c, str) and len(c.strip()) == 1 and c.strip().isalpha() for c in choices)
    )


def public_benchmark(name: str) -> Benchmark:
    """Any lm-eval task as a benchmark; UnknownBenchmark where there is none of this name."""
    path = task_files.find_public(name)
    if path is None:
        version = task_files.lm_eval_version()
        raise UnknownBenchmark(f"lm-eval {version} has no task {name!r}.")
    return _benchmark(task_files.read_definition(path), key=PREFIX + name, task=name, source="public")


def is_public(name: str) -> bool:
    """Whether lm-eval has a task of this name; UnknownBenchmark explains a group or a tag."""
    return task_files.find_public(name) is not None


def own_benchmark(path: Path) -> Benchmark:
    """An operator's task file as a benchmark; InvalidTask names the file and what is wrong with it."""
    path = path.resolve()
    definition = task_files.read_definition(path)
    _validate(definition, path)
    return _benchmark(definition, key=f"{PREFIX}{path}", task=str(path), source="own")


def discover_tasks(folder: Path) -> tuple[Benchmark, ...]:
    """The task files of an operator's folder, sorted; files without ``task:`` are templates to include and left out."""
    if not folder.is_dir():
        raise InvalidTask(f"The tasks folder {folder} does not exist; set VERA_TASKS_DIR to a folder with task files.")
    found = [own_benchmark(path) for path in _own_files(folder)]
    first_of: dict[str, str] = {}
    for benchmark in found:
        if (other := first_of.setdefault(benchmark.title, benchmark.task)) != benchmark.task:
            raise InvalidTask(f"The task {benchmark.title} is defined twice: in {other} and in {benchmark.task}.")
    return tuple(found)


def _own_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.yaml")):
        if isinstance(task_files.read_definition(path).get("task"), str):
            yield path


def _validate(definition: Mapping[str, Any], path: Path) -> None:
    if not isinstance(definition.get("task"), str):
        raise InvalidTask(f"The task file {path} lacks `task: NAME`.")
    kind = definition.get("output_type", "generate_until")
    if kind not in _ASKS and "class" not in definition:
        raise InvalidTask(f"The task file {path} has output_type {kind!r}; it must be one of {', '.join(_ASKS)}.")
    if not any(definition.get(key) for key in ("dataset_path", "custom_dataset", "class")):
        raise InvalidTask(f"The task file {path} names no data; add `dataset_path: json` and `dataset_kwargs`.")
    if not any(definition.get(key) for key in ("test_split", "validation_split", "class")):
        raise InvalidTask(f"The task file {path} lacks `test_split: test`, the split that is asked.")
    for key, value in definition.items():
        if isinstance(value, str) and value.startswith("!function "):
            _validate_function(key, value.removeprefix("!function "), path)


def _validate_function(key: str, reference: str, path: Path) -> None:
    module, _, _name = reference.rpartition(".")
    if not module:
        raise InvalidTask(f"The task file {path} has `{key}: !function {reference}`; write it as module.function.")
    if not (path.parent / f"{module.replace('.', '/')}.py").is_file() and not _importable(module):
        raise InvalidTask(f"The task file {path} needs {module}.py beside it for `{key}`, and there is none.")


def _importable(module: str) -> bool:
    return importlib.util.find_spec(module.split(".", 1)[0]) is not None


def _benchmark(definition: Mapping[str, Any], *, key: str, task: str, source: str) -> Benchmark:
    kind = definition.get("output_type") or "generate_until"
    choices = definition.get("doc_to_choice")
    metadata = definition.get("metadata")
    data = " ".join(str(definition[k]) for k in ("dataset_path", "dataset_name") if definition.get(k))
    origin = f"of lm-eval on {data}" if source == "public" else "of the operator's own"
    return Benchmark(
        key=key,
        evaluator="lm_eval",
        title=str(definition["task"]),
        description=f"Task {origin or 'of lm-eval'}; it {_ASKS.get(kind, 'asks in its own way')}.",
        version=str(metadata.get("version", "0")) if isinstance(metadata, Mapping) else "0",
        task=task,
        needs=_needs(kind, choices, images=bool(definition.get("doc_to_image"))),
        scorer=SCORER,
        source=source,
        licence="of the data set",
        unavailable=_unavailable(definition),
        requests_per_item=float(len(choices)) if isinstance(choices, list) else 4.0 if kind == "multiple_choice" else 1,
    )


def _unavailable(definition: Mapping[str, Any]) -> str | None:
    if definition.get("unsafe_code"):
        return (
            f"{definition['task']} runs code written by the model on this machine without a sandbox, which VERA does "
            "not do; humaneval_sandboxed runs it in one."
        )
    if definition.get("doc_to_audio"):
        return f"{definition['task']} asks about sound recordings, which VERA cannot send yet."
    return None


def _needs(kind: str, choices: Any, *, images: bool) -> tuple[frozenset[Capability], ...]:
    if kind == "generate_until":
        return (frozenset({Capability.CHAT, Capability.IMAGES}),) if images else _GENERATE
    if kind == "multiple_choice" and is_letters(choices):
        return (*_LOGPROBS, _LETTERS)
    return _LOGPROBS
