"""Schedules: added, changed, paused, run at once, removed, and how each is doing."""

import re
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from domain.choices import Choices
from domain.comparison import Comparison
from domain.endpoints import Endpoint
from domain.errors import NotFound, RunFailed, UserError
from domain.runs import Priority, Run
from domain.schedules import (
    Firing,
    FiringState,
    Missed,
    Overlap,
    Schedule,
    ScheduleStatus,
    Target,
    TargetKind,
    judge,
)
from jobs import alerts, due, endpoints, firings, scheduled, secrets
from jobs.context import Context
from requirements_map import policies

_NAME = re.compile(r"[^\W_][\w ,.:/@+-]{0,79}")
_MAILBOX = re.compile(r"[^@\s<>,;]+@[^@\s<>,;]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A schedule as somebody describes it."""

    name: str
    model: str
    suite: str = "starter"
    requirements: tuple[str, ...] = ()
    #: Made by ``jobs.choices``, which notes what each file holds.
    choices: Choices = field(default_factory=Choices)
    priority: Priority = Priority.NORMAL
    policy_file: str | None = None
    cron: str
    timezone: str = "UTC"
    missed: Missed = Missed.RUN_ONCE
    overlap: Overlap = Overlap.SKIP
    targets: tuple[Target, ...] = ()


def add_schedule(context: Context, wanted: Wanted, *, created_by: str) -> Schedule:
    """Keep a new schedule; what cannot be used of it is one sentence, and nothing is kept."""
    schedule = _checked(context, wanted, created_by=created_by)
    context.store.add_schedule(schedule)
    scheduled.prepare(context)
    return schedule


def change_schedule(context: Context, name: str, wanted: Wanted) -> Schedule:
    """Change a schedule; with another time, what fell due before is nobody's to make up for."""
    old = context.store.schedule(name)
    new = _checked(context, wanted, created_by=old.created_by)
    new = replace(new, id=old.id, created_at=old.created_at, active_since=old.active_since)
    if (new.cron, new.timezone) != (old.cron, old.timezone):
        new = replace(new, active_since=datetime.now(UTC))
    return _keep(context, replace(new, paused=old.paused))


def pause_schedule(context: Context, name: str) -> Schedule:
    """Start no further runs; one that goes on is not touched."""
    return _keep(context, replace(context.store.schedule(name), paused=True))


def resume_schedule(context: Context, name: str) -> Schedule:
    """Go on with the next due time; what fell due during the pause is not made up for."""
    schedule = context.store.schedule(name)
    if not schedule.paused:
        return schedule
    return _keep(context, replace(schedule, paused=False, active_since=datetime.now(UTC)))


def remove_schedule(context: Context, name: str) -> Schedule:
    """Forget a schedule; its runs and what was alerted stay."""
    schedule = context.store.schedule(name)
    context.store.remove_schedule(schedule.id)
    scheduled.prepare(context)
    return schedule


def run_now(context: Context, name: str) -> Firing:
    """Start the run of a schedule at once, also of a paused one; a sentence where that cannot be."""
    schedule = context.store.schedule(name)
    firing = firings.fire(context, schedule.id, datetime.now(UTC), manual=True)
    if firing is None:
        raise NotFound(f"The schedule {schedule.name} was removed.")
    if firing.state is FiringState.SKIPPED:
        raise UserError(f"{schedule.name} was not started. {firing.reason}")
    if firing.state is FiringState.FAILED:
        raise RunFailed(f"{schedule.name} could not be started: {firing.reason}")
    return firing


def settle(context: Context, firing: Firing) -> Firing:
    """The due time with its comparison, made now if no worker has; its alerts are tried once if they wait."""
    firings.settle(context, firing.schedule_id, firing.due_at)
    for alert in context.store.alerts(schedule_id=firing.schedule_id):
        if alert.due_at == firing.due_at:
            alerts.attempt(context, alert.id)
    return context.store.firing(firing.schedule_id, firing.due_at) or firing


def next_in_words(schedule: Schedule, *, now: datetime | None = None, count: int = 5) -> list[str]:
    """The next due times as a person says them."""
    moments = due.next_due(schedule, now or datetime.now(UTC), count=count)
    return [due.in_words(moment, schedule.timezone) for moment in moments]


def preview(cron: str, timezone: str, *, count: int = 5) -> list[str]:
    """The next times of a cron text in words, before anything is kept; a sentence where it cannot be used."""
    now = datetime.now(UTC)
    asked = Schedule(
        id="", name="", endpoint_id="", suite="", cron=due.check_cron(cron), timezone=due.check_timezone(timezone),
        created_by="", created_at=now, active_since=now,
    )  # fmt: skip
    return next_in_words(asked, now=now, count=count)


def status(context: Context, schedule: Schedule, *, now: datetime | None = None) -> ScheduleStatus:
    """How a schedule is doing, judged by its last run."""
    now = now or datetime.now(UTC)
    found = context.store.firings(schedule.id)
    told = next((firing for firing in found if firing.state is not FiringState.SKIPPED), None)
    run = _run(context, told)
    health, reason = judge(schedule, found, run, last_due=due.last_due(schedule, now), now=now)
    return ScheduleStatus(
        schedule=schedule,
        model=_model(context.store.endpoints(), schedule),
        health=health,
        reason=reason,
        last_firing=found[0] if found else None,
        last_run=run,
        next_due=None if schedule.paused else next(due.following(schedule, now), None),
        alerts=tuple(a for a in context.store.alerts(schedule_id=schedule.id) if told and a.due_at == told.due_at),
    )


def statuses(context: Context) -> list[ScheduleStatus]:
    """All schedules by name, each with how it is doing."""
    now = datetime.now(UTC)
    return [status(context, schedule, now=now) for schedule in context.store.schedules()]


def last_comparison(context: Context, schedule: Schedule) -> Comparison | None:
    """The latest comparison a schedule made; None before there is one."""
    found = context.store.firings(schedule.id)
    return next((firing.comparison for firing in found if firing.comparison is not None), None)


def target(kind: TargetKind, address: str, *, secret_ref: str | None = None) -> Target:
    """A checked target of alerts."""
    address = address.strip()
    if kind is TargetKind.EMAIL:
        if not _MAILBOX.fullmatch(address):
            raise UserError(f"{address!r} is no e-mail address; give one such as team@bank.example.")
        return Target(kind=kind, address=address)
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and parts.hostname and not (parts.username or parts.password)
        usable = usable and parts.port != 0 and not any(character.isspace() for character in address)
    except ValueError:
        usable = False
    if not usable:
        raise UserError(
            f"{address.split('@')[-1]!r} cannot be a webhook; give an http or https address without user and password, "
            "for example https://hooks.bank.example/vera."
        )
    return Target(kind=kind, address=address, secret_ref=secrets.check_reference(secret_ref) if secret_ref else None)


def _checked(context: Context, wanted: Wanted, *, created_by: str) -> Schedule:
    name = wanted.name.strip()
    if not _NAME.fullmatch(name):
        raise UserError(
            f"A schedule cannot be named {name!r}; use up to 80 letters, digits, spaces and , . : / @ + - _, a "
            "letter or digit first."
        )
    policy = str(Path(wanted.policy_file).expanduser().resolve()) if wanted.policy_file else None
    policies.load(Path(policy) if policy else context.settings.policy_file)
    if any(t.kind is TargetKind.EMAIL for t in wanted.targets) and not context.settings.smtp_host:
        raise UserError("E-mail needs a mail server; set VERA_SMTP_HOST and VERA_SMTP_FROM.")
    endpoint = context.store.endpoint(wanted.model)
    endpoints.refuse_imported(endpoint)
    now = datetime.now(UTC)
    schedule = Schedule(
        id=uuid.uuid4().hex[:12],
        name=name,
        endpoint_id=endpoint.id,
        suite=wanted.suite,
        requirements=tuple(dict.fromkeys(wanted.requirements)),
        choices=wanted.choices,
        priority=wanted.priority,
        policy_file=policy,
        cron=due.check_cron(wanted.cron),
        timezone=due.check_timezone(wanted.timezone),
        missed=wanted.missed,
        overlap=wanted.overlap,
        targets=tuple({t.key: t for t in wanted.targets}.values()),
        created_by=created_by,
        created_at=now,
        active_since=now,
    )
    firings.plan(context, schedule)
    return schedule


def _keep(context: Context, schedule: Schedule) -> Schedule:
    context.store.update_schedule(schedule)
    scheduled.prepare(context)
    return schedule


def _run(context: Context, firing: Firing | None) -> Run | None:
    if firing is None or firing.run_id is None:
        return None
    try:
        return context.store.run(firing.run_id)
    except NotFound:
        return None


def _model(endpoints: list[Endpoint], schedule: Schedule) -> str | None:
    return next((endpoint.name for endpoint in endpoints if endpoint.id == schedule.endpoint_id), None)
