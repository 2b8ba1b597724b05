"""Benchmark processes of one worker: forked from a warm parent, waited for, ended."""

import multiprocessing
import os
import signal
import threading
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from jobs import child, processes


class Ended(NamedTuple):
    """How a benchmark's process ended."""

    #: None when it ended by itself, having written into the store what became of the benchmark.
    death: str | None
    #: What it could not write into the store.
    problem: str | None


class Launcher:
    """Starts and ends benchmark processes. Their common parent imports what they need once and never has a thread."""

    def __init__(self, *, parallel: int) -> None:
        self._slots = threading.BoundedSemaphore(parallel)
        self._context = multiprocessing.get_context("forkserver")
        self._under_way: set[BaseProcess] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def warm_up(self, *, offline: bool) -> None:
        """Start the common parent; it imports on while this process goes on."""
        if offline:
            # Read by the libraries that load data sets, when they are imported.
            os.environ.update(dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"), "1"))
        self._context.set_forkserver_preload(["jobs.warm"])
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
                process.start()
                self._under_way.add(process)
            sender.close()
            process.join()
            with self._lock:
                self._under_way.discard(process)
            return Ended(_death(process.exitcode), _received(receiver))

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
