"""Which workers run, as seen by everybody who is not one."""

from datetime import UTC, datetime

from domain.runs import Worker
from jobs import processes
from jobs.context import Context


def live_workers(context: Context) -> list[Worker]:
    """Workers whose process runs (on this machine) or that reported within the last minute (on another)."""
    now = datetime.now(UTC)
    return [worker for worker in context.store.workers() if processes.is_alive(worker, now=now)]
