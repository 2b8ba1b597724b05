"""What a worker does when a schedule falls due, and when the run it started is over.

Every function here may be called any number of times by any number of workers: a due time is claimed in the database by
whoever comes first, its run has an id made of it, and so have its alerts.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from domain.comparison import Comparison
from domain.errors import DatabaseUnusable, NotFound, UnknownModel, UserError
from domain.hashing import sha256_of
from domain.runs import Run, RunState
from domain.schedules import LATE, Firing, FiringState, Missed, Overlap, Schedule
from domain.words import moment_text
from jobs import alerts, choices, comparisons, due, plans, runs
from jobs.context import Context

#: DBOS fires with a jitter of up to ten seconds; what is still missing after this was missed.
_GRACE = timedelta(seconds=30)
#: A run that was claimed and not made for this long lost its worker between the two.
_STALLED = timedelta(minutes=1)


def fire(context: Context, schedule_id: str, due_at: datetime, *, manual: bool = False) -> Firing | None:
    """Take note of a due time and start its run unless it is to be skipped; None where it does not count."""
    schedule = find(context, schedule_id)
    if schedule is None or not (manual or _counts(schedule, due_at)):
        return None
    claimed = context.store.claim_firing(_decide(context, schedule, due_at, manual=manual))
    return _start(context, schedule, claimed)


def find(context: Context, schedule_id: str) -> Schedule | None:
    """The schedule of an id; None where it was removed."""
    try:
        return context.store.schedule(schedule_id)
    except NotFound:
        return None


def catch_up(context: Context) -> None:
    """Fire what no worker fired at its time: only the latest missed time of each schedule, as it chose."""
    now = datetime.now(UTC)
    for schedule in context.store.schedules():
        if schedule.paused:
            continue
        missed = due.last_due(schedule, now - _GRACE)
        if missed and missed > schedule.active_since and context.store.firing(schedule.id, missed) is None:
            fire(context, schedule.id, missed)
    for firing in context.store.open_firings():
        if firing.state is FiringState.STARTED and now - firing.recorded_at > _STALLED:
            _start(context, find(context, firing.schedule_id), firing)


def to_settle(context: Context) -> list[Firing]:
    """Due times whose run is over, or could not be started, and which nobody has dealt with."""
    return [firing for firing in context.store.open_firings() if _is_over(context, firing)]


def settle(context: Context, schedule_id: str, due_at: datetime) -> str:
    """Compare the run of a due time with the one before it and keep the alerts that arise; the run's state."""
    schedule, firing = find(context, schedule_id), context.store.firing(schedule_id, due_at)
    if schedule is None or firing is None or firing.settled_at is not None:
        return "nothing to do"
    run = _run(context, firing)
    comparison, reason = _compared(context, schedule, run)
    now = datetime.now(UTC)
    closed = replace(firing, comparison=comparison, not_compared=reason, settled_at=now)
    model = context.store.endpoint(schedule.endpoint_id).name
    context.store.settle_firing(closed, alerts.arising(schedule, model, closed, run, now=now))
    return run.state.value if run else closed.state.value


def _counts(schedule: Schedule, due_at: datetime) -> bool:
    return not schedule.paused and due_at > schedule.active_since and due.is_due(schedule, due_at)


def _decide(context: Context, schedule: Schedule, due_at: datetime, *, manual: bool) -> Firing:
    now = datetime.now(UTC)
    firing = Firing(
        schedule_id=schedule.id,
        due_at=due_at,
        manual=manual,
        state=FiringState.STARTED,
        run_id=sha256_of([schedule.id, due_at.astimezone(UTC)])[:12],
        recorded_at=now,
    )
    reason = _missed(schedule, due_at, now) or _overlap(context, schedule, due_at)
    if reason:
        return replace(firing, state=FiringState.SKIPPED, reason=reason, run_id=None)
    try:
        plan(context, schedule)
    except DatabaseUnusable:
        raise
    except UserError as error:
        return replace(firing, state=FiringState.FAILED, reason=error.sentence, run_id=None)
    return firing


def _missed(schedule: Schedule, due_at: datetime, now: datetime) -> str | None:
    """Why a time that has passed is not made up for; None where it is, or was not missed."""
    if now - due_at < LATE:
        return None
    if schedule.missed is Missed.SKIP:
        return "No worker ran at that time; missed times of this schedule are skipped."
    latest = due.last_due(schedule, now)
    if latest is not None and latest > due_at:
        return "No worker ran at that time; a later time stands in for it."
    return None


def _overlap(context: Context, schedule: Schedule, due_at: datetime) -> str | None:
    """Why a time is skipped because of a run that goes on; None where it is not."""
    started = [f for f in context.store.firings(schedule.id) if f.state is FiringState.STARTED and f.due_at != due_at]
    going = [(f, run) for f in started if (run := _run(context, f)) is not None and not run.state.is_final]
    if not going:
        return None
    if schedule.overlap is Overlap.SKIP:
        return f"The run of {moment_text(going[0][0].due_at)} was not over."
    waiting = next((f for f, run in going if run.state is RunState.QUEUED), None)
    return None if waiting is None else f"The run of {moment_text(waiting.due_at)} already waits for the one before it."


def plan(context: Context, schedule: Schedule) -> plans.Plan:
    """What a schedule would run now; a sentence where it cannot."""
    if all(endpoint.id != schedule.endpoint_id for endpoint in context.store.endpoints()):
        name = context.store.endpoint(schedule.endpoint_id).name
        raise UnknownModel(
            f"The model {name} was removed; remove the schedule {schedule.name}, or give it another model."
        )
    planned = plans.plan_run(
        context,
        model=schedule.endpoint_id,
        suite=schedule.suite,
        requirements=schedule.requirements,
        **choices.arguments(context, schedule.choices),
    )
    runs.refuse_empty(planned)
    choices.refuse_unused(planned)
    return planned


def _start(context: Context, schedule: Schedule | None, firing: Firing) -> Firing:
    """Make the run of a claimed time and queue it; one that is there already is left alone."""
    if schedule is None or firing.state is not FiringState.STARTED or firing.run_id is None:
        return firing
    run = _run(context, firing)
    if run is not None and run.state is not RunState.QUEUED:
        return firing
    try:
        runs.start_run(
            context,
            plan(context, schedule),
            created_by=f"schedule {schedule.name}",
            fresh=True,
            run_id=firing.run_id,
            priority=schedule.priority,
        )
    except DatabaseUnusable:
        raise
    except UserError as error:
        firing = replace(firing, state=FiringState.FAILED, reason=error.sentence)
        context.store.update_firing(firing)
    return firing


def _run(context: Context, firing: Firing) -> Run | None:
    if firing.run_id is None:
        return None
    try:
        return context.store.run(firing.run_id)
    except NotFound:
        return None


def _is_over(context: Context, firing: Firing) -> bool:
    if firing.state is FiringState.FAILED:
        return True
    run = _run(context, firing)
    return run is not None and run.state.is_final


def _compared(context: Context, schedule: Schedule, run: Run | None) -> tuple[Comparison | None, str | None]:
    """The comparison with the run before, or why there is none."""
    if run is None or run.state not in {RunState.DONE, RunState.DONE_WITH_FAILURES}:
        return None, "A run that did not finish is not compared."
    before = context.store.run_before(run)
    if before is None:
        return None, "It is the first of its kind, so there is nothing to compare it with."
    policy_file = Path(schedule.policy_file) if schedule.policy_file else None
    try:
        return comparisons.compare_runs(context, before.id, run.id, policy_file=policy_file), None
    except DatabaseUnusable:
        raise
    except UserError as error:
        return None, error.sentence
