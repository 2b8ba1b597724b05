"""Runs that are paused, resumed, retried and ordered, on both databases."""

from collections.abc import Iterator

import pytest
from fakes import running
from fakes.openai_server import FakeServer

from domain.errors import UserError
from domain.runs import Priority, Run, RunState
from jobs import runs
from jobs.context import Context

pytestmark = pytest.mark.slow
TASKS = ("starter_arithmetic", "starter_knowledge")


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def context(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    """A home with one worker for all tests here; each registers a model of its own."""
    url = request.getfixturevalue("new_postgres_url")() if request.param == "postgres" else None
    opened = running.context(tmp_path_factory.mktemp("steering") / "home", database_url=url)
    with running.worker(opened, "--parallel", "2"):
        yield opened
    opened.store.dispose()


def started(context: Context, model: str, *tasks: str, priority: Priority = Priority.NORMAL, limit: int = 30) -> Run:
    plan = runs.plan_run(context, model=model, tasks=tasks, limit=limit)
    return runs.start_run(context, plan, created_by="test", fresh=True, priority=priority)


def paused(context: Context, run: Run) -> Run:
    runs.pause_run(context, run.id)

    def confirmed() -> Run | None:
        now = context.store.run(run.id)
        return now if now.state is RunState.PAUSED else None

    now = running.wait_for(confirmed)
    assert now is not None
    return now


def test_a_paused_run_leaves_its_place_to_others_and_goes_on_from_its_answers(context: Context) -> None:
    with FakeServer("ok", delay_s=0.3) as server:
        running.register(context, server.base_url, name="paused", in_flight=4)
        first = started(context, "paused", *TASKS, limit=60)
        running.wait_for(lambda: context.store.answer_count(first.id) >= 8)
        resting = paused(context, first)
        kept = context.store.answer_count(first.id)
        assert [b.state for b in resting.benchmarks] == [RunState.PAUSED, RunState.QUEUED]
        assert resting.finished_at is None
        assert "Paused with 0 of 2 benchmarks finished" in (resting.reason or "")
        server.delay_s = 0.0
        other = started(context, "paused", TASKS[0], limit=3)
        assert running.finished(context, other.id).state is RunState.DONE
        assert context.store.run(first.id).state is RunState.PAUSED
        assert context.store.answer_count(first.id) == kept
        before = len(server.requests)
        assert runs.resume_run(context, first.id).state is RunState.QUEUED
        over = running.finished(context, first.id)
        assert over.state is RunState.DONE, over
        assert len(server.requests) - before == over.total - kept


def test_a_paused_run_can_be_cancelled_and_a_cancelled_one_resumed(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1) as server:
        running.register(context, server.base_url, name="stopped", in_flight=2)
        run = started(context, "stopped", TASKS[0], limit=20)
        running.wait_for(lambda: context.store.answer_count(run.id) >= 2)
        paused(context, run)
        assert runs.pause_run(context, run.id).state is RunState.PAUSED
        assert runs.cancel_run(context, run.id).state is RunState.CANCELLED
        with pytest.raises(UserError, match="cannot be paused: it is cancelled"):
            runs.pause_run(context, run.id)
        server.delay_s = 0.0
        runs.resume_run(context, run.id)
        assert running.finished(context, run.id).state is RunState.DONE
        with pytest.raises(UserError, match="cannot be resumed: it is done"):
            runs.resume_run(context, run.id)


def test_a_retry_asks_only_what_failed_and_has_no_answer(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1) as server:
        running.register(context, server.base_url, name="retried", in_flight=2)
        run = started(context, "retried", *TASKS)
        running.wait_for(lambda: context.store.run(run.id).benchmarks[0].state is RunState.DONE)
        running.wait_for(lambda: context.store.answer_count(run.id) > 32)
        server.mode = "unauthorised"
        failed = running.finished(context, run.id)
        assert failed.state is RunState.DONE_WITH_FAILURES
        with pytest.raises(UserError, match=f"vera retry {run.id}"):
            runs.resume_run(context, run.id)
        server.mode, before = "ok", len(server.requests)
        kept = context.store.answer_count(run.id)
        runs.retry_run(context, run.id)
        over = running.finished(context, run.id)
        assert over.state is RunState.DONE
        assert len(server.requests) - before == over.total - kept
        assert over.benchmarks[0] == failed.benchmarks[0]
        with pytest.raises(UserError, match="Nothing of run"):
            runs.retry_run(context, run.id)


def test_of_the_runs_that_wait_for_a_model_the_more_urgent_one_comes_first(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1) as server:
        running.register(context, server.base_url, name="ordered", in_flight=1)
        first = started(context, "ordered", TASKS[0], limit=20)
        running.wait_for(lambda: context.store.run(first.id).state is RunState.RUNNING)
        waiting = [
            started(context, "ordered", TASKS[0], limit=2, priority=p)
            for p in (Priority.LOW, Priority.NORMAL, Priority.HIGH)
        ]
        server.delay_s = 0.0
        over = [running.finished(context, run.id) for run in waiting]
    begun = sorted(over, key=lambda run: (run.started_at is None, run.started_at))
    assert [run.priority for run in begun] == [Priority.HIGH, Priority.NORMAL, Priority.LOW]


def test_a_slow_endpoint_holds_up_no_other(context: Context) -> None:
    with FakeServer("ok", delay_s=0.5) as slow, FakeServer("ok", delay_s=0.02) as quick:
        running.register(context, slow.base_url, name="slow", in_flight=1)
        running.register(context, quick.base_url, name="quick", in_flight=3)
        held = started(context, "slow", TASKS[0])
        running.wait_for(lambda: slow.requests)
        assert running.finished(context, started(context, "quick", TASKS[0]).id).state is RunState.DONE
        assert not context.store.run(held.id).state.is_final
        assert (slow.max_concurrent, quick.max_concurrent) == (1, 3)
        runs.cancel_run(context, held.id)
        running.finished(context, held.id)
