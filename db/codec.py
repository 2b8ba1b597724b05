"""Records of ``domain`` as JSON values and back, exactly: a number keeps its kind, so that hashes stay the same.

Fields that have their default are left out. Reading is strict: an unknown field, a missing one or a value of another
kind is an error and never a guess.
"""

import dataclasses
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

_SCALARS = frozenset({str, int, float, bool, type(None)})
_NO_DEFAULT = object()


class _Unreadable(ValueError):
    """A stored value does not have the shape its record needs."""


def pack(value: Any) -> Any:
    """A record as JSON values, without the fields that have their default."""
    kind = type(value)
    if kind in _SCALARS:
        return value
    if dataclasses.is_dataclass(kind):
        packed = {}
        for name, default in _defaults(kind):
            item = getattr(value, name)
            if not (type(item) is type(default) and item == default):
                packed[name] = item if type(item) in _SCALARS else pack(item)
        return packed
    return _pack_other(value)


def _pack_other(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [pack(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): pack(item) for key, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, AbstractSet):
        return sorted(pack(item) for item in value)
    return value


@cache
def _defaults(kind: type) -> tuple[tuple[str, Any], ...]:
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
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record_reader(kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, types.UnionType}:
        return _optional_reader(kind, arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is frozenset:
        member = _reader(arguments[0])
        return lambda value: frozenset(member(item) for item in _expect(list, value))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_reader(*arguments)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind
    if kind is datetime:
        return lambda value: datetime.fromisoformat(_expect(str, value))
    return _scalar_reader(kind)


def _expect(kind: type[T], value: Any) -> T:
    if not isinstance(value, kind):
        raise _Unreadable(f"{value!r:.60} is not a {kind.__name__}")
    return value


def _scalar_reader(kind: type) -> Reader:
    if kind not in _SCALARS:
        raise TypeError(f"records of the database cannot hold a {kind}")
    # JSON writes 1 for a whole number; it stays an int where a float is meant, so that the hash stays the same
    accepted = (int, float) if kind is float else (kind,)

    def read(value: Any) -> Any:
        if not isinstance(value, accepted):
            raise _Unreadable(f"{value!r:.60} is not a {kind.__name__}")
        return value

    return read


def _optional_reader(kind: Any, arguments: tuple[Any, ...]) -> Reader:
    alternatives = [argument for argument in arguments if argument is not types.NoneType]
    if len(alternatives) != 1 or len(arguments) != 2:
        raise TypeError(f"records of the database cannot hold {kind}")
    inner = _reader(alternatives[0])
    return lambda value: None if value is None else inner(value)


def _tuple_reader(arguments: tuple[Any, ...]) -> Reader:
    if arguments[-1] is Ellipsis:
        member = _reader(arguments[0])
        return lambda value: tuple([member(item) for item in _expect(list, value)])
    members = [_reader(argument) for argument in arguments]

    def read(value: Any) -> Any:
        return tuple([member(item) for member, item in zip(members, _expect(list, value), strict=True)])

    return read


def _mapping_reader(key_kind: Any, value_kind: Any) -> Reader:
    if key_kind is str and value_kind is Any:
        return lambda value: _expect(dict, value)
    key, item = _reader(key_kind), _reader(value_kind)
    return lambda value: {key(name): item(entry) for name, entry in _expect(dict, value).items()}


def _record_reader(kind: type) -> Reader:
    hints = get_type_hints(kind)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(kind)}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise _Unreadable(f"{value!r:.60} is not a {kind.__name__}")
        try:
            return kind(**{name: readers[name](item) for name, item in value.items()})
        except KeyError as error:
            raise _Unreadable(f"{kind.__name__} has no field {error}") from error

    return read
