"""The one Store: every read and write of VERA, named for the need, on SQLite and on PostgreSQL alike."""

from db.answers import Answers
from db.connection import create, is_sqlite, make_folder
from db.endpoints import Endpoints
from db.migrate import prepare
from db.results import Results
from db.retention import Retention
from db.runs import Runs
from db.samples import Samples
from db.schedules import Schedules
from db.workers import Workers


class Store(Endpoints, Runs, Answers, Samples, Results, Workers, Schedules, Retention):
    """Methods take and return records of ``domain``; safe to share between threads, not across a fork.

    Each method is one transaction. What cannot be done for a reason of the database's own is DatabaseUnusable.
    """

    def dispose(self) -> None:
        """Close the connections; the Store opens new ones when it is used again."""
        self._engine.dispose()


def open_store(url: str, *, migrate: bool = True) -> Store:
    """The Store of this database, brought to this version's tables (a SQLite file after a backup copy).

    DatabaseUnusable, in one sentence, when the database cannot be reached or read, or is of a newer version.
    """
    engine = create(url)
    if migrate and is_sqlite(engine):
        make_folder(engine)
    try:
        prepare(engine, migrate=migrate)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)
