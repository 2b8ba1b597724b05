"""A worker: takes runs off the queue, gives each benchmark a process of its own, takes over from the dead.

Killed at any moment it loses nothing: answers are in the store as they come, and what DBOS has as pending is taken over
by the next worker, which asks only what has no answer.
"""

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from dbos import DBOS

from domain.errors import DatabaseUnusable
from jobs import processes, queue, runs, scheduled, takeover, workflow
from jobs.context import Context
from jobs.steps import RunSteps

LOG = logging.getLogger("vera.worker")
TAKE_OVER_SECONDS = 10.0
_FORGOTTEN = "This worker was silent for so long that others took its runs over; start it again."


class Worker:
    """Runs benchmarks from entering to leaving the block; one per process."""

    def __init__(self, context: Context, *, parallel: int, queues: Sequence[str] = ()) -> None:
        self._context = context
        self._parallel = parallel
        self._queues = tuple(dict.fromkeys(queues))
        self._me = replace(processes.this_worker(), queues=",".join(self._queues) or None)
        self._stopping = threading.Event()
        self._steps = RunSteps(
            context, worker_id=self._me.id, parallel=parallel, stopping=self._stopping, on_problem=self._give_up
        )
        self._threads = [
            threading.Thread(target=body, daemon=True, name=body.__name__)
            for body in (self._report_alive, self._look_for_orphans)
        ]
        #: Why the worker stopped by itself, in one sentence.
        self.problem: str | None = None

    @property
    def id(self) -> str:
        """Name of this worker; never used again by another."""
        return self._me.id

    def __enter__(self) -> Self:
        self._steps.launcher.warm_up(offline=self._context.settings.offline)
        self._context.store.heartbeat(self._me)
        queue.quiet()
        DBOS(config=queue.config(self._context.settings, executor_id=self.id, version=self._me.version))
        workflow.define(self._steps)
        scheduled.define(self._context)
        if self._queues:
            DBOS.listen_queues([*(queue.queue_name(name) for name in self._queues), scheduled.QUEUE])
        with queue.client(self._context.settings) as client:
            queue.register(client)
        scheduled.prepare(self._context)
        DBOS.launch()
        queue.limit_this_worker(self._parallel)
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._steps.launcher.stop()
        DBOS.destroy(destroy_registry=True)
        for thread in self._threads:
            thread.join()
        try:
            self._leave()
        except DatabaseUnusable as unusable:
            # The next worker finds the runs all the same, because this process is gone.
            LOG.warning("could not sign off: %s", unusable.sentence)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Whether the worker is to stop; returns when it is, at the latest after the timeout."""
        return self._stopping.wait(timeout_s)

    def stop(self) -> None:
        """Let ``wait`` return."""
        self._stopping.set()

    def _give_up(self, sentence: str) -> None:
        LOG.warning("stopping: %s", sentence)
        self.problem = self.problem or sentence
        self._stopping.set()

    def _leave(self) -> None:
        """Mark this worker's runs as interrupted and sign off, so that another worker takes them over at once."""
        self._context.store.remove_worker(self.id)
        runs.settle_orphans(self._context)

    def _report_alive(self) -> None:
        """Tell every few seconds that this worker is alive; one that cannot for long stops before it is replaced."""
        told = time.monotonic()
        while not self._stopping.wait(processes.HEARTBEAT_SECONDS):
            try:
                if not self._context.store.report_alive(self.id, datetime.now(UTC)):
                    self._give_up(_FORGOTTEN)
                told = time.monotonic()
            except DatabaseUnusable as error:
                if time.monotonic() - told > processes.FENCE_SECONDS:
                    self._give_up(error.sentence)

    def _look_for_orphans(self) -> None:
        while not self._stopping.is_set():
            try:
                with queue.one_sentence():
                    takeover.take_over(self._context, self._me)
                    scheduled.look_after(self._context, self._me)
            except DatabaseUnusable as error:
                LOG.warning("could not look for interrupted runs: %s", error.sentence)
            self._stopping.wait(TAKE_OVER_SECONDS)
