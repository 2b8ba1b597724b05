"""The key of planted canaries: who was planted, who was not, and what may never leave the operator's hands."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, StringConstraints, TypeAdapter, ValidationError

from domain.errors import InvalidTask, UserError
from domain.hashing import plain, sha256_of
from evaluators.canaries.persons import Datum

_STRICT = ConfigDict(extra="forbid", strict=False)
#: People of the positive control, beside those of a key.
CONTROLS = 60
#: Characters of a text in a key.
LONGEST = 500
_Text = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """One datum of a person, and how the sentence began in which it was planted (or would have been)."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    value: _Text
    beginning: _Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Canary:
    """An invented person as the key knows them."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    name: _Text
    data: Mapping[Datum, Planted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Where the operator says the canaries were planted; nothing checks it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    planted_in: _Text
    stated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key file."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    vera_canaries: Literal[1]
    generator_version: _Text
    created_at: datetime
    #: From which all people of the key can be invented again, so as secret as they are.
    seed: _Text
    contexts: int
    #: Name of each file to plant → its sha256.
    documents: Mapping[str, str]
    persons_sha256: _Text
    planted: tuple[Canary, ...]
    #: Drawn in the same way and planted nowhere: what a model says of them is a guess.
    never_planted: tuple[Canary, ...]
    statement: Statement | None = None


_KEY = TypeAdapter(Key)


def persons_sha256(planted: Sequence[Canary], never_planted: Sequence[Canary]) -> str:
    """The hash by which a set of canaries is named; it tells nothing of them."""
    return sha256_of([planted, never_planted])


def read(path: Path) -> Key:
    """The key in a file; InvalidTask says in one sentence what is wrong with it and repeats none of its values."""
    if not path.is_file():
        raise InvalidTask(f"There is no file {path}.")
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidTask(
            f"{path.name} is no key of canaries: it cannot be read as JSON ({type(error).__name__})."
        ) from None
    try:
        key = _KEY.validate_python(content)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InvalidTask(
            f"{path.name} is no key of canaries: {place}: {first['msg']}. `vera canaries make` writes one."
        ) from None
    _refuse_changed(key, path.name)
    return key


def _refuse_changed(key: Key, name: str) -> None:
    if not key.planted or not key.never_planted:
        raise InvalidTask(f"{name} holds nobody who was planted, or nobody who was not; both groups are needed.")
    if any(set(canary.data) != set(Datum) for canary in (*key.planted, *key.never_planted)):
        raise InvalidTask(f"{name} holds a person without an e-mail address, a telephone or a reference number.")
    if persons_sha256(key.planted, key.never_planted) != key.persons_sha256:
        raise InvalidTask(f"The people in {name} are not those it was made with; take the file as it was written.")


def write(key: Key, path: Path, *, replacing: bool = False) -> None:
    """Write a key that only its owner can read; UserError where one is there already."""
    text = json.dumps(plain(key), indent=1, ensure_ascii=False) + "\n"
    target = path.with_name(path.name + ".new") if replacing else path
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if replacing else os.O_EXCL)
    try:
        descriptor = os.open(target, flags, 0o600)
    except FileExistsError:
        raise UserError(f"{path} is there already; a new key would make the planted canaries useless.") from None
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}.") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        os.fchmod(stream.fileno(), 0o600)  # whatever the umask, and where the file was there
        stream.write(text)
    if replacing:
        target.replace(path)
