"""The queues of runs in DBOS's own tables: a partition per endpoint, one run of an endpoint at a time.

Whoever enqueues (the dashboard, the command line) uses the client and never launches DBOS; only a worker does.
"""

import atexit
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from db import connection
from domain.endpoints import Endpoint
from domain.errors import DatabaseUnusable
from domain.runs import COMMON_QUEUE, Priority, Run
from domain.settings import Settings
from jobs import logs
from jobs.context import Context

if TYPE_CHECKING:
    from dbos import DBOSClient, DBOSConfig, EnqueueOptions, Queue

APPLICATION = "vera"
QUEUE = "runs"
WORKFLOW = "evaluate"
#: An idle worker looks for work this often.
POLL_SECONDS = 0.2
#: A changed schedule is noticed by the workers within this time.
SCHEDULE_POLL_SECONDS = 5.0
#: Before the version that finishes a run: no worker restart may use up a run's attempts.
MAX_ATTEMPTS = 10_000
_SQLITE = "sqlite:///"
_WAITING = ("ENQUEUED", "DELAYED")
_UNFINISHED = (*_WAITING, "PENDING")
_ENDING_SECONDS = 5.0
#: DBOS starts the smallest first.
_PRIORITIES = {Priority.HIGH: 10, Priority.NORMAL: 100, Priority.LOW: 1000}

_LOCK = threading.Lock()
#: By the URL of the database; each with what closes it.
_CLIENTS: "dict[str, tuple[DBOSClient, ExitStack]]" = {}
_REGISTERED: dict[str, set[str]] = {}


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


def enqueue(context: Context, run: Run) -> str:
    """Queue a run, behind the others of its endpoint; queued or running already, it stays where it is."""
    with client(context.settings) as queue:
        attempts = _attempts(queue, run.id)
        # A run that was just reported as over or paused has a workflow that is about to end.
        deadline = time.monotonic() + _ENDING_SECONDS
        while run.state.is_at_rest and time.monotonic() < deadline and "PENDING" in attempts.values():
            time.sleep(POLL_SECONDS)
            attempts = _attempts(queue, run.id)
        if waiting := next((i for i, status in attempts.items() if status in _UNFINISHED), None):
            return waiting
        # A finished workflow never runs again; going on with the run is its next attempt. Two callers who both count
        # the same attempts name the same workflow, and the second finds the first's.
        endpoint = context.store.endpoint(run.spec.endpoint_id)
        return _enqueue(queue, context.settings, run, endpoint, attempt=len(attempts) + 1)


def enqueue_new(settings: Settings, run: Run, endpoint: Endpoint) -> str:
    """Queue a run for the first time; queued already, it stays where it is."""
    with client(settings) as queue:
        return _enqueue(queue, settings, run, endpoint, attempt=1)


def _enqueue(queue: "DBOSClient", settings: Settings, run: Run, endpoint: Endpoint, *, attempt: int) -> str:
    name = queue_name(endpoint.queue)
    if name not in _REGISTERED.setdefault(settings.jobs_url, set()):
        register(queue, name)
        _REGISTERED[settings.jobs_url].add(name)
    options: EnqueueOptions = {
        "workflow_name": WORKFLOW,
        "queue_name": name,
        "workflow_id": f"{run.id}.{attempt}",
        "queue_partition_key": endpoint.id,
        "priority": _PRIORITIES[run.priority],
    }
    return str(queue.enqueue(options, run.id).get_workflow_id())


def queue_name(name: str | None) -> str:
    """DBOS's name of one of the queues of runs; the common one has no name of its own.

    >>> queue_name(None), queue_name("default"), queue_name("gpu")
    ('runs', 'runs', 'runs.gpu')
    """
    return QUEUE if name in {None, COMMON_QUEUE} else f"{QUEUE}.{name}"


def withdraw(settings: Settings, run_id: str, *, started_too: bool) -> bool:
    """Take a run out of the queue; whether there was one to take.

    ``started_too`` also gives up what a worker had begun, for runs whose worker is gone.
    """
    wanted = _UNFINISHED if started_too else _WAITING
    with client(settings) as queue:
        found = [i for i, status in _attempts(queue, run_id).items() if status in wanted]
        queue.cancel_workflows(found)
        return bool(found)


def knows(settings: Settings, run_id: str) -> bool:
    """Whether a run is queued or under way; one whose queueing failed is not."""
    with client(settings) as queue:
        return any(status in _UNFINISHED for status in _attempts(queue, run_id).values())


