"""Processes by name: whose is it, which worker is this, is that one alive, and how a benchmark's process is ended."""

import getpass
import os
import signal
import socket
from datetime import UTC, datetime, timedelta
from importlib import metadata
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil  # type: ignore[import-untyped] # theirs is not typed

from domain.runs import Worker

#: Seconds after which a worker on another machine counts as lost.
SILENT_SECONDS = 60.0
HEARTBEAT_SECONDS = 5.0
#: A worker that could not report for this long stops, before another takes its runs over.
FENCE_SECONDS = 45.0
_GRACE_SECONDS = 2.0
#: Start times of processes are known to a hundredth of a second.
_SAME_START = timedelta(seconds=1.5)


def account() -> str:
    """The account this process runs under; its number where it has no name, as in many containers."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"


def version() -> str:
    """VERA's version; a working copy that was never installed calls itself ``0``."""
    try:
        return metadata.version("vera-dashboard")
    except metadata.PackageNotFoundError:
        return "0"


def this_worker() -> Worker:
    """The record of this process. Its id is never used again: it holds host, process number and start time."""
    started = datetime.fromtimestamp(psutil.Process().create_time(), UTC)
    return Worker(
        id=f"{_place()}-{os.getpid()}-{started:%Y%m%dT%H%M%S%f}",
        host=socket.gethostname(),
        pid=os.getpid(),
        version=version(),
        started_at=started,
        heartbeat_at=datetime.now(UTC),
    )


def is_alive(worker: Worker, *, now: datetime) -> bool:
    """Whether a worker still runs: on this machine its process is looked at, on another one its last report."""
    if not worker.id.startswith(_place() + "-"):
        return (now - worker.heartbeat_at).total_seconds() < SILENT_SECONDS
    try:
        process = psutil.Process(worker.pid)
        # Process numbers are used again; the start time tells a stranger.
        started = datetime.fromtimestamp(process.create_time(), UTC)
        return abs(started - worker.started_at) < _SAME_START and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def end(process: BaseProcess) -> None:
    """End a benchmark's process with everything it started: first politely, then not."""
    _signal(process, signal.SIGTERM)
    process.join(_GRACE_SECONDS)
    if process.is_alive():
        _signal(process, signal.SIGKILL)
        process.join()


def _place() -> str:
    """Where process numbers mean the same: this host, and on it this container's own numbering."""
    numbering = Path("/proc/self/ns/pid")
    return f"{socket.gethostname()}-{numbering.stat().st_ino if numbering.exists() else 0}"


def _signal(process: BaseProcess, number: signal.Signals) -> None:
    pid = process.pid
    if pid is None or not process.is_alive():
        return
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        # It has not yet made a group of its own, or is gone.
        if process.is_alive():
            os.kill(pid, number)
