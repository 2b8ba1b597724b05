"""Which workers run and what they serve, as seen by everybody who is not one."""

import re
from datetime import UTC, datetime

from domain.errors import UserError
from domain.runs import Run, Worker
from jobs import processes
from jobs.context import Context

_QUEUE = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


def live_workers(context: Context) -> list[Worker]:
    """Workers whose process runs (on this machine) or that reported within the last minute (on another)."""
    now = datetime.now(UTC)
    return [worker for worker in context.store.workers() if processes.is_alive(worker, now=now)]


def serving(context: Context, run: Run) -> list[Worker]:
    """The live workers that take runs from the queue of this run's endpoint."""
    queue = context.store.endpoint(run.spec.endpoint_id).queue
    return [worker for worker in live_workers(context) if worker.serves(queue)]


def check_queue(name: str) -> str:
    """The name of a queue, as it may be used; UserError otherwise."""
    if not _QUEUE.fullmatch(name):
        raise UserError(
            f"A queue cannot be named {name!r}; use up to 40 lower-case letters, digits, - and _, for example gpu-room."
        )
    return name
