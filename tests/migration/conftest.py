"""Fixtures of migrations: empty databases of either kind."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.databases import new_postgres_url, postgres_server_url

__all__ = ["empty_url", "new_postgres_url", "postgres_server_url"]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """URL of a database without any table, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'vera.db'}"
    make: Callable[[], str] = request.getfixturevalue("new_postgres_url")
    return make()
