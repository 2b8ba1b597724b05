"""Records of ``domain`` as JSON values and back, exactly: a number keeps its kind, so that hashes stay the same.

Fields that have their default are left out. Reading is strict: an unknown field, a missing one or a value of another
kind is an error and never a guess.
"""

import dataclasses
import json
import types
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from domain.errors import DatabaseUnusable

T = TypeVar("T")
Reader = Callable[[Any], Any]

#: JSON values that a scalar may be stored as. A whole number stays an int where a float is meant, and a truth value
#: stays one: its hash was made of it.
_ACCEPTED: dict[Any, frozenset[type]] = {
    str: frozenset({str}),
    bool: frozenset({bool}),
    int: frozenset({int}),
    float: frozenset({float, int, bool}),
    types.NoneType: frozenset({types.NoneType}),
}
_TEXT, _LIST, _OBJECT = frozenset({str}), frozenset({list}), frozenset({dict})
_NO_DEFAULT = object()


class _Unreadable(ValueError):
    """A stored value does not have the shape its record needs."""


def json_text(value: Any) -> str:
    """A record, or anything made of records and JSON values, as compact JSON; NaN and infinities are a ValueError.

    >>> json_text({"a": (1, None, "ñ")})
    '{"a":[1,null,"ñ"]}'
    """
    text = json.dumps(value, default=_as_json, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # A lone surrogate (half an emoji, cut by a token limit) has no UTF-8 form; in JSON its escape means the same.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _as_json(value: Any) -> Any:
    """What the json module does not know, one level deep."""
    if dataclasses.is_dataclass(value):
        packed = {}
        for name, default in _defaults(cast("Any", type(value))):
            item = getattr(value, name)
            if item is not default and not (type(item) is type(default) and item == default):
                packed[name] = item
        return packed
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, AbstractSet):
        return sorted(value)
    raise TypeError(f"the database cannot hold a {type(value).__name__} ({value!r:.60})")


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Each field with its default; nothing equals the default of a field without one."""
    pairs = []
    for field in dataclasses.fields(kind):
        default = _NO_DEFAULT if field.default is dataclasses.MISSING else field.default
        if field.default_factory is not dataclasses.MISSING:
            default = field.default_factory()
        pairs.append((field.name, default))
    return tuple(pairs)


def unpack(kind: type[T], value: Any) -> T:
    """The record of this kind; DatabaseUnusable when what is stored has another shape."""
    try:
        record: T = _reader(cast("Any", kind))(value)
    except (_Unreadable, TypeError, ValueError) as error:
        raise DatabaseUnusable(
            f"The database holds a {kind.__name__} that this version of VERA cannot read ({error}); "
            "use the version that wrote it, or restore a backup."
        ) from error
    return record


@cache
def _reader(kind: Any) -> Reader:
    """Function that turns a JSON value into a value of this type."""
    if kind is Any:
        return lambda value: value
    if accepted := _scalar_types(kind):
        return lambda value: _expect(accepted, value)
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, types.UnionType}:
        return _optional_reader(kind, arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is frozenset:
        member = _reader(arguments[0])
        return lambda value: frozenset(member(item) for item in _expect(_LIST, value))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(*arguments)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if kind is datetime:
        return lambda value: datetime.fromisoformat(_expect(_TEXT, value))
    raise TypeError(f"the database cannot hold a {kind}")


def _scalar_types(kind: Any) -> frozenset[type]:
    """Types of JSON values that are of this type as they are; none for a type that needs reading."""
    alternatives = get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)
    if not all(alternative in _ACCEPTED for alternative in alternatives):
        return frozenset()
    return frozenset().union(*(_ACCEPTED[alternative] for alternative in alternatives))


def _expect(accepted: frozenset[type], value: Any) -> Any:
    if type(value) not in accepted:
        raise _Unreadable(f"{value!r:.60} is not a {' or '.join(sorted(kind.__name__ for kind in accepted))}")
    return value


def _optional_reader(kind: Any, arguments: tuple[Any, ...]) -> Reader:
    alternatives = [argument for argument in arguments if argument is not types.NoneType]
    if len(alternatives) != 1 or len(arguments) != 2:
        raise TypeError(f"the database cannot hold a {kind}")
    inner = _reader(alternatives[0])
    return lambda value: None if value is None else inner(value)


def _tuple_reader(arguments: tuple[Any, ...]) -> Reader:
    if arguments[-1] is Ellipsis:
        member = _reader(arguments[0])
        return lambda value: tuple([member(item) for item in _expect(_LIST, value)])
    members = [_reader(argument) for argument in arguments]

    def read(value: Any) -> Any:
        return tuple([member(item) for member, item in zip(members, _expect(_LIST, value), strict=True)])

    return read


def _mapping_reader(key_kind: Any, value_kind: Any) -> Reader:
    if key_kind is str and value_kind is Any:
        return lambda value: _expect(_OBJECT, value)
    key, item = _reader(key_kind), _reader(value_kind)
    return lambda value: {key(name): item(entry) for name, entry in _expect(_OBJECT, value).items()}


def _record_reader(kind: type) -> Reader:
    hints = get_type_hints(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    # most fields are scalars; they are looked at here, without a call each
    fields = {name: (_scalar_types(hints[name]), _reader(hints[name])) for name in names}

    def read(value: Any) -> Any:
        values = {}
        for name, item in _expect(_OBJECT, value).items():
            if name not in fields:
                raise _Unreadable(f"{kind.__name__} has no field {name!r}")
            accepted, reader = fields[name]
            values[name] = item if type(item) in accepted else reader(item)
        return kind(**values)

    return read
