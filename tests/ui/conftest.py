"""The Store the pages use; and Streamlit's test module leaves its folder to the process's end, a warning there."""

import logging
from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import app_test

from app import state
from db.store import Store


@pytest.fixture(scope="session", autouse=True)
def no_folder_left_over() -> Iterator[None]:
    """Remove the folder with the tests."""
    yield
    app_test.TMP_DIR.cleanup()


@pytest.fixture
def store() -> Iterator[Store]:
    """The Store the pages use, empty, in the test's own home."""
    st.cache_resource.clear()
    before = list(logging.getLogger().handlers)
    store = state.context().store
    yield store
    store.dispose()
    st.cache_resource.clear()
    for handler in set(logging.getLogger().handlers) - set(before):
        logging.getLogger().removeHandler(handler)
        handler.close()
