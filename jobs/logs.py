"""Log files below the home folder; keys never reach them."""

import logging
import re
import traceback
from datetime import UTC, datetime
from pathlib import Path

from domain.settings import Settings
from jobs.secrets import hide

#: What looks like a credential in text that somebody else wrote.
_BEARER = re.compile(r"(?i)(bearer\s+|api[-_]?key[\"'=:\s]+)[^\s\"',]{6,}")
_PASSWORD = re.compile(r"(://[^/\s:@]*:)[^/\s@]+@")


def folder(settings: Settings) -> Path:
    """The folder of log files, made where it is missing."""
    path = settings.home / "logs"
    path.mkdir(parents=True, exist_ok=True)
    return path


def scrub(text: str, *keys: str | None) -> str:
    """The text without these keys and without what looks like one.

    >>> scrub("Authorization: Bearer abcdefgh at postgresql://vera:geheim@db/vera")
    'Authorization: Bearer [hidden] at postgresql://vera:[hidden]@db/vera'
    """
    return _PASSWORD.sub(r"\1[hidden]@", _BEARER.sub(r"\1[hidden]", hide(text, *keys)))


def first_line(error: BaseException, *keys: str | None) -> str:
    """What an unexpected error says, short enough for a table."""
    lines = scrub(str(error), *keys).strip().splitlines() or ["no message"]
    return lines[0][:300]


def record_failure(settings: Settings, run_id: str, benchmark: str, error: BaseException, *keys: str | None) -> Path:
    """Append the traceback of an unexpected error to the run's log file, whose path is returned."""
    return record_text(settings, run_id, benchmark, scrub("".join(traceback.format_exception(error)), *keys))


def record_text(settings: Settings, run_id: str, benchmark: str, text: str) -> Path:
    """Append a scrubbed text to the run's log file, whose path is returned."""
    file = folder(settings) / f"run-{run_id}.log"
    with file.open("a", encoding="utf-8") as log:
        log.write(f"{datetime.now(UTC).isoformat()} {benchmark}\n{text}\n")
    return file


def to_file(settings: Settings, name: str) -> None:
    """Send this process's log of warnings and worse to a file, scrubbed, and not to the terminal."""
    log = logging.getLogger()
    for handler in [h for h in log.handlers if isinstance(h.formatter, _Scrubbed)]:
        log.removeHandler(handler)
        handler.close()
    handler = _LogFile(folder(settings) / f"{name}.log", encoding="utf-8", delay=True)
    handler.setFormatter(_Scrubbed("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    log.addHandler(handler)


class _LogFile(logging.FileHandler):
    """A log file that says nothing when it cannot be written; on a full disk the reader hears of it elsewhere."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Drop the record."""


class _Scrubbed(logging.Formatter):
    """A formatter that scrubs the whole record, its traceback included."""

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))
