"""Works of an operator, whose passages a model is asked to continue, read from a file as far as to know they can be."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.errors import InvalidTask

ENDINGS = (".jsonl", ".txt")
#: Characters a passage begins with, and how many follow for the comparison.
PREFIX = 300
CONTINUATION = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One work: by what name it is listed, and all of its text."""

    name: str
    text: str


def read(path: Path) -> tuple[Work, ...]:
    """The works of a .jsonl file with a work and its text per line, or the one a .txt file is, named as the file.

    InvalidTask says which line is wrong, or which work is too short to be continued.
    """
    works = (_one(path),) if path.name.endswith(".txt") else tuple(_lines(path))
    if not works:
        raise InvalidTask(f"{path.name} holds no work.")
    for work in works:
        refuse_short(work.name, work.text)
    return works


def refuse_short(name: str, text: str) -> None:
    """InvalidTask for a work that is too short for one passage and what follows it."""
    if len(text) < PREFIX + CONTINUATION:
        raise InvalidTask(
            f"The work {name!r} has {len(text)} characters; at least {PREFIX + CONTINUATION} are needed to continue it."
        )


def title(path: Path) -> str:
    """The name of a work that is a file of its own.

    >>> title(Path("The_night_train.txt"))
    'The night train'
    """
    return path.stem.replace("_", " ").strip() or "work"


def _one(path: Path) -> Work:
    return Work(name=title(path), text=_text(path))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidTask(f"{path.name} is not UTF-8 text: byte {error.start} cannot be read.") from error
    except OSError as error:
        raise InvalidTask(f"{path.name} cannot be read: {error.strerror or error}.") from error


def _lines(path: Path) -> Iterator[Work]:
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if line.strip():
            yield _work(line, f"{path.name}, line {number}")


def _work(line: str, place: str) -> Work:
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:  # also a number of more digits, or a nesting deeper, than is read
        raise InvalidTask(f"{place}: not valid JSON ({getattr(error, 'msg', 'too deep or too long')}).") from error
    named = row if isinstance(row, dict) else {}
    name, text = named.get("work"), named.get("text")
    if not (isinstance(name, str) and name.strip() and isinstance(text, str) and text.strip()):
        raise InvalidTask(f"{place}: it needs the name of a work and its text, {{“work”: …, “text”: …}}.")
    try:
        f"{name}{text}".encode()
    except UnicodeEncodeError as error:
        raise InvalidTask(f"{place}: it holds half of a surrogate pair, which is no character.") from error
    return Work(name=name, text=text)
