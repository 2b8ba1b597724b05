"""One canonical text per value, so that equal things have equal hashes on every machine."""

import dataclasses
import functools
import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


@functools.cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Fields of a dataclass; None of any other type."""
    return tuple(f.name for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else None


def plain(value: Any) -> Any:
    """Dataclasses, mappings, tuples, enums and datetimes as the JSON values they are stored as.

    >>> plain({"a": (1, 2)})
    {'a': [1, 2]}
    """
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    opened = _opened(value)
    return value if opened is value else plain(opened)


def _opened(value: Any) -> Any:
    """What the json module does not know, one level deep; anything else as it is."""
    kind: Any = type(value)
    if (names := _field_names(kind)) is not None:
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): item for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no white space; NaN and infinities are refused.

    >>> canonical_json({"b": 1, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    try:
        return _ENCODE(value)
    except TypeError:  # keys of several kinds have no order until they are texts
        return _ENCODE(plain(value))


def _unknown(value: Any) -> Any:
    opened = _opened(value)
    if opened is value:
        raise TypeError(f"a {type(value).__name__} has no canonical JSON ({value!r:.60})")
    return opened


#: A third of the time of making everything plain first: a result has hundreds of thousands of values.
_ENCODE = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_unknown
).encode


def sha256_of(value: Any) -> str:
    """Hex SHA-256 of the canonical JSON of a value.

    >>> sha256_of({"a": 1, "b": 2}) == sha256_of({"b": 2, "a": 1})
    True
    """
    # A lone surrogate, which a data set may hold, has no UTF-8 form; escaped, it still has one hash.
    return hashlib.sha256(canonical_json(value).encode("utf-8", "backslashreplace")).hexdigest()


def sha256_of_file(path: Path) -> str:
    """Hex SHA-256 of a file's bytes, read in parts; OSError where it cannot be read."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
