"""Benchmark processes of one worker: forked from a warm parent, waited for, ended."""

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from jobs import child, logs, processes

#: Bytes of a process's standard error that are looked at.
_MOST_SAID = 64 * 1024


class Ended(NamedTuple):
    """How a benchmark's process ended."""

    #: None when it ended by itself, having written into the store what became of the benchmark.
    death: str | None
    #: What it could not write into the store.
    problem: str | None
    #: What it wrote to its standard error where it did not end by itself, without keys.
    said: str = ""


class Launcher:
    """Starts and ends benchmark processes. Their common parent imports what they need once and never has a thread."""

    def __init__(self, *, parallel: int) -> None:
        self._slots = threading.BoundedSemaphore(parallel)
        self._context = multiprocessing.get_context("forkserver")
        self._under_way: set[BaseProcess] = set()
        self._lock = threading.Lock()
        self._stopped = False
        #: Standard error of all processes: a traceback belongs on no terminal, and before it is scrubbed in no log.
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as processes write to it

    def warm_up(self, *, offline: bool) -> None:
        """Start the common parent; it imports on while this process goes on."""
        if offline:
            # Read by the libraries that load data sets, when they are imported.
            os.environ.update(dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"), "1"))
        self._context.set_forkserver_preload(["jobs.warm"])
        with self._lock, self._listening():
            forkserver.ensure_running()

    def run(self, task: child.Assignment) -> Ended:
        """A process from its start to its end."""
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=child.carry_out, args=(task, sender), name=f"{task.run_id} {task.benchmark}", daemon=True
        )
        with self._slots, receiver, sender:
            with self._lock:
                if self._stopped:
                    return Ended("was not started", None)
                before = self._errors_size()
                try:
                    with self._listening():
                        process.start()
                except (EOFError, OSError):  # the common parent died over what it imports first
                    return Ended("could not be started", None, self._said_since(before, task))
                self._under_way.add(process)
            sender.close()
            process.join()
            with self._lock:
                self._under_way.discard(process)
            death = _death(process.exitcode)
            return Ended(death, _received(receiver), self._said_since(before, task) if death else "")

    @contextlib.contextmanager
    def _listening(self) -> Iterator[None]:
        """Let a process that is started meanwhile, and those forked from it, inherit a file as standard error."""
        sys.stderr.flush()
        terminal = os.dup(2)
        try:
            os.dup2(self._errors.fileno(), 2)
            yield
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)

    def _errors_size(self) -> int:
        return os.fstat(self._errors.fileno()).st_size

    def _said_since(self, place: int, task: child.Assignment) -> str:
        """The end of what was written since; processes at work at the same time share the file and rarely write."""
        size = self._errors_size()
        start = max(place, size - _MOST_SAID)
        said = os.pread(self._errors.fileno(), size - start, start)
        return logs.scrub(said.decode(errors="replace"), *task.secrets).strip()

    def stop(self) -> None:
        """End all processes and start no other."""
        with self._lock:
            self._stopped = True
            under_way = list(self._under_way)
        for process in under_way:
            processes.end(process)


def _received(receiver: Connection) -> str | None:
    try:
        return str(receiver.recv()) if receiver.poll() else None
    except EOFError:
        return None


def _death(exit_code: int | None) -> str | None:
    if exit_code == 0:
        return None
    if exit_code is not None and exit_code < 0:
        return f"was killed by {signal.Signals(-exit_code).name}"
    return f"ended with exit code {exit_code}"
