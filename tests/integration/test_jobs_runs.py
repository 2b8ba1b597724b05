"""Runs on a worker that goes on: cancelled, cut off by an outage, started twice, with a key."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from fakes import running
from fakes.openai_server import FakeServer

from domain.runs import RunState
from jobs import queue, runs
from jobs.context import Context

pytestmark = pytest.mark.slow
TASKS = ("starter_arithmetic", "starter_knowledge")
KEY = "sk-quite-secret-0123456789"


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    """A home with one worker for all tests here; each registers a model of its own."""
    opened = running.context(tmp_path_factory.mktemp("jobs") / "home")
    with running.worker(opened, MODEL_KEY=KEY):
        yield opened
    opened.store.dispose()


def test_a_cancelled_run_stops_though_its_server_hangs_and_keeps_its_answers(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1) as server:
        running.register(context, server.base_url, name="cancelled", in_flight=4)
        plan = runs.plan_run(context, model="cancelled", tasks=TASKS, limit=40)
        run = runs.start_run(context, plan, created_by="test")
        running.wait_for(lambda: context.store.answer_count(run.id) >= 8)
        server.delay_s = 600.0
        runs.cancel_run(context, run.id)
        over = running.finished(context, run.id)
        kept = context.store.answer_count(run.id)
        assert over.state is RunState.CANCELLED
        assert f"{over.done} requests answered" in (over.reason or "")
        assert kept >= 8
        server.delay_s = 0.0
        again = runs.start_run(context, plan, created_by="test")
        assert again.id == run.id
        assert running.finished(context, run.id).state is RunState.DONE


def test_after_an_outage_the_same_command_asks_only_what_has_no_answer(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1) as server:
        running.register(context, server.base_url, name="outage", in_flight=4)
        plan = runs.plan_run(context, model="outage", tasks=TASKS, limit=40)
        run = runs.start_run(context, plan, created_by="test")
        running.wait_for(lambda: context.store.answer_count(run.id) >= 10)
        server.mode = "unauthorised"
        over = running.finished(context, run.id)
        assert over.state is RunState.FAILED
        assert "got no usable answer" in (over.reason or "")
        kept = context.store.answer_count(run.id)
        assert 10 <= kept < 80
        server.mode, before = "ok", len(server.requests)
        assert runs.start_run(context, plan, created_by="test").id == run.id
        again = running.finished(context, run.id)
        assert again.state is RunState.DONE, again
        assert len(server.requests) - before == again.total - kept


def test_a_run_that_is_done_is_not_gone_on_with_but_asked_anew(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url, name="anew")
        plan = runs.plan_run(context, model="anew", tasks=TASKS[:1], limit=5)
        first = runs.start_run(context, plan, created_by="test")
        assert running.finished(context, first.id).state is RunState.DONE
        second = runs.start_run(context, plan, created_by="test")
        assert second.id != first.id
        assert running.finished(context, second.id).state is RunState.DONE
        assert len(server.requests) == 2 * len(server.counts)


def test_four_callers_at_the_same_moment_start_one_run(context: Context) -> None:
    with FakeServer("ok") as server, ThreadPoolExecutor(4) as callers:
        running.register(context, server.base_url, name="four")
        plan = runs.plan_run(context, model="four", tasks=TASKS[:1], limit=4)
        started = {run.id for run in callers.map(lambda _: runs.start_run(context, plan, created_by="test"), range(4))}
        assert len(started) == 1
        assert running.finished(context, started.pop()).state is RunState.DONE
        assert len(context.store.runs(endpoint_id=plan.endpoint.id)) == 1


def test_a_run_whose_queueing_failed_can_be_cancelled(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url, name="unqueued")
        plan = runs.plan_run(context, model="unqueued", tasks=TASKS[:1], limit=4)
        run = runs.start_run(context, plan, created_by="test")
        running.finished(context, run.id)
        context.store.set_run_state(run.id, RunState.QUEUED)
        running.wait_for(lambda: not queue.knows(context.settings, run.id))
        assert runs.cancel_run(context, run.id).state is RunState.CANCELLED


def test_starting_a_run_twice_starts_it_once(context: Context) -> None:
    with FakeServer("ok", delay_s=0.2) as server:
        running.register(context, server.base_url, name="twice")
        plan = runs.plan_run(context, model="twice", tasks=TASKS[:1], limit=8)
        ids = {runs.start_run(context, plan, created_by="test").id for _ in range(4)}
        assert len(ids) == 1
        assert running.finished(context, ids.pop()).state is RunState.DONE
        assert max(server.counts.values()) == 1


def test_a_key_is_sent_and_found_nowhere_else(context: Context) -> None:
    with FakeServer("ok", delay_s=0.1, api_key=KEY) as server:
        running.register(context, server.base_url, name="keyed", api_key_ref="env:MODEL_KEY")
        plan = runs.plan_run(context, model="keyed", tasks=TASKS[:1], limit=20)
        run = runs.start_run(context, plan, created_by="test")
        running.wait_for(lambda: len(server.requests) >= 4)
        processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        assert running.finished(context, run.id).state is RunState.DONE
        shown = running.command(context, "show", run.id, "--json").stdout
        server.mode = "unauthorised"
        failed = runs.start_run(context, plan, created_by="test", fresh=True)
        assert running.finished(context, failed.id).state is RunState.FAILED
    assert any(headers.get("Authorization") == f"Bearer {KEY}" for headers in server.headers)
    files = [path for path in context.settings.home.rglob("*") if path.is_file()]
    assert len(files) > 2
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []
    assert KEY not in processes
    assert KEY not in shown


def test_a_key_that_is_not_set_where_the_worker_runs_is_one_sentence(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url, name="keyless", api_key_ref="env:NOT_SET_ANYWHERE")
        plan = runs.plan_run(context, model="keyless", tasks=TASKS[:1], limit=2)
        run = runs.start_run(context, plan, created_by="test")
        over = running.finished(context, run.id)
        assert over.state is RunState.FAILED
        assert "NOT_SET_ANYWHERE" in (over.reason or "")
        assert server.requests == []
