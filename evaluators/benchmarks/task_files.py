"""Finding the YAML file of an lm-eval task by its name, and reading it without lm-eval.

lm-eval's own index parses every task file (about 14,000) before the first request, which takes tens of seconds. Here
a file is looked for where its name says it should be; an unfamiliar name costs one pass over the text of all files.
"""

import importlib.metadata
import importlib.util
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from domain.errors import InvalidTask, UnknownBenchmark

_NAMES = re.compile(rb"""^["']?(task|group)["']?:[ \t]*["']?([^\s"'#\[\]]+)""", re.MULTILINE)
_TAGS = re.compile(rb"""^["']?tag["']?:[ \t]*((?:[^\n]*)(?:\n[ \t]*-[^\n]*)*)""", re.MULTILINE)
#: Task files begin with their name; a longer file holds prompts further down.
_HEAD_BYTES = 16_384


@lru_cache(maxsize=1)
def lm_eval_version() -> str:
    """Installed version of lm-eval, without importing it."""
    return importlib.metadata.version("lm_eval")


@lru_cache(maxsize=1)
def public_root() -> Path:
    """Folder of the tasks that come with lm-eval, found without importing it."""
    spec = importlib.util.find_spec("lm_eval")
    if spec is None or not spec.submodule_search_locations:
        raise InvalidTask("lm-eval is not installed, so no public task can be found; install vera-dashboard again.")
    return Path(next(iter(spec.submodule_search_locations))) / "tasks"


def _head(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, _HEAD_BYTES)
    finally:
        os.close(descriptor)


def _yaml_files(root: Path) -> Iterator[str]:
    for folder, subfolders, names in os.walk(root):
        subfolders.sort()
        for name in sorted(names):
            if name.endswith(".yaml"):
                yield f"{folder}/{name}"


def _where_expected(name: str) -> Path | None:
    """The file of a task that is named like its folder: ``arc_challenge`` in ``arc/arc_challenge.yaml``."""
    words = name.split("_")
    for count in range(len(words), 0, -1):
        path = public_root() / "_".join(words[:count]) / f"{name}.yaml"
        if path.is_file() and (b"task", name.encode()) in _NAMES.findall(_head(str(path))):
            return path
    return None


@lru_cache(maxsize=64)
def find_public(name: str) -> Path | None:
    """The file of a public task, if there is one; UnknownBenchmark says what a group or a tag consists of."""
    if not re.fullmatch(r"[\w.,+~:-]+", name):
        return None
    if path := _where_expected(name):
        return path
    needle = name.encode()
    mentions = {file: head for file in _yaml_files(public_root()) if needle in (head := _head(file))}
    for file, head in mentions.items():
        named = _NAMES.findall(head)
        if (b"group", needle) in named:
            members = _listed(_members(Path(file)))
            raise UnknownBenchmark(f"{name} is a group of lm-eval tasks; name the ones you mean: {members}.")
        if (b"task", needle) in named:
            return Path(file)
    if tagged := [task for head in mentions.values() if needle in _tags(head) for task in _task_names(head)]:
        raise UnknownBenchmark(f"{name} is a tag of lm-eval tasks; name the ones you mean, such as {_listed(tagged)}.")
    return None


@lru_cache(maxsize=1)
def public_tasks() -> dict[str, Path]:
    """Every task of lm-eval with its file; one pass over the text of all of them."""
    return {name: Path(file) for file in _yaml_files(public_root()) for name in _task_names(_head(file))}


def _task_names(head: bytes) -> list[str]:
    return [name.decode() for kind, name in _NAMES.findall(head)[:1] if kind == b"task"]


def _tags(head: bytes) -> list[bytes]:
    return [
        tag for match in _TAGS.finditer(head) for tag in re.findall(rb"[^\s\"',\[\]-][^\s\"',\[\]]*", match.group(1))
    ]


def _members(group: Path) -> list[str]:
    members = read_definition(group).get("task", [])
    return [m if isinstance(m, str) else str(m.get("task") or m.get("group")) for m in members]


def _listed(names: list[str], most: int = 8) -> str:
    shown = ", ".join(sorted(names)[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


class _Loader(yaml.CSafeLoader):
    """Safe YAML in which ``!function module.name`` stays a text."""


def _function_text(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> str:
    return f"!function {loader.construct_scalar(node)}"


_Loader.add_constructor("!function", _function_text)


def read_definition(path: Path, *, _below: frozenset[Path] = frozenset()) -> dict[str, Any]:
    """The keys of a task file with its includes, functions left as texts; InvalidTask names the file and the cause."""
    path = path.resolve()
    if path in _below:
        raise InvalidTask(f"The task file {path} includes itself.")
    try:
        content = yaml.load(path.read_bytes(), Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except OSError as error:
        raise InvalidTask(f"The task file {path} cannot be read: {error.strerror or error}.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidTask(f"The task file {path} is not valid YAML: {_place(error)}.") from error
    if not isinstance(content, dict):
        raise InvalidTask(f"The task file {path} holds {type(content).__name__} instead of keys such as `task:`.")
    merged: dict[str, Any] = {}
    included = content.pop("include", [])
    for name in included if isinstance(included, list) else [included]:
        merged.update(read_definition(path.parent / str(name), _below=_below | {path}))
    return merged | content


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return " ".join(str(error).split())
    return f"line {mark.line + 1}, column {mark.column + 1}: {getattr(error, 'problem', None) or 'unexpected text'}"
