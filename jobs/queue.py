"""The queue of runs in DBOS's own tables: a partition per endpoint, one run of an endpoint at a time.

Whoever enqueues (the dashboard, the command line) uses the client and never launches DBOS; only a worker does.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from domain.errors import DatabaseUnusable
from domain.runs import Run
from domain.settings import Settings

if TYPE_CHECKING:
    from dbos import DBOSClient, DBOSConfig, EnqueueOptions

APPLICATION = "vera"
QUEUE = "runs"
WORKFLOW = "evaluate"
#: An idle worker looks for work this often.
POLL_SECONDS = 0.2
#: A changed schedule is noticed by the workers within this time.
SCHEDULE_POLL_SECONDS = 5.0
#: Before the version that finishes a run: no worker restart may use up a run's attempts.
MAX_ATTEMPTS = 10_000
_WAITING = ("ENQUEUED", "DELAYED")
_UNFINISHED = (*_WAITING, "PENDING")
_ENDING_SECONDS = 5.0


def config(settings: Settings, *, executor_id: str, version: str) -> "DBOSConfig":
    """How a worker launches DBOS: nothing leaves the machine, and no two processes have one executor id."""
    return {
        "name": APPLICATION,
        "system_database_url": settings.jobs_url,
        "application_version": version,
        "executor_id": executor_id,
        "enable_otlp": False,
        "log_level": "WARNING",
        "notification_listener_polling_interval_sec": 1.0,
        "scheduler_polling_interval_sec": SCHEDULE_POLL_SECONDS,
    }


def enqueue(settings: Settings, run: Run) -> str:
    """Queue a run, behind the others of its endpoint; queued or running already, it stays where it is."""
    with client(settings) as queue:
        attempts = _attempts(queue, run.id)
        # A run that was just reported as over has a workflow that is about to end.
        deadline = time.monotonic() + _ENDING_SECONDS
        while run.state.is_final and time.monotonic() < deadline and "PENDING" in attempts.values():
            time.sleep(POLL_SECONDS)
            attempts = _attempts(queue, run.id)
        if waiting := next((i for i, status in attempts.items() if status in _UNFINISHED), None):
            return waiting
        # A finished workflow never runs again; going on with the run is its next attempt. Two callers who both count
        # the same attempts name the same workflow, and the second finds the first's.
        options: EnqueueOptions = {
            "workflow_name": WORKFLOW,
            "queue_name": QUEUE,
            "workflow_id": f"{run.id}.{len(attempts) + 1}",
            "queue_partition_key": run.spec.endpoint_id,
        }
        return str(queue.enqueue(options, run.id).get_workflow_id())


def withdraw(settings: Settings, run_id: str, *, started_too: bool) -> bool:
    """Take a run out of the queue; whether there was one to take.

    ``started_too`` also gives up what a worker had begun, for runs whose worker is gone.
    """
    wanted = _UNFINISHED if started_too else _WAITING
    with client(settings) as queue:
        found = [i for i, status in _attempts(queue, run_id).items() if status in wanted]
        queue.cancel_workflows(found)
        return bool(found)


def run_of(workflow_id: str) -> str:
    """The run a workflow belongs to.

    >>> run_of("4be1.2")
    '4be1'
    """
    return workflow_id.rsplit(".", 1)[0]


def _attempts(queue: "DBOSClient", run_id: str) -> dict[str, str]:
    found = queue.list_workflows(workflow_id_prefix=f"{run_id}.", load_input=False, load_output=False)
    return {workflow.workflow_id: workflow.status for workflow in found}


@contextmanager
def client(settings: Settings) -> Iterator["DBOSClient"]:
    """A client of the queue, whose tables and queue are made where they are missing."""
    from dbos import DBOSClient  # noqa: PLC0415 - takes half a second; pages that only read never pay it

    quiet()
    _prepare(settings.jobs_url)
    queue = DBOSClient(
        system_database_url=settings.jobs_url, application_name=APPLICATION, retry_connection_errors=False
    )
    try:
        yield queue
    finally:
        queue.destroy()


def quiet() -> None:
    """Let DBOS's log go where the entry point sends logs, and not to the terminal."""
    log = logging.getLogger("dbos")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.setLevel(logging.WARNING)
    log.propagate = True


@cache
def _prepare(url: str) -> None:
    """Create DBOS's tables and the queue, once per process; a worker's own settings of the queue are kept."""
    from dbos import DBOS, DBOSClient, error  # noqa: PLC0415 - as above

    try:
        DBOS.migrate(url)
        queue = DBOSClient(system_database_url=url, application_name=APPLICATION)
        try:
            register(queue, parallel=None)
        finally:
            queue.destroy()
    except error.DBOSException as cause:
        raise DatabaseUnusable(f"The job queue cannot be used: {cause}") from cause


def register(queue: "DBOSClient", *, parallel: int | None) -> None:
    """Make the queue; a worker says how many runs it takes on, everybody else leaves that as it is."""
    queue.register_queue(
        QUEUE,
        partition_concurrency=1,
        worker_concurrency=parallel,
        polling_interval_sec=POLL_SECONDS,
        on_conflict="never_update" if parallel is None else "always_update",
    )
