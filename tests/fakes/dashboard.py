"""The dashboard as a process of its own, on a free port."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from fakes import running

from app import serve_options
from jobs.context import Context


@contextmanager
def served(context: Context) -> Iterator[str]:
    """The dashboard's address, as `vera serve` starts it but without a worker beside."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = ["-m", "streamlit", "run", str(serve_options.MAIN), *serve_options.flags(host="127.0.0.1", port=port)]
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=running.environment(context),
        cwd=context.settings.home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        running.wait_for(lambda: _answers(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
