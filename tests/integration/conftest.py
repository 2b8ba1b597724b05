"""Fixtures of what really runs: a Store on both databases, and the served embedded model."""

import importlib
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from fakes.databases import new_postgres_url, postgres_server_url, shared_postgres_url, store_url

from db.store import Store, open_store
from domain.errors import UserError

__all__ = ["model_server", "new_postgres_url", "postgres_server_url", "shared_postgres_url", "store", "store_url"]


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    """An empty Store, once on each database."""
    opened = open_store(store_url)
    yield opened
    opened.dispose()


@pytest.fixture(scope="session")
def model_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """Base URL of the embedded model, served on loopback; skipped without the demo extra or the model's file."""
    pytest.importorskip("xllamacpp", reason="the demo extra is not installed (pip install 'vera-dashboard[demo]')")
    cache = request.config.cache.mkdir("embedded-model")  # kept from one test session to the next
    embedded_model = importlib.import_module("jobs.embedded_model")
    with ExitStack() as running:
        try:
            url = running.enter_context(embedded_model.serving(cache))
        except UserError as error:
            pytest.skip(f"the embedded model is not available: {error}")
        yield str(url)
