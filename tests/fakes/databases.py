"""Fixtures that give a database of either kind; imported by the conftest of each folder that needs them."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from fakes import postgres_server

from db.store import open_store


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """A PostgreSQL server for this test session; tests that need it are skipped where it cannot be started."""
    with ExitStack() as running:
        try:
            url = running.enter_context(postgres_server.serving())
        except postgres_server.ServerMissing as missing:
            pytest.skip(str(missing))
        yield url


@pytest.fixture(scope="session")
def new_postgres_url(postgres_server_url: str) -> Callable[[], str]:
    """Makes an empty database each time it is called; they go with the server."""

    def make() -> str:
        name = f"vera_{uuid.uuid4().hex}"
        with psycopg.connect(postgres_server_url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
        return postgres_server_url.replace("/postgres?", f"/{name}?")

    return make


@pytest.fixture(scope="session")
def shared_postgres_url(new_postgres_url: Callable[[], str]) -> str:
    """A database that was migrated once; whoever uses it empties it."""
    url = new_postgres_url()
    open_store(url).dispose()
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """URL of a database without any record, once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store' / 'vera.db'}"
        return
    url: str = request.getfixturevalue("shared_postgres_url")
    yield url
    with psycopg.connect(url, autocommit=True) as server:
        # what hangs on these goes with them
        server.execute("DELETE FROM schedules; DELETE FROM alerts; DELETE FROM capabilities")
        server.execute("DELETE FROM runs; DELETE FROM endpoints")
        server.execute("DELETE FROM assessments; DELETE FROM workers")
