"""Brings a database to this version's tables: locked, after a backup, refused when it is newer."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, exc, inspect, text

from db.connection import cause, is_sqlite, one_sentence, where
from db.migrations import HEAD, VERSION_TABLE
from db.retention import copy_file
from db.tables import METADATA
from domain.errors import DatabaseUnusable

#: Any number that other programs on the same server are unlikely to lock: "VERA" in ASCII.
_ADVISORY_LOCK = 0x56455241
_PREPARE = "start `vera worker` or `vera serve` once, which prepares it"


def prepare(engine: Engine, *, migrate: bool) -> None:
    """Leave the database at the newest revision, or raise DatabaseUnusable."""
    try:
        with one_sentence(engine):
            if is_sqlite(engine) and not migrate and not _file(engine).exists():
                raise DatabaseUnusable(f"{where(engine)} does not exist; {_PREPARE}.")
            found = _current(engine)
            if found == HEAD:
                return
            _refuse_newer(engine, found)
            if not migrate:
                raise DatabaseUnusable(f"{where(engine)} is not ready for this version of VERA; {_PREPARE}.")
            if is_sqlite(engine):
                _write_ahead(engine)
            with _locked(engine) as connection:
                _upgrade(engine, connection)
    except exc.ProgrammingError as error:  # PostgreSQL: no right to create tables
        raise DatabaseUnusable(f"{where(engine)} {cause(error)}.") from error


def _file(engine: Engine) -> Path:
    return Path(str(engine.url.database))


def _current(engine: Engine) -> str | None:
    with engine.connect() as connection:
        found = revision(connection)
        if found is None:
            _refuse_strangers(engine, connection)
        return found


def revision(connection: Connection) -> str | None:
    """Revision of a database; None for one without VERA's tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()  # noqa: S608
    return None if found is None else str(found)


def _write_ahead(engine: Engine) -> None:
    """Let readers read while one process writes; a property of the file, set once."""
    with closing(engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA journal_mode=WAL")


@contextmanager
def _locked(engine: Engine) -> Iterator[Connection]:
    """One transaction that no second process can be in at the same time."""
    with engine.execution_options(vera_begin="BEGIN IMMEDIATE").begin() as connection:
        if not is_sqlite(engine):
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _ADVISORY_LOCK})
        yield connection


def _upgrade(engine: Engine, connection: Connection) -> None:
    found = revision(connection)
    if found == HEAD:  # another process was faster
        return
    # costs a tenth of a second, which a process that only opens the database need not spend
    from db import alembic_run  # noqa: PLC0415

    if found is not None and is_sqlite(engine):
        backup(_file(engine), found)
    alembic_run.upgrade(connection)


def _refuse_newer(engine: Engine, found: str | None) -> None:
    if found is None:
        return
    from db import alembic_run  # noqa: PLC0415

    if found not in alembic_run.known_revisions():
        raise DatabaseUnusable(
            f"{where(engine)} was written by a newer version of VERA (its revision {found!r} is unknown here); "
            "install that version, or use another database."
        )


def _refuse_strangers(engine: Engine, connection: Connection) -> None:
    """A file with tables of another program, or of VERA without a revision, is left alone."""
    names = set(inspect(connection).get_table_names())
    strange = names if is_sqlite(engine) else names & set(METADATA.tables)
    if strange:
        raise DatabaseUnusable(
            f"{where(engine)} already holds the table {min(strange)!r} and no revision of VERA; use another database."
        )


def backup(file: Path, found: str) -> Path:
    """Copy a SQLite file as other processes last committed it, to ``<file>.backup-<revision>-<time>``."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    copy = file.with_name(f"{file.name}.backup-{found}-{stamp}")
    copy_file(file, copy)
    return copy