def forget(settings: Settings, run_id: str) -> None:
    """Drop what the queue remembers of a run that is over."""
    with client(settings) as queue:
        queue.delete_workflows(list(_attempts(queue, run_id)))


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
    """The client of the queue of this process; the queue's tables are made where they are missing."""
    with one_sentence():
        yield _client(settings.jobs_url)


@contextmanager
def one_sentence() -> Iterator[None]:
    """What DBOS passes on of a database that cannot be used becomes DatabaseUnusable."""
    try:
        yield
    except Exception as error:
        # SQLAlchemy keeps a driver's error as ``orig``; it stays in db, so it is known here by that.
        said = str(getattr(error, "orig", None) or "").strip().splitlines()
        if not said:
            raise
        raise DatabaseUnusable(
            f"The job queue cannot be used ({logs.scrub(said[0]).rstrip('.')}); check that the database server runs "
            "and that its disk is not full."
        ) from error


def _client(url: str) -> "DBOSClient":
    """One for all calls of this process: making it takes longer than what is asked of it."""
    from dbos import DBOSClient, error  # noqa: PLC0415 - takes half a second; pages that only read never pay it

    with _LOCK:
        if url in _CLIENTS:
            return _CLIENTS[url][0]
        quiet()
        try:
            _prepare(url)
            with ExitStack() as closing_all:
                made = DBOSClient(
                    system_database_url=url,
                    # DBOS's own connections ask a server whether it lives before each use; these, after a rest.
                    system_database_engine=None if url.startswith(_SQLITE) else _connections(url, closing_all),
                    application_name=APPLICATION,
                    retry_connection_errors=False,
                )
                closing_all.callback(made.destroy)
                _CLIENTS[url] = (made, closing_all.pop_all())
        except error.DBOSException as cause:
            raise DatabaseUnusable(f"The job queue cannot be used: {cause}") from cause
        return made


def _connections(url: str, until: ExitStack) -> Any:
    engine = connection.create(url)
    until.callback(engine.dispose)
    return engine


@atexit.register
def close() -> None:
    """Close the clients of this process; a new one is made when it is needed."""
    with _LOCK:
        while _CLIENTS:
            _CLIENTS.popitem()[1][1].close()


def quiet() -> None:
    """Let DBOS's log go where the entry point sends logs, and not to the terminal."""
    log = logging.getLogger("dbos")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.setLevel(logging.WARNING)
    log.propagate = True


@cache
def _prepare(url: str) -> None:
    """Create DBOS's tables, once per process."""
    from dbos import DBOS  # noqa: PLC0415 - as above

    DBOS.migrate(url)
    if url.startswith(_SQLITE):
        _write_ahead(url.removeprefix(_SQLITE))


def _write_ahead(file: str) -> None:
    """Give a queue's file the mode in which a commit waits for the disk once and readers do not wait for writers.

    DBOS leaves the rollback journal. The mode is the file's own: whoever opens it later finds it. Changing it does not
    wait for another process that is at work on the file; the next one to open it tries again.
    """
    with closing(sqlite3.connect(file)) as opened, suppress(sqlite3.OperationalError):
        opened.execute("PRAGMA journal_mode=WAL")


def register(queue: "DBOSClient", name: str = QUEUE) -> None:
    """Make a queue of runs: one run of an endpoint at a time.

    How many runs a worker takes is the worker's own and set by ``limit_this_worker``; the one of the database is what
    remains should that not work.
    """
    queue.register_queue(
        name,
        partition_concurrency=1,
        worker_concurrency=1,
        polling_interval_sec=POLL_SECONDS,
        on_conflict="always_update",
    )


def limit_this_worker(parallel: int) -> None:
    """Let this process take at most so many runs from all queues of runs together; after DBOS was launched.

    DBOS 3.4 keeps that number in the queue's row, which all workers of a database read at each poll, though they run on
    machines that differ. What it reads is therefore given this worker's number, less what it runs from other queues.
    """
    from dbos._dbos import _get_dbos_instance  # noqa: PLC0415 - as above

    worker = _get_dbos_instance()
    database = worker._sys_db  # noqa: SLF001 - there is no public way to a limit per process
    stored, seen = database.get_queue, {QUEUE}

    def get_queue(name: str, **more: Any) -> "Queue | None":
        queue = stored(name, **more)
        if queue is not None and (name == QUEUE or name.startswith(f"{QUEUE}.")):
            seen.add(name)
            running = worker._active_workflows_set.count_for_queue  # noqa: SLF001 - as above
            queue._worker_concurrency = max(0, parallel - sum(running(other) for other in seen - {name}))  # noqa: SLF001
        return queue

    database.get_queue = get_queue  # type: ignore[method-assign]
