"""Runs of dead workers, queued again. However many workers look at once, each run is queued once."""

import logging
from collections.abc import Collection

from dbos import DBOS

from domain.runs import Worker
from jobs import queue
from jobs.context import Context
from jobs.workers import live_workers

LOG = logging.getLogger("vera.worker")


def take_over(context: Context, me: Worker) -> None:
    """Queue again what workers that are gone left pending, and forget those workers."""
    alive = [me, *(worker for worker in live_workers(context) if worker.id != me.id)]
    names = {worker.id for worker in alive}
    # First: the processes of a worker that is only cut off end themselves when it is forgotten.
    _forget(context, names)
    _promote({worker.version for worker in alive})
    pending = DBOS.list_workflows(status="PENDING", name=queue.WORKFLOW, load_input=False, load_output=False)
    left = [workflow for workflow in pending if workflow.executor_id not in names]
    for executor in {workflow.executor_id for workflow in left if workflow.app_version == me.version}:
        LOG.warning("taking over the runs of worker %s", executor)
        # DBOS changes only what is still pending under that name, so a second worker that looks now changes nothing;
        # its public resume would also queue a run again that another worker has just begun.
        DBOS._recover_pending_workflows([executor or ""])  # noqa: SLF001 - there is no public form of it
    for workflow in left:
        if workflow.app_version not in {worker.version for worker in alive}:
            _move_to_this_version(context, workflow.workflow_id)


def _move_to_this_version(context: Context, workflow_id: str) -> None:
    """Go on with a run that was begun under a version of which no worker is left, as a new attempt of this version."""
    run = context.store.run(queue.run_of(workflow_id))
    LOG.warning("taking over run %s from another version", run.id)
    DBOS.cancel_workflow(workflow_id)
    queue.enqueue(context, run)


def _promote(versions: Collection[str]) -> None:
    """Give new runs to the newest version that has a worker: DBOS keeps them for the newest that ever had one."""
    known = [version["version_name"] for version in DBOS.list_application_versions()]
    newest = next((name for name in known if name in versions), None)
    if newest is not None and newest != known[0]:
        LOG.warning("no worker of version %s is left; new runs go to %s", known[0], newest)
        DBOS.set_latest_application_version(newest)


def _forget(context: Context, names: Collection[str]) -> None:
    for worker in context.store.workers():
        if worker.id not in names:
            context.store.remove_worker(worker.id)
