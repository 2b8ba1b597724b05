"""With three worker processes a schedule fires once, on time, and what follows its run is done once."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes import receivers, running
from fakes.databases import new_postgres_url, postgres_server_url
from fakes.openai_server import FakeServer

from domain.choices import Choices
from domain.runs import RunState
from domain.schedules import AlertState, Firing, Health, Schedule, TargetKind
from jobs import queue, schedules
from jobs.context import Context
from jobs.workers import live_workers

__all__ = ["new_postgres_url", "postgres_server_url"]
pytestmark = pytest.mark.slow
SECRET = "a-signing-secret-0123456789"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Context]:
    url = None
    if request.param == "postgres":
        make: Callable[[], str] = request.getfixturevalue("new_postgres_url")
        url = make()
    opened = running.context(tmp_path / "home", database_url=url)
    yield opened
    opened.store.dispose()


def soon(seconds: int) -> str:
    """A cron text, with seconds, that comes once a year and next in so many seconds."""
    at = datetime.now(UTC) + timedelta(seconds=seconds)
    return f"{at:%S} {at:%M} {at:%H} {at:%d} {at:%m} *"


def settled(context: Context, of: Schedule) -> Firing:
    def over() -> Firing | None:
        found = context.store.firings(of.id)
        return found[0] if found and found[0].settled_at else None

    firing = running.wait_for(over)
    assert firing is not None
    return firing


def test_a_schedule_fires_once_with_three_workers_and_its_failure_is_told_once(context: Context) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(FakeServer("ok"))
        webhook = stack.enter_context(receivers.Webhook(500, 200))
        running.register(context, server.base_url)
        for _ in range(3):
            stack.enter_context(running.worker(context, HOOK_SECRET=SECRET, VERA_ALERT_BACKOFF_S="0.1"))
        assert len(live_workers(context)) == 3
        hook = schedules.target(TargetKind.WEBHOOK, webhook.url, secret_ref="env:HOOK_SECRET")
        wanted = schedules.Wanted(
            name="Nightly",
            model="fake",
            requirements=("R06",),
            choices=Choices(limit=4),
            cron=soon(20),
            targets=(hook,),
        )
        of = schedules.add_schedule(context, wanted, created_by="test")
        (due_at,) = [m.astimezone(UTC) for m in [schedules.status(context, of).next_due] if m]
        first = settled(context, of)
        assert first.due_at == due_at
        assert first.recorded_at >= due_at
        (run,) = context.store.runs()
        assert (run.id, run.state, run.created_by) == (first.run_id, RunState.DONE, "schedule Nightly")
        assert schedules.status(context, of).health is Health.OK
        assert context.store.alerts() == []
        with queue.client(context.settings) as client:
            fired = client.list_workflows(name="schedule_fire")
            assert [workflow.status for workflow in fired] == ["SUCCESS"]
        server.mode = "unauthorised"
        schedules.run_now(context, "nightly")
        running.wait_for(lambda: context.store.alerts(states={AlertState.DELIVERED}))
        # both attempts, of one worker or of two, and none after the message arrived
        assert [dict(headers)["X-Vera-Delivery"] for headers, _ in webhook.received] == [
            context.store.alerts()[0].id
        ] * 2
        assert context.store.alerts()[0].attempts == 2
        assert schedules.status(context, of).health is Health.FAILING


def test_a_time_that_came_while_no_worker_ran_is_made_up_for_once_by_those_that_come(context: Context) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(FakeServer("ok"))
        running.register(context, server.base_url)
        at = datetime.now(UTC) - timedelta(minutes=10)
        cron = f"{at:%S} {at:%M} {at:%H} {at:%d} {at:%m} *"
        wanted = schedules.Wanted(
            name="Nightly", model="fake", requirements=("R06",), choices=Choices(limit=4), cron=cron
        )
        of = schedules.add_schedule(context, wanted, created_by="test")
        context.store.update_schedule(replace(of, active_since=of.active_since - timedelta(hours=1)))
        assert schedules.status(context, context.store.schedule(of.id)).health is Health.OVERDUE
        workers = [stack.enter_context(running.worker(context)) for _ in range(3)]
        running.wait_for(lambda: context.store.firings(of.id))
        os.kill(workers[0].pid, signal.SIGKILL)
        workers[0].wait()
        firing = settled(context, of)
        assert abs(firing.due_at - at) < timedelta(seconds=1)
        (run,) = context.store.runs()
        assert run.state is RunState.DONE, (run.reason, [b.reason for b in run.benchmarks])
