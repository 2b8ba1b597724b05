"""API keys: found by name when a request is about to be sent, never stored, never shown."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path

from domain.errors import InvalidSettings

_HIDDEN = "[hidden]"
_NAME = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:[^\s:]+")
#: Shorter keys would blank out ordinary words of a log.
_SHORTEST_KEY = 6


def check_reference(reference: str) -> str:
    """The reference itself, when it has one of the two forms; InvalidSettings otherwise."""
    if not _NAME.fullmatch(reference):
        # The text is not repeated: whoever mistakes this field for the key itself must not find it in a log.
        raise InvalidSettings(
            "A key is named by env:VARIABLE or file:ENTRY of the secrets file; the key itself is never stored."
        )
    return reference


def resolve(
    reference: str | None,
    *,
    environ: Mapping[str, str],
    secrets_file: Path | None,
    what: str = "the model's API key",
) -> str | None:
    """The secret behind a reference; InvalidSettings says which name is missing where."""
    if reference is None:
        return None
    kind, name = check_reference(reference).split(":", 1)
    if kind == "env":
        if key := environ.get(name, "").strip():
            return key
        raise InvalidSettings(
            f"The environment variable {name} that holds {what} is not set; set it where the worker runs."
        )
    return _from_file(name, secrets_file, what)


def hide(text: str, *keys: str | None) -> str:
    """The text without these keys.

    >>> hide("Bearer sk-very-secret was refused", "sk-very-secret", None)
    'Bearer [hidden] was refused'
    """
    for key in keys:
        if key and len(key) >= _SHORTEST_KEY:
            text = text.replace(key, _HIDDEN)
    return text


def _from_file(name: str, path: Path | None, what: str) -> str:
    if path is None:
        raise InvalidSettings(
            f"{what[0].upper()}{what[1:]} is the entry {name} of the secrets file; set VERA_SECRETS_FILE."
        )
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise InvalidSettings(f"The secrets file {path} can be read by others; run: chmod 600 {path}")
            entries = tomllib.load(file)
    except OSError as error:
        raise InvalidSettings(f"The secrets file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        # The cause would quote the line, which may hold a key.
        raise InvalidSettings(f'The secrets file {path} is not TOML with one name = "key" per line.') from None
    key = entries.get(name)
    if not isinstance(key, str) or not key.strip():
        raise InvalidSettings(f'The secrets file {path} has no entry {name}; add a line: {name} = "…"')
    return key.strip()
