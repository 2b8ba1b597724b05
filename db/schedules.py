"""Schedules, what became of each of their times, and alerts."""

import difflib
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, case, delete, exc, insert, select, update

from db.codec import unpack
from db.columns import fold
from db.connection import Connected
from db.runs import Runs
from db.tables import ALERTS, FIRINGS, RUNS, SCHEDULES
from domain.errors import NotFound, UserError
from domain.runs import Run, RunState
from domain.schedules import Alert, AlertState, Firing, FiringState, Schedule


class Schedules(Connected):
    """The Store's part on schedules."""

    def add_schedule(self, schedule: Schedule) -> None:
        """Keep a schedule; its name must be free, whatever its case and accents."""
        try:
            with self._writing() as connection:
                connection.execute(insert(SCHEDULES).values(_schedule_row(schedule)))
        except exc.IntegrityError as error:
            raise _name_taken(schedule.name) from error

    def update_schedule(self, schedule: Schedule) -> None:
        """Change a schedule; found by its id."""
        changed = update(SCHEDULES).where(SCHEDULES.c.id == schedule.id).values(_schedule_row(schedule))
        try:
            with self._writing() as connection:
                found = connection.execute(changed).rowcount
        except exc.IntegrityError as error:
            raise _name_taken(schedule.name) from error
        if not found:
            raise self._unknown_schedule(schedule.name)

    def remove_schedule(self, schedule_id: str) -> None:
        """Forget a schedule and its times; its runs and alerts stay."""
        with self._writing() as connection:
            connection.execute(delete(FIRINGS).where(FIRINGS.c.schedule_id == schedule_id))
            connection.execute(delete(SCHEDULES).where(SCHEDULES.c.id == schedule_id))

    def schedules(self) -> list[Schedule]:
        """All schedules by name."""
        with self._reading() as connection:
            wanted = select(SCHEDULES.c.body).order_by(SCHEDULES.c.name_key)
            return [unpack(Schedule, body) for body in connection.scalars(wanted)]

    def schedule(self, name_or_id: str) -> Schedule:
        """One schedule by its name or id; NotFound names near matches."""
        wanted = select(SCHEDULES.c.body).where(
            (SCHEDULES.c.id == name_or_id) | (SCHEDULES.c.name_key == fold(name_or_id))
        )
        with self._reading() as connection:
            body = connection.scalars(wanted).first()
        if body is None:
            raise self._unknown_schedule(name_or_id)
        return unpack(Schedule, body)

    def claim_firing(self, firing: Firing) -> Firing:
        """Keep what is to become of a due time unless somebody was faster; what holds is returned."""
        key = _of_firing(firing.schedule_id, firing.due_at)
        try:
            with self._writing() as connection:
                body = connection.scalar(select(FIRINGS.c.body).where(*key))
                if body is None:
                    connection.execute(insert(FIRINGS).values(_firing_row(firing)))
                    return firing
                return unpack(Firing, body)
        except exc.IntegrityError:  # another process between the look and the write, or the schedule was removed
            with self._reading() as connection:
                body = connection.scalar(select(FIRINGS.c.body).where(*key))
            if body is None:
                raise self._unknown_schedule(firing.schedule_id) from None
            return unpack(Firing, body)

    def update_firing(self, firing: Firing) -> None:
        """Change what became of a due time; nothing where its schedule was removed meanwhile."""
        key = _of_firing(firing.schedule_id, firing.due_at)
        with self._writing() as connection:
            connection.execute(update(FIRINGS).where(*key).values(_firing_row(firing)))

    def firing(self, schedule_id: str, due_at: datetime) -> Firing | None:
        """What became of one due time; None where nobody took note of it."""
        with self._reading() as connection:
            body = connection.scalar(select(FIRINGS.c.body).where(*_of_firing(schedule_id, due_at)))
            return None if body is None else unpack(Firing, body)

    def firings(self, schedule_id: str, *, limit: int = 20) -> list[Firing]:
        """What became of the times of a schedule, latest first."""
        wanted = select(FIRINGS.c.body).where(FIRINGS.c.schedule_id == schedule_id)
        with self._reading() as connection:
            found = connection.scalars(wanted.order_by(FIRINGS.c.due_at.desc()).limit(limit))
            return [unpack(Firing, body) for body in found]

    def open_firings(self) -> list[Firing]:
        """Times whose run, or whose failure to start one, was not yet dealt with; oldest first."""
        wanted = select(FIRINGS.c.body).where(
            FIRINGS.c.settled_at.is_(None), FIRINGS.c.state.in_((FiringState.STARTED, FiringState.FAILED))
        )
        with self._reading() as connection:
            return [unpack(Firing, body) for body in connection.scalars(wanted.order_by(FIRINGS.c.due_at))]

    def settle_firing(self, firing: Firing, alerts: Sequence[Alert]) -> None:
        """Close a due time with its comparison and its alerts in one transaction; what is kept already stays."""
        key = _of_firing(firing.schedule_id, firing.due_at)
        with self._writing() as connection:
            connection.execute(update(FIRINGS).where(*key).values(_firing_row(firing)))
            known = set(connection.scalars(select(ALERTS.c.id).where(ALERTS.c.id.in_([a.id for a in alerts]))))
            rows = [_alert_row(alert) for alert in alerts if alert.id not in known]
            if rows:
                connection.execute(insert(ALERTS), rows)

    def update_alert(self, alert: Alert) -> None:
        """Note how the delivery of an alert goes."""
        with self._writing() as connection:
            connection.execute(update(ALERTS).where(ALERTS.c.id == alert.id).values(_alert_row(alert)))

    def alert(self, alert_id: str) -> Alert:
        """One alert by its id."""
        with self._reading() as connection:
            body = connection.scalar(select(ALERTS.c.body).where(ALERTS.c.id == alert_id))
        if body is None:
            raise NotFound(f"No alert has the id {alert_id!r}.")
        return unpack(Alert, body)

    def alerts(
        self, *, schedule_id: str | None = None, states: Collection[AlertState] | None = None, limit: int = 50
    ) -> list[Alert]:
        """Alerts, latest first."""
        wanted = select(ALERTS.c.body).order_by(ALERTS.c.created_at.desc(), ALERTS.c.id).limit(limit)
        if schedule_id is not None:
            wanted = wanted.where(ALERTS.c.schedule_id == schedule_id)
        if states is not None:
            wanted = wanted.where(ALERTS.c.state.in_(states))
        with self._reading() as connection:
            return [unpack(Alert, body) for body in connection.scalars(wanted)]

    def run_before(self, run: Run) -> Run | None:
        """The last finished earlier run of the same identity; one with failures only where there is no other."""
        wanted = select(RUNS).where(
            RUNS.c.identity == run.spec.identity,
            RUNS.c.id != run.id,
            RUNS.c.created_at < run.created_at,
            RUNS.c.state.in_((RunState.DONE, RunState.DONE_WITH_FAILURES)),
        )
        whole_first = case((RUNS.c.state == RunState.DONE, 0), else_=1)
        with self._reading() as connection:
            rows = connection.execute(
                wanted.order_by(whole_first, RUNS.c.created_at.desc(), RUNS.c.id).limit(1)
            ).mappings()
            return next(iter(_with_benchmarks(connection, list(rows))), None)

    def _unknown_schedule(self, name: str) -> NotFound:
        by_key = {fold(schedule.name): schedule.name for schedule in self.schedules()}
        near = [by_key[key] for key in difflib.get_close_matches(fold(name), by_key, n=3, cutoff=0.5)]
        meant = f"did you mean {' or '.join(map(repr, near))}?" if near else "`vera schedule list` shows the names."
        return NotFound(f"There is no schedule named {name!r}; {meant}")


def _with_benchmarks(connection: Connection, rows: list[Any]) -> list[Run]:
    return Runs._with_benchmarks(connection, rows)  # noqa: SLF001 - the Store is one class in several files


def _of_firing(schedule_id: str, due_at: datetime) -> tuple[Any, ...]:
    return (FIRINGS.c.schedule_id == schedule_id, FIRINGS.c.due_at == due_at)


def _schedule_row(schedule: Schedule) -> dict[str, Any]:
    return {
        "id": schedule.id,
        "name_key": fold(schedule.name),
        "endpoint_id": schedule.endpoint_id,
        "paused": schedule.paused,
        "body": schedule,
    }


def _firing_row(firing: Firing) -> dict[str, Any]:
    columns = ("schedule_id", "due_at", "state", "run_id", "settled_at")
    return {name: getattr(firing, name) for name in columns} | {"body": firing}


def _alert_row(alert: Alert) -> dict[str, Any]:
    columns = ("id", "schedule_id", "state", "created_at")
    return {name: getattr(alert, name) for name in columns} | {"body": alert}


def _name_taken(name: str) -> UserError:
    return UserError(f"A schedule named {name!r} exists already; choose another name (case and accents do not count).")
