"""Connections: how SQLite is opened, how transactions begin, and database errors as one sentence."""

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Insert, Table, create_engine, event, exc, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from domain.errors import DatabaseUnusable

#: Seconds a writer waits for another process to finish writing.
BUSY_TIMEOUT_S = 60.0

#: A connection that was at rest for longer may have lost its server.
_PING_AFTER_S = 2.0
_RETURNED = "vera_returned"

_SQLITE_CAUSES = {
    sqlite3.SQLITE_NOTADB: "is not a SQLite database; name another file, or move this one away",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and that you may write there",
    sqlite3.SQLITE_FULL: "cannot be written because the disk is full; free some space and run the same command again",
    sqlite3.SQLITE_READONLY: "is read-only; check the permissions of the file and of its folder",
    sqlite3.SQLITE_PERM: "may not be opened; check the permissions of the file and of its folder",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore a backup (files named .backup-… beside it)",
    sqlite3.SQLITE_IOERR: "cannot be read or written; check the disk it is on",
    sqlite3.SQLITE_BUSY: f"was locked by another program for {BUSY_TIMEOUT_S:.0f} seconds; close that program",
}


def create(url: str) -> Engine:
    """An engine for a SQLite file or a PostgreSQL server; nothing is opened yet."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(url)
        if parsed.get_backend_name() in {"postgresql", "postgres"}:
            return _postgres(parsed)
    except (exc.ArgumentError, exc.NoSuchModuleError) as error:
        raise DatabaseUnusable(_NOT_A_URL) from error
    raise DatabaseUnusable(f"VERA does not know the database {parsed.get_backend_name()!r}. {_NOT_A_URL}")


_NOT_A_URL = (
    "Give the database as sqlite:////folder/vera.db or as postgresql://user@host/name "
    "(a password belongs into ~/.pgpass or into the URL)."
)


def _postgres(url: URL) -> Engine:
    engine = create_engine(url.set(drivername="postgresql+psycopg"), hide_parameters=True, pool_size=5)

    # In place of the pool's own ping before every use, which takes as long as what is then asked.
    @event.listens_for(engine, "checkout")
    def look_whether_it_lives(connection: DBAPIConnection, record: ConnectionPoolEntry, _proxy: object) -> None:
        rested = time.monotonic() - record.info.get(_RETURNED, -math.inf)
        try:
            if rested > _PING_AFTER_S:
                engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise exc.DisconnectionError from error  # the pool opens another

    @event.listens_for(engine, "checkin")
    def note_when(_connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
        record.info[_RETURNED] = time.monotonic()

    return engine


def _sqlite(url: str) -> Engine:
    file = make_url(url).database
    if file in {None, "", ":memory:"}:
        raise DatabaseUnusable(f"VERA's worker and dashboard share a database, so it must be a file. {_NOT_A_URL}")
    engine = create_engine(
        make_url(url).set(drivername="sqlite"), hide_parameters=True, connect_args={"timeout": BUSY_TIMEOUT_S}
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: Any) -> None:
        # Transactions begin where `begin` below says so; the driver's own rule begins them too late for IMMEDIATE.
        connection.isolation_level = None
        connection.execute("PRAGMA foreign_keys=ON")
        # An answer that was reported as kept survives a power cut too. Measured with 32 answers in a commit: 0.5 ms
        # instead of the 0.1 ms of NORMAL, beside 1.4 ms for preparing them.
        connection.execute("PRAGMA synchronous=FULL")
        # a large result passes through the log; afterwards the log gives the space back
        connection.execute("PRAGMA journal_size_limit=67108864")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("vera_begin", "BEGIN"))

    return engine


def is_sqlite(engine: Engine) -> bool:
    """Whether the database is a file."""
    return engine.dialect.name == "sqlite"


def where(engine: Engine) -> str:
    """The database as named in messages, without its password."""
    if is_sqlite(engine):
        return f"The database {engine.url.database}"
    url = engine.url
    host = url.host or url.query.get("host") or "this machine"
    return f"The database {url.database} on {host}"


#: Mistakes of a statement or of its values, which are not the database's.
_NOT_ITS_FAULT = (exc.IntegrityError, exc.ProgrammingError, exc.DataError, exc.NotSupportedError)


@contextmanager
def one_sentence(engine: Engine) -> Iterator[None]:
    """Failures of the database itself become DatabaseUnusable; mistakes of a statement stay what they are."""
    try:
        yield
    except exc.TimeoutError as error:
        raise DatabaseUnusable(f"{where(engine)} has no free connection; too much is going on at once.") from error
    except _NOT_ITS_FAULT:
        raise
    except exc.DBAPIError as error:
        raise DatabaseUnusable(f"{where(engine)} {cause(error)}.") from error
    except exc.StatementError as error:
        # a value our column types refused (NaN, a moment without a time zone): their own words are clearer
        if isinstance(error.orig, ValueError | TypeError):
            raise error.orig from None
        raise
    except sqlite3.Error as error:
        raise DatabaseUnusable(f"{where(engine)} {_sqlite_cause(error)}.") from error


def cause(error: exc.DBAPIError) -> str:
    """What is wrong and what to do, as the end of a sentence."""
    if isinstance(error.orig, sqlite3.Error):
        return _sqlite_cause(error.orig)
    said = (str(error.orig).strip().splitlines() or ["no reason given"])[0].rstrip(".")
    return f"cannot be used ({said}); check that the server runs and that the address, user and password are right"


def _sqlite_cause(error: sqlite3.Error) -> str:
    # the low byte is the primary code, the rest says which kind of it
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return _SQLITE_CAUSES.get(code, f"cannot be used ({error})")


class Connected:
    """What the parts of the Store share: an engine, and transactions for reading and for writing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # A SQLite writer takes its lock at the start: one that begins as a reader may find the file changed and fail.
        self._writer = engine.execution_options(vera_begin="BEGIN IMMEDIATE")
        # One statement needs no transaction around it, which a server would begin and end in journeys of their own.
        self._looker = engine if is_sqlite(engine) else engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with one_sentence(self._engine), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _looking(self) -> Iterator[Connection]:
        """For a single statement that reads a row or two; several could see different states."""
        with one_sentence(self._engine), self._looker.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with one_sentence(self._engine), self._writer.begin() as connection:
            yield connection

    def _insert_new(self, table: Table) -> Insert:
        """An INSERT that leaves a row of the same primary key alone."""
        build = sqlite.insert if is_sqlite(self._engine) else postgresql.insert
        return build(table).on_conflict_do_nothing(index_elements=[column.name for column in table.primary_key])

    def _upsert(self, table: Table, *, add: frozenset[str] = frozenset()) -> Insert:
        """An INSERT that replaces the row of the same primary key; the columns of ``add`` are summed up."""
        build = sqlite.insert if is_sqlite(self._engine) else postgresql.insert
        statement = build(table)
        keys = [column.name for column in table.primary_key]
        new: dict[str, Any] = {}
        for column in table.columns:
            if column.name not in keys:
                given = statement.excluded[column.name]
                new[column.name] = column + given if column.name in add else given
        return statement.on_conflict_do_update(index_elements=keys, set_=new)


def make_folder(engine: Engine) -> None:
    """Make the folder of a SQLite file, closed to others: it will hold what was asked of a model and its answers."""
    folder = Path(engine.url.database or ".").parent
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise DatabaseUnusable(f"The folder {folder} cannot be made ({error.strerror}); name another one.") from error
