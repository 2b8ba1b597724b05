"""The queue's file is made for many processes at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from domain.settings import Settings
from jobs import queue


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    yield Settings(home=tmp_path)
    queue.close()


def _mode(settings: Settings) -> str:
    with closing(sqlite3.connect(settings.home / "jobs.db")) as connection:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def test_readers_of_the_queue_do_not_wait_for_writers(settings: Settings) -> None:
    with queue.client(settings):
        assert _mode(settings) == "wal"


def test_a_process_that_finds_the_queue_at_work_does_without_changing_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "jobs.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("CREATE TABLE runs (id)")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM runs").fetchone()
        queue._write_ahead(str(file))
        assert other.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
        other.execute("COMMIT")
    queue._write_ahead(str(file))
    with closing(sqlite3.connect(file)) as after:
        assert after.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
