"""Fixtures that give an empty database of either kind; imported by the conftest of each folder that needs them."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from fakes import postgres_server


@pytest.fixture(scope="session")
def postgres_server_url() -> Iterator[str]:
    """A PostgreSQL server for this test session; tests that need it are skipped where it cannot be started."""
    with ExitStack() as running:
        try:
            url = running.enter_context(postgres_server.serving())
        except postgres_server.ServerMissing as missing:
            pytest.skip(str(missing))
        yield url


@pytest.fixture
def new_postgres_url(postgres_server_url: str) -> Iterator[Callable[[], str]]:
    """Makes an empty database each time it is called; they are dropped after the test."""
    made: list[str] = []

    def make() -> str:
        made.append(f"vera_{uuid.uuid4().hex}")
        with psycopg.connect(postgres_server_url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {made[-1]}")
        return postgres_server_url.replace("/postgres?", f"/{made[-1]}?")

    yield make
    with psycopg.connect(postgres_server_url, autocommit=True) as server:
        for name in made:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store' / 'vera.db'}"
    make: Callable[[], str] = request.getfixturevalue("new_postgres_url")
    return make()
