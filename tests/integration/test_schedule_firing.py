"""What becomes of a due time: one run however many workers look, missed times, overlaps, and what follows a run."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes import running

from domain.choices import Choices
from domain.errors import NotFound, RunFailed, UserError
from domain.runs import RunState
from domain.schedules import AlertKind, FiringState, Health, Missed, Overlap, Schedule
from jobs import due, firings, queue, schedules
from jobs.context import Context

HOUR = timedelta(hours=1)


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    """A home with a registered model and no worker."""
    opened = running.context(tmp_path / "home")
    running.register(opened, "http://127.0.0.1:9/v1")
    yield opened
    opened.store.dispose()


def added(context: Context, **wanted: object) -> Schedule:
    """A schedule of every hour that was added a day ago."""
    asked = {
        "name": "Hourly",
        "model": "fake",
        "requirements": ("R06",),
        "cron": "0 * * * *",
        "choices": Choices(limit=5),
    }
    made = schedules.add_schedule(context, schedules.Wanted(**asked | wanted), created_by="test")
    long_ago = replace(made, active_since=made.active_since - 24 * HOUR)
    context.store.update_schedule(long_ago)
    return long_ago


def last_hour(schedule: Schedule, back: int = 0) -> datetime:
    moment = due.last_due(schedule, datetime.now(UTC) - back * HOUR)
    assert moment is not None
    return moment


def test_a_due_time_makes_one_run_however_many_fire_it_at_once(context: Context) -> None:
    of = added(context)
    with ThreadPoolExecutor(6) as pool:
        fired = list(pool.map(lambda _: firings.fire(context, of.id, last_hour(of)), range(6)))
    assert {f.run_id for f in fired if f} == {context.store.runs()[0].id}
    (run,) = context.store.runs()
    assert run.created_by == "schedule Hourly"
    with queue.client(context.settings) as client:
        assert len(client.list_workflows(workflow_id_prefix=run.id)) == 1


def test_of_missed_times_only_the_latest_is_made_up_for(context: Context) -> None:
    of = added(context)
    early = firings.fire(context, of.id, last_hour(of, back=5))
    assert early is not None
    assert (early.state, early.run_id) == (FiringState.SKIPPED, None)
    assert "a later time stands in for it" in (early.reason or "")
    firings.catch_up(context)
    firings.catch_up(context)
    latest, _ = context.store.firings(of.id)
    assert (latest.due_at, latest.state) == (last_hour(of), FiringState.STARTED)
    assert len(context.store.runs()) == 1


def test_missed_times_are_skipped_where_that_was_chosen(context: Context) -> None:
    of = added(context, missed=Missed.SKIP, cron="59 23 31 12 *")
    of = replace(of, active_since=of.active_since - 10_000 * HOUR)
    context.store.update_schedule(of)
    firings.catch_up(context)
    (firing,) = context.store.firings(of.id)
    assert firing.state is FiringState.SKIPPED
    assert context.store.runs() == []
    assert schedules.status(context, of).health is Health.WAITING


def test_what_fell_due_before_a_schedule_or_during_its_pause_is_nobodys_to_make_up_for(context: Context) -> None:
    of = added(context)
    paused = schedules.pause_schedule(context, of.name)
    firings.catch_up(context)
    assert firings.fire(context, of.id, last_hour(of)) is None
    resumed = schedules.resume_schedule(context, paused.name)
    assert resumed.active_since > of.active_since
    firings.catch_up(context)
    assert context.store.firings(of.id) == []
    changed = schedules.change_schedule(
        context, "hourly", schedules.Wanted(name="Hourly", model="fake", cron="30 * * * *", requirements=("R06",))
    )
    assert changed.active_since > resumed.active_since
    assert (changed.id, changed.created_at) == (of.id, of.created_at)


def test_a_time_at_which_the_run_before_goes_on_is_skipped_or_waits_once(context: Context) -> None:
    skipping = added(context)
    first = firings.fire(context, skipping.id, last_hour(skipping))
    assert first is not None
    second = firings.fire(context, skipping.id, datetime.now(UTC), manual=True)
    assert second is not None
    assert second.state is FiringState.SKIPPED
    assert "was not over" in (second.reason or "")
    queueing = added(context, name="Queueing", overlap=Overlap.QUEUE)
    first = firings.fire(context, queueing.id, last_hour(queueing))
    assert first is not None
    context.store.set_run_state(str(first.run_id), RunState.RUNNING)
    states = [firings.fire(context, queueing.id, datetime.now(UTC), manual=True) for _ in range(2)]
    assert [f.state for f in states if f] == [FiringState.STARTED, FiringState.SKIPPED]
    assert "already waits" in (states[1].reason or "")
    with pytest.raises(UserError, match="Queueing was not started"):
        schedules.run_now(context, "queueing")


def test_a_run_that_cannot_be_started_makes_the_schedule_red_and_is_told(context: Context) -> None:
    of = added(context)
    context.store.remove_endpoint("fake")
    fired = firings.fire(context, of.id, last_hour(of))
    assert fired is not None
    assert fired.state is FiringState.FAILED
    assert firings.to_settle(context) == [fired]
    firings.settle(context, of.id, fired.due_at)
    assert firings.to_settle(context) == []
    (alert,) = context.store.alerts()
    assert alert.kind is AlertKind.RUN_FAILED
    assert "The model fake was removed" in alert.details[0]
    status = schedules.status(context, of)
    assert (status.health, status.model) == (Health.FAILING, None)
    with pytest.raises(RunFailed, match="could not be started"):
        schedules.run_now(context, of.name)


def test_a_run_that_was_claimed_by_a_worker_that_died_is_made_by_the_next(context: Context) -> None:
    of = added(context)
    now = datetime.now(UTC)
    decided = firings._decide(context, of, last_hour(of), manual=False)
    context.store.claim_firing(replace(decided, recorded_at=now - HOUR))
    assert context.store.runs() == []
    firings.catch_up(context)
    (run,) = context.store.runs()
    assert run.id == decided.run_id


def test_a_cancelled_run_is_no_success(context: Context) -> None:
    of = added(context)
    fired = firings.fire(context, of.id, last_hour(of))
    assert fired is not None
    context.store.set_run_state(str(fired.run_id), RunState.CANCELLED, reason="Cancelled by somebody.")
    firings.settle(context, of.id, fired.due_at)
    assert schedules.status(context, of).health is Health.FAILING
    assert context.store.alerts()[0].details == ("Cancelled by somebody.",)


def test_dboss_rows_follow_ours(context: Context) -> None:
    of = added(context, timezone="Europe/Madrid")

    def rows() -> list[tuple[str, str | None, str]]:
        with queue.client(context.settings) as client:
            return [(row["schedule"], row["cron_timezone"], row["status"]) for row in client.list_schedules()]

    assert rows() == [("0 * * * *", "Europe/Madrid", "ACTIVE")]
    schedules.pause_schedule(context, of.name)
    assert rows() == [("0 * * * *", "Europe/Madrid", "PAUSED")]
    wanted = schedules.Wanted(name="Renamed", model="fake", cron="5 4 * * *", requirements=("R06",))
    schedules.change_schedule(context, of.name, wanted)
    assert rows() == [("5 4 * * *", "UTC", "PAUSED")]
    schedules.resume_schedule(context, "renamed")
    assert rows() == [("5 4 * * *", "UTC", "ACTIVE")]
    schedules.remove_schedule(context, "renamed")
    assert rows() == []


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"name": "  "}, "cannot be named"),
        ({"model": "nobody"}, "No model named 'nobody'"),
        ({"suite": "gala"}, "no suite 'gala'"),
        ({"requirements": ("R99",)}, "'R99'"),
        ({"choices": Choices(limit=0)}, "at least 1"),
        ({"cron": "61 * * * *"}, "is not a cron text"),
        ({"timezone": "Mars/Base"}, "no time zone 'Mars/Base'"),
        ({"policy_file": "/no/policy.yaml"}, "/no/policy.yaml"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_and_nothing_is_kept(
    context: Context, wanted: dict[str, object], said: str
) -> None:
    with pytest.raises(UserError, match=said) as refused:
        added(context, **wanted)
    assert "\n" not in refused.value.sentence
    assert context.store.schedules() == []


def test_a_policy_that_names_an_unknown_requirement_is_one_sentence(context: Context, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text('schema: 1\nname: p\nversion: "1"\nthresholds:\n  R77: {pass_at: 0.8, fail_below: 0.5}\n')
    with pytest.raises(UserError, match="R77 names no measurable requirement"):
        added(context, policy_file=str(policy))


def test_a_schedule_nobody_made_is_not_found_with_near_names(context: Context) -> None:
    added(context)
    with pytest.raises(NotFound, match="did you mean 'Hourly'"):
        schedules.pause_schedule(context, "hurly")
