"""Streamlit's test module leaves its temporary folder to the end of the process, which is a warning there."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import app_test


@pytest.fixture(scope="session", autouse=True)
def no_folder_left_over() -> Iterator[None]:
    """Remove the folder with the tests."""
    yield
    app_test.TMP_DIR.cleanup()
