"""Another tool's files: read once and hashed; what cannot be read is one sentence that names the file."""

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from domain.errors import UnreadableResults

_LONGEST_NAME = 300
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class File:
    """One file below the folder that is imported."""

    #: Path below the folder, as it is told to a reader and kept.
    name: str
    data: bytes
    sha256: str

    def refused(self, why: str) -> UnreadableResults:
        """The error that names this file."""
        return UnreadableResults(f"{self.name} cannot be imported: {why}; nothing of this folder was kept.")


def read(path: Path, folder: Path) -> File:
    """A file below the folder."""
    name = named(path, folder)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableResults(f"{name} cannot be read: {error.strerror}; nothing of this folder was kept.") from error
    return File(name, data, hashlib.sha256(data).hexdigest())


def named(path: Path, folder: Path) -> str:
    """The path below the folder as text that can be printed, whatever bytes it is made of."""
    return path.relative_to(folder).as_posix().encode(errors="replace").decode()


def as_json(file: File) -> Any:
    """What a JSON file holds."""
    return _parsed(file, file.data, "it")


def as_lines(file: File) -> Iterator[Mapping[str, Any]]:
    """Objects of a JSON Lines file, or of the one JSON array that older versions wrote under that name."""
    rows: Iterable[tuple[int, Any]]
    if file.data.lstrip()[:1] == b"[":
        rows = enumerate(_parsed(file, file.data, "it"), start=1)
    else:
        lines = enumerate(file.data.splitlines(), start=1)
        rows = ((number, _parsed(file, line, f"line {number}")) for number, line in lines if line.strip())
    for number, row in rows:
        if not isinstance(row, Mapping):
            raise file.refused(f"entry {number} is no object")
        yield row


def _parsed(file: File, data: bytes, what: str) -> Any:
    try:
        return json.loads(data)
    except RecursionError as error:
        raise file.refused(f"{what} is nested too deeply") from error
    except ValueError as error:  # not JSON, not UTF-8, or a number of thousands of digits
        raise file.refused(f"{what} is not JSON ({str(error).splitlines()[0]:.100})") from error


def checked(file: File, model: type[Model], value: Any) -> Model:
    """Foreign JSON as a model; the first thing that does not fit is named."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise file.refused(f"{where} does not fit ({first['msg']})") from error


def number(value: Any) -> float | None:
    """A finite number; None for anything else, a truth value counts as 0 or 1."""
    if not isinstance(value, bool | int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def whole(value: Any) -> int | None:
    """A whole number above zero."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def label(file: File, text: str, what: str) -> str:
    """A name that becomes a key of the store; refused where it is empty, very long or cannot be printed."""
    if not text or len(text) > _LONGEST_NAME or not text.isprintable():
        raise file.refused(f"{what} {text[:40]!r} cannot be a name")
    return text
