"""Column types that mean the same on SQLite and on PostgreSQL."""

import json
import unicodedata
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, Text
from sqlalchemy.types import TypeDecorator

from db.codec import json_text

#: Opens a text that is stored as a JSON string; a private-use character, so that no ordinary text starts with it.
_QUOTED = "\ue0f5"


def fold(text: str) -> str:
    """Text as it is searched: without case and without accents, the same on both databases.

    >>> fold("Corazón")
    'corazon'
    """
    # neither NUL nor half an emoji can be stored as they are, and nobody types them into a search box
    text = text.replace("\0", " ")
    if text.isascii():
        return text.lower()
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return bare.casefold().encode(errors="replace").decode()


def _storable(text: str) -> bool:
    """Whether both databases take the text as it is: no NUL and no lone surrogate."""
    if "\0" in text or text.startswith(_QUOTED):
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class AnyText(TypeDecorator[str]):
    """Text exactly as a model wrote it, NUL and half an emoji included, which PostgreSQL refuses in plain text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - SQLAlchemy's
        """Quote what cannot be stored as it is."""
        return value if value is None or _storable(value) else _QUOTED + json.dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Undo the quoting."""
        if value is None or not value.startswith(_QUOTED):
            return value
        return str(json.loads(value[1:]))


class JsonText(TypeDecorator[Any]):
    """JSON kept as text, so that it comes back exactly as it was given on both databases."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Write."""
        return None if value is None else json_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """Read."""
        return None if value is None else json.loads(value)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, always with a time zone, always UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Refuse a moment without a time zone: nobody could say later when it was."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value.isoformat()} has no time zone; give a time in UTC.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """SQLite gives the UTC time without its zone, PostgreSQL with the zone of the session."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
