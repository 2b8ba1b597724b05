"""A schedule, the times at which it fell due, the alerts that came of it, and how it is doing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from domain.choices import Choices
from domain.comparison import Comparison
from domain.runs import Priority, Run, RunState


class Missed(StrEnum):
    """What becomes of a time at which no worker ran."""

    #: the latest missed time is made up for once a worker is back; earlier ones are not
    RUN_ONCE = "run_once"
    SKIP = "skip"


class Overlap(StrEnum):
    """What becomes of a time at which the run before it is not over."""

    SKIP = "skip"
    #: it waits behind the one that goes on; at most one waits
    QUEUE = "queue"


class TargetKind(StrEnum):
    """How an alert reaches a person."""

    WEBHOOK = "webhook"
    EMAIL = "email"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where alerts go. Holds where the signing secret is found, never the secret."""

    kind: TargetKind
    #: An http(s) address, or a mailbox.
    address: str
    #: ``env:VARIABLE`` or ``file:ENTRY`` of the secrets file; of a webhook only.
    secret_ref: str | None = None

    @property
    def key(self) -> str:
        """Name of the target among those of a schedule."""
        return f"{self.kind}:{self.address}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """An evaluation that is to be run again and again: endpoint × suite × policy × notification."""

    id: str
    name: str
    endpoint_id: str
    suite: str
    #: Only these requirements of the suite; all where empty.
    requirements: tuple[str, ...] = ()
    choices: Choices = field(default_factory=Choices)
    priority: Priority = Priority.NORMAL
    #: Policy that judges a regression; the one of the settings where None.
    policy_file: str | None = None
    cron: str
    #: IANA name of the zone in which ``cron`` is meant.
    timezone: str = "UTC"
    missed: Missed = Missed.RUN_ONCE
    overlap: Overlap = Overlap.SKIP
    targets: tuple[Target, ...] = ()
    paused: bool = False
    created_by: str
    created_at: datetime
    #: Since when its present times hold; what fell due before is nobody's to make up for.
    active_since: datetime


class FiringState(StrEnum):
    """What became of a due time."""

    STARTED = "started"
    SKIPPED = "skipped"
    #: no run could be made: the model was removed, the suite is unknown …
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """One time at which a schedule fell due, or at which somebody asked for it at once."""

    schedule_id: str
    due_at: datetime
    manual: bool = False
    state: FiringState
    #: Why it was skipped or failed, in one sentence.
    reason: str | None = None
    run_id: str | None = None
    recorded_at: datetime
    #: When the run was over and had been compared; None before.
    settled_at: datetime | None = None
    #: With the run before it; None before it is settled and where there was nothing to compare with.
    comparison: Comparison | None = None
    #: Why there is no comparison, in one sentence.
    not_compared: str | None = None


class AlertKind(StrEnum):
    """Why somebody is told."""

    REGRESSION = "regression"
    #: the run failed, was cancelled, or could not be started
    RUN_FAILED = "run_failed"


class AlertState(StrEnum):
    """Whether an alert reached its target."""

    #: on its way, perhaps for another attempt
    PENDING = "pending"
    DELIVERED = "delivered"
    #: given up after the last attempt; the reason says why
    UNDELIVERED = "undelivered"
    #: the schedule has no target; it stands on the page
    SHOWN = "shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """One message to one target."""

    id: str
    schedule_id: str
    schedule_name: str
    model: str
    kind: AlertKind
    #: One sentence.
    headline: str
    #: Further sentences, e.g. one per requirement.
    details: tuple[str, ...] = ()
    run_id: str | None = None
    due_at: datetime
    #: None where it is shown on the page only.
    target: Target | None = None
    state: AlertState
    attempts: int = 0
    #: What the last attempt said.
    error: str | None = None
    created_at: datetime
    ended_at: datetime | None = None


class Health(StrEnum):
    """How a schedule is doing, judged by its last run and never by its last trigger."""

    #: its last run finished and nothing got worse
    OK = "ok"
    #: its last run finished, with a regression beyond the policy
    REGRESSED = "regressed"
    #: its last run failed, was cancelled, or could not be started
    FAILING = "failing"
    RUNNING = "running"
    #: a time has passed and no worker took note of it
    OVERDUE = "overdue"
    #: it never ran
    WAITING = "waiting"
    PAUSED = "paused"

    @property
    def is_bad(self) -> bool:
        """Whether a person should look."""
        return self in {Health.REGRESSED, Health.FAILING, Health.OVERDUE}


#: A due time that is this old was missed: workers take note of one within seconds.
LATE = timedelta(minutes=2)
_FINISHED_WELL = RunState.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleStatus:
    """A schedule with what a reader wants to know of it."""

    schedule: Schedule
    #: None where the model was removed.
    model: str | None
    health: Health
    #: What the health rests on, in one sentence.
    reason: str
    last_firing: Firing | None = None
    #: Of the last time that led to a run.
    last_run: Run | None = None
    #: None for a paused one and where no time ever comes.
    next_due: datetime | None = None
    #: Of the last run.
    alerts: tuple[Alert, ...] = ()

    @property
    def undelivered(self) -> tuple[Alert, ...]:
        """Alerts that did not reach their target."""
        return tuple(alert for alert in self.alerts if alert.state is AlertState.UNDELIVERED)


def judge(
    schedule: Schedule, firings: Sequence[Firing], run: Run | None, *, last_due: datetime | None, now: datetime
) -> tuple[Health, str]:
    """How a schedule is doing, with the reason in one sentence.

    ``firings`` are latest first, ``run`` is that of the latest one that led to a run, ``last_due`` the latest time that
    should have been noted by now.
    """
    told = [f for f in firings if f.state is not FiringState.SKIPPED]
    if overdue(schedule, firings, last_due=last_due, now=now):
        return Health.OVERDUE, "A time has passed without a run; is a worker running?"
    if not told:
        return (Health.PAUSED, "Paused before its first run.") if schedule.paused else (Health.WAITING, "Never ran.")
    health, reason = _of_last(told[0], run)
    # A pause stops new runs; it does not make a failed one a good one.
    if schedule.paused and not health.is_bad:
        return Health.PAUSED, f"Paused. {reason}"
    return health, reason


def overdue(schedule: Schedule, firings: Sequence[Firing], *, last_due: datetime | None, now: datetime) -> bool:
    """Whether a time has passed of which nobody took note."""
    if schedule.paused or last_due is None or last_due <= schedule.active_since or now - last_due < LATE:
        return False
    return all(firing.manual or firing.due_at < last_due for firing in firings)


def _of_last(firing: Firing, run: Run | None) -> tuple[Health, str]:
    if firing.state is FiringState.FAILED or run is None:
        return Health.FAILING, firing.reason or "The run it started is gone."
    if not run.state.is_final:
        return Health.RUNNING, f"Its run is {run.state.value}."
    if run.state is not _FINISHED_WELL:
        return Health.FAILING, run.reason or f"Its last run is {run.state.value.replace('_', ' ')}."
    if firing.settled_at is None:
        return Health.RUNNING, "Its run is over and is being compared with the one before."
    if firing.comparison is not None and firing.comparison.regressions:
        return Health.REGRESSED, firing.comparison.headline
    if firing.comparison is None:
        return Health.OK, f"Its last run finished. {firing.not_compared or ''}".strip()
    return Health.OK, f"Its last run finished. {firing.comparison.headline}"
