"""The embedded model, really served: it answers, and it ends when it should."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.errors import UserError
from jobs import embedded_model

pytestmark = [
    pytest.mark.model,
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="the demo extra is not installed"),
]
ROOT = Path(__file__).parents[2]
_PATIENCE_S = 30.0
#: Holds a served model until it is killed, like a demo in a terminal that is closed.
_HOLDER = """
import sys, time
from pathlib import Path
from jobs import embedded_model
with embedded_model.serving(Path(sys.argv[1])) as url:
    print(url, flush=True)
    time.sleep(600)
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the model, shared by this user's test runs; skipped where it cannot be fetched."""
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "vera-tests" / "models"
    try:
        embedded_model.ensure_model(folder)
    except UserError as error:
        pytest.skip(error.sentence)
    return folder


@pytest.fixture(scope="module")
def base_url(cache: Path) -> Iterator[str]:
    with embedded_model.serving(cache) as url:
        yield url


def call(url: str, body: dict[str, Any] | None = None) -> Any:
    request = urllib.request.Request(url, headers={"Content-Type": "application/json"})  # noqa: S310 - loopback
    request.data = json.dumps(body).encode() if body else None
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - loopback
        return json.load(response)


def answers(url: str) -> bool:
    try:
        call(f"{url}/models")
    except (urllib.error.URLError, ConnectionError):
        return False
    return True


def wait_until_silent(url: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while answers(url):
        assert time.monotonic() < deadline, f"{url} still answers"
        time.sleep(0.2)


def test_the_model_is_served_on_loopback_under_its_name(base_url: str) -> None:
    assert base_url.startswith("http://127.0.0.1:")
    assert base_url.endswith("/v1")
    assert [m["id"] for m in call(f"{base_url}/models")["data"]] == [embedded_model.MODEL_ID]


def test_the_model_answers_the_same_question_the_same_way(base_url: str) -> None:
    body = {
        "model": embedded_model.MODEL_ID,
        "messages": [{"role": "user", "content": "Which city is the capital of France?"}],
        "max_tokens": 16,
        "temperature": 0,
    }
    first, second = (call(f"{base_url}/chat/completions", body)["choices"][0]["message"]["content"] for _ in range(2))
    assert "Paris" in first
    assert first == second


def test_the_server_ends_with_the_block(cache: Path) -> None:
    with embedded_model.serving(cache) as url:
        assert answers(url)
    assert not answers(url)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_server_ends_when_the_process_it_serves_is_killed(cache: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", _HOLDER, str(cache)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        url = holder.stdout.readline().strip()
        assert answers(url)
        holder.send_signal(number)
    wait_until_silent(url)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_asked_to_stop_ends_without_an_error(cache: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "jobs.embedded_model", "--cache", str(cache)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        address = server.stdout.readline().strip()
        assert answers(address)
        server.send_signal(number)
        assert server.wait(_PATIENCE_S) == 0
        assert server.stderr.read() == ""


def test_a_port_that_is_taken_is_one_sentence(base_url: str, cache: Path) -> None:
    port = base_url.rsplit(":", 1)[1].removesuffix("/v1")
    command = [sys.executable, "-m", "jobs.embedded_model", "--cache", str(cache), "--port", port]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert port in done.stderr
