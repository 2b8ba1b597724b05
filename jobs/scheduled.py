"""Schedules on DBOS's own scheduler: rows in its tables that mirror ours, and the workflows a worker runs for them.

DBOS 3.4 does most of it: it reads its schedule rows again while it runs, evaluates the cron text in the row's time
zone and enqueues each due time under an id made of schedule and time, so that many workers make one workflow. Three
things it does not do, and they are added here and in ``jobs.firings``: a choice for missed times (its backfill starts
every one of them, or none), a choice for overlapping runs, and one run instead of two in the night the clocks go back.

What follows a run (comparison, alerts) hangs on what the database says is over, not on a workflow that waits for hours:
whichever worker looks first enqueues it under an id of its own, and a worker that dies leaves it to the next.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from domain.runs import Worker
from domain.schedules import AlertState, Schedule
from domain.settings import Settings
from jobs import alerts, firings, queue
from jobs.context import Context
from jobs.workers import live_workers

if TYPE_CHECKING:
    from dbos import DBOSClient, EnqueueOptions

LOG = logging.getLogger("vera.worker")
QUEUE = "schedules"
_FIRE, _SETTLE, _DELIVER = "schedule_fire", "schedule_settle", "schedule_deliver"
_OURS = [_FIRE, _SETTLE, _DELIVER]
_UNFINISHED = ("ENQUEUED", "DELAYED", "PENDING")
#: Of one worker at the same time, and how often it looks for new ones.
_CONCURRENCY, _QUEUE_POLL_SECONDS = 4, 1.0


def define(context: Context) -> None:
    """Register the workflows with DBOS, before it is launched."""
    from dbos import DBOS  # noqa: PLC0415 - the dashboard mirrors schedules and runs none

    @DBOS.step(name="fire")
    def fire(schedule_id: str, due_at: str) -> str:
        fired = firings.fire(context, schedule_id, datetime.fromisoformat(due_at))
        return "does not count" if fired is None else fired.state.value

    @DBOS.step(name="settle")
    def settle(schedule_id: str, due_at: str) -> str:
        return firings.settle(context, schedule_id, datetime.fromisoformat(due_at))

    @DBOS.step(name="attempt")
    def attempt(alert_id: str) -> str:
        return alerts.attempt(context, alert_id).value

    @DBOS.workflow(name=_FIRE, max_recovery_attempts=queue.MAX_ATTEMPTS)
    def on_time(due_at: datetime, schedule_id: str) -> str:
        return fire(schedule_id, due_at.isoformat())

    @DBOS.workflow(name=_SETTLE, max_recovery_attempts=queue.MAX_ATTEMPTS)
    def when_over(schedule_id: str, due_at: str) -> str:
        return settle(schedule_id, due_at)

    @DBOS.workflow(name=_DELIVER, max_recovery_attempts=queue.MAX_ATTEMPTS)
    def deliver(alert_id: str) -> str:
        # One attempt each: the wait before the next one is spent in the queue, where no restart can cut it short.
        return attempt(alert_id)


def prepare(context: Context) -> None:
    """Make the queue and bring DBOS's rows in line with ours; at the start of a worker and after each change."""
    with queue.client(context.settings) as client:
        client.register_queue(
            QUEUE,
            worker_concurrency=_CONCURRENCY,
            polling_interval_sec=_QUEUE_POLL_SECONDS,
            on_conflict="always_update",
        )
        _mirror(client, context.store.schedules())


def _mirror(client: "DBOSClient", wanted: Iterable[Schedule]) -> None:
    ours = {schedule.id: schedule for schedule in wanted}
    theirs = {row["schedule_name"]: row for row in client.list_schedules(workflow_name=_FIRE)}
    for name in set(theirs) - set(ours):
        client.delete_schedule(name)
    changed = [s for s in ours.values() if s.id not in theirs or _differs(s, theirs[s.id])]
    client.apply_schedules(
        [
            {
                "schedule_name": s.id,
                "workflow_name": _FIRE,
                "schedule": s.cron,
                "cron_timezone": s.timezone,
                "context": s.id,
                "queue_name": QUEUE,
                "automatic_backfill": False,
            }
            for s in changed
        ]
    )
    for schedule in ours.values():
        is_paused = schedule.id in theirs and theirs[schedule.id]["status"] == "PAUSED"
        if schedule.paused and not is_paused:
            client.pause_schedule(schedule.id)
        if is_paused and not schedule.paused:
            client.resume_schedule(schedule.id)


def _differs(schedule: Schedule, row: Mapping[str, Any]) -> bool:
    return (schedule.cron, schedule.timezone) != (row["schedule"], row["cron_timezone"])


def look_after(context: Context, me: Worker) -> None:
    """Catch up with missed times, deal with runs that are over and alerts that wait, take over from dead workers."""
    firings.catch_up(context)
    due: list[tuple[str, str, tuple[str, ...]]] = []
    for firing in firings.to_settle(context):
        moment = firing.due_at.astimezone(UTC)
        base = f"settle-{firing.schedule_id}-{moment:%Y%m%dT%H%M%S%f}"
        due.append((base, _SETTLE, (firing.schedule_id, moment.isoformat())))
    pending = context.store.alerts(states={AlertState.PENDING}, limit=200)
    due += [(f"alert-{alert.id}", _DELIVER, (alert.id,)) for alert in pending]
    _recover(context, me)
    if due:
        with queue.client(context.settings) as client:
            for base, workflow, arguments in due:
                _enqueue_once(client, context.settings, base, workflow, arguments)


def _enqueue_once(
    client: "DBOSClient", settings: Settings, base: str, workflow: str, arguments: tuple[str, ...]
) -> None:
    """Enqueue the next attempt unless one is under way; two workers that count alike name the same attempt."""
    found = client.list_workflows(workflow_id_prefix=f"{base}.", load_input=False, load_output=False)
    if any(attempt.status in _UNFINISHED for attempt in found):
        return
    options: EnqueueOptions = {
        "workflow_name": workflow,
        "queue_name": QUEUE,
        "workflow_id": f"{base}.{len(found) + 1}",
    }
    if workflow == _DELIVER and found:
        options["delay_seconds"] = alerts.wait_before(settings, len(found) + 1)
    client.enqueue(options, *arguments)


def _recover(context: Context, me: Worker) -> None:
    """Queue again what dead workers of this version left; of another version, give it up for a new attempt."""
    from dbos import DBOS  # noqa: PLC0415 - as above

    pending = DBOS.list_workflows(status="PENDING", name=_OURS, load_input=False, load_output=False)
    if not pending:
        return
    alive = [me, *(worker for worker in live_workers(context) if worker.id != me.id)]
    left = [workflow for workflow in pending if workflow.executor_id not in {worker.id for worker in alive}]
    for executor in {w.executor_id or "" for w in left if w.app_version == me.version}:
        LOG.warning("taking over the schedules of worker %s", executor)
        DBOS._recover_pending_workflows([executor])  # noqa: SLF001 - as in jobs.takeover
    _give_up([w.workflow_id for w in left if w.app_version not in {worker.version for worker in alive}])


def _give_up(workflow_ids: Collection[str]) -> None:
    from dbos import DBOS  # noqa: PLC0415 - as above

    for workflow_id in workflow_ids:
        DBOS.cancel_workflow(workflow_id)
