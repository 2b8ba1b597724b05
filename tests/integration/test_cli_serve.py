"""`vera serve`: the dashboard answers, a worker runs beside it, and both end together."""

import signal
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError

import pytest
from fakes import running

from jobs.context import Context
from jobs.workers import live_workers

pytestmark = pytest.mark.slow


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    yield opened
    opened.store.dispose()


def healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as answer:
            return answer.status == 200
    except (URLError, OSError):
        return False


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def test_the_dashboard_and_its_worker_start_and_end_together(context: Context) -> None:
    port = free_port()
    served = running.start(context, "serve", "--port", str(port))
    try:
        running.wait_for(lambda: healthy(port))
        running.wait_for(lambda: live_workers(context))
        # Who started a worker already gets no second one.
        assert len(live_workers(context)) == 1
    finally:
        served.send_signal(signal.SIGTERM)
        _out, said = served.communicate(timeout=60)
    assert served.returncode == 0, said
    assert f"http://localhost:{port}" in said
    assert "Traceback" not in said
    assert live_workers(context) == []
    assert not healthy(port)


def test_the_dashboard_starts_no_worker_where_workers_run_elsewhere(context: Context) -> None:
    port = free_port()
    served = running.start(context, "serve", "--port", str(port), "--no-worker")
    try:
        running.wait_for(lambda: healthy(port))
        assert context.store.workers() == []
    finally:
        served.send_signal(signal.SIGTERM)
        served.communicate(timeout=60)
