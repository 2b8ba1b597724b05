"""The durable workflow of a run: begin, one step per benchmark, finish. Only a worker imports this."""

from typing import Protocol

from dbos import DBOS

from jobs import queue


class Steps(Protocol):
    """What a worker does at each step; every step can be repeated, because what it has done is in the store."""

    def begin(self, run_id: str) -> list[str]:
        """Mark the run as running; the keys of its benchmarks."""

    def benchmark(self, run_id: str, key: str) -> str:
        """Run one benchmark in a process of its own until it is over; the state it ended in."""

    def finish(self, run_id: str) -> str:
        """Score and assess; the state the run ended in."""


def define(steps: Steps) -> None:
    """Register the workflow with DBOS, before it is launched."""

    @DBOS.step(name="begin")
    def begin(run_id: str) -> list[str]:
        return steps.begin(run_id)

    @DBOS.step(name="benchmark")
    def benchmark(run_id: str, key: str) -> str:
        return steps.benchmark(run_id, key)

    @DBOS.step(name="finish")
    def finish(run_id: str) -> str:
        return steps.finish(run_id)

    @DBOS.workflow(name=queue.WORKFLOW, max_recovery_attempts=queue.MAX_ATTEMPTS)
    def evaluate(run_id: str) -> str:
        for key in begin(run_id):
            benchmark(run_id, key)
        return finish(run_id)
