"""A YAML file turned into a checked record, or one sentence that names file, place and value."""

import hashlib
from collections.abc import Hashable
from typing import Any, NamedTuple, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError
from yaml.constructor import ConstructorError

from domain.errors import InvalidSettings

Record = TypeVar("Record")


class Document(NamedTuple):
    """Content of a file and the hash of its bytes."""

    content: Any
    sha256: str


class _UniqueKeys(yaml.SafeLoader):
    """SafeLoader that refuses a key given twice; YAML itself would silently keep the last one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - signature of the parent
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ConstructorError(None, None, "a key must be a plain word", key.start_mark)
            if key.value in seen:
                raise ConstructorError(None, None, f"the key {key.value!r} is given twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


def parse(text: bytes, *, name: str) -> Document:
    """The content of a YAML file; InvalidSettings names the line that cannot be read."""
    try:
        content = yaml.load(text.decode(), Loader=_UniqueKeys)  # noqa: S506 - derived from SafeLoader
    except UnicodeDecodeError as error:
        raise InvalidSettings(f"{name} cannot be read: byte {error.start} is not UTF-8; save it as UTF-8.") from error
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InvalidSettings(f"{name}{line} cannot be read as YAML: {error.problem}.") from error
    except yaml.YAMLError as error:
        raise InvalidSettings(f"{name} cannot be read as YAML: {error}.") from error
    return Document(content, hashlib.sha256(text).hexdigest())


def check(adapter: TypeAdapter[Record], content: Any, *, name: str) -> Record:
    """The record a content describes; InvalidSettings names the first place that does not fit."""
    try:
        return adapter.validate_python(content)
    except ValidationError as error:
        # A misspelt key also makes the right one missing; the misspelling is what a person has to mend.
        first = min(error.errors(include_url=False), key=lambda e: e["type"] != "unexpected_keyword_argument")
        raise InvalidSettings(_sentence(name, first["loc"], first["type"], first["msg"], first["input"])) from error


def _sentence(name: str, place: tuple[int | str, ...], kind: str, message: str, value: Any) -> str:
    where = ".".join(str(step) for step in place if step != "[key]")
    at = f"{name}, {where}" if where else name
    if kind in {"missing", "missing_argument", "missing_keyword_only_argument"}:
        return f"{at} is missing; add it."
    if kind == "unexpected_keyword_argument":
        return f"{at} is not a known key; remove it or correct its spelling."
    shown = repr(value)
    shown = shown if len(shown) <= 80 else shown[:77] + "…"
    return f"{at} is {shown}, which cannot be used: {message.removeprefix('Value error, ')}."
