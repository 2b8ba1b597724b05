"""Fixtures of every test: a clean environment, a home of its own, and the folder of shared fakes on the path."""

import os
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
# A shell that starts the tests in the background lets them ignore Ctrl-C, and every process of theirs with them.
signal.signal(signal.SIGINT, signal.default_int_handler)
#: Kept before the environment is cleaned: the folder with public benchmark data, where there is one.
TEST_DATA = os.environ.get("VERA_TEST_DATA")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No VERA_… variable of the developer's shell reaches a test; the home is a temporary folder."""
    for name in list(os.environ):
        if name.startswith("VERA_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("VERA_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder with real public benchmark data; a test that needs it is skipped where it is missing."""
    if not TEST_DATA or not (Path(TEST_DATA) / "MANIFEST.yaml").is_file():
        pytest.skip("VERA_TEST_DATA does not name the folder with public benchmark data")
    return Path(TEST_DATA)
