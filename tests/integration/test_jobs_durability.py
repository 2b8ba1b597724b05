"""Workers and their processes that are killed or told to stop: nothing is lost and nothing is asked twice."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from fakes import running
from fakes.openai_server import FakeServer

from domain.runs import RunState
from jobs import runs
from jobs.context import Context
from jobs.workers import live_workers

pytestmark = pytest.mark.slow
TASKS = ("starter_arithmetic", "starter_knowledge")


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    yield opened
    opened.store.dispose()


def children_of(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def test_a_killed_worker_loses_no_answer_and_the_next_one_asks_only_the_rest(context: Context) -> None:
    with FakeServer("ok", delay_s=0.15) as server:
        running.register(context, server.base_url, in_flight=4)
        plan = runs.plan_run(context, model="fake", tasks=TASKS, limit=40)
        with running.worker(context) as first:
            run = runs.start_run(context, plan, created_by="test")
            running.wait_for(lambda: len(server.requests) >= 50)
            left = children_of(first.pid)
            os.kill(first.pid, signal.SIGKILL)
            first.wait()
        running.wait_for(lambda: not [p for p in left if p.is_running() and p.status() != psutil.STATUS_ZOMBIE])
        kept = context.store.answer_count(run.id)
        assert 0 < kept < 80
        assert not live_workers(context)
        with running.worker(context):
            over = running.finished(context, run.id)
        assert over.state is RunState.DONE, over
        repeated = sum(count - 1 for count in server.counts.values())
        assert len(server.counts) == over.total
        assert repeated <= 4
    again = over.benchmarks[1]
    assert context.store.answer_count(run.id) == over.total
    assert again.energy is not None
    assert context.store.samples(run.id, TASKS[0])[1] == 40


def test_a_killed_benchmark_process_is_started_again_where_it_was(context: Context) -> None:
    with FakeServer("ok", delay_s=0.15) as server, running.worker(context) as worker:
        running.register(context, server.base_url, in_flight=4)
        plan = runs.plan_run(context, model="fake", tasks=TASKS[:1], limit=40)
        run = runs.start_run(context, plan, created_by="test")
        running.wait_for(lambda: len(server.requests) >= 15)
        session_leaders = [p for p in children_of(worker.pid) if os.getsid(p.pid) == p.pid]
        assert len(session_leaders) == 1
        session_leaders[0].kill()
        over = running.finished(context, run.id)
        assert over.state is RunState.DONE, over
        assert sum(count - 1 for count in server.counts.values()) <= 4
        assert len(server.counts) == over.total


def test_a_worker_that_is_told_to_stop_leaves_its_run_to_the_next(context: Context) -> None:
    with FakeServer("ok", delay_s=0.15) as server:
        running.register(context, server.base_url, in_flight=4)
        plan = runs.plan_run(context, model="fake", tasks=TASKS[:1], limit=40)
        with running.worker(context) as first:
            run = runs.start_run(context, plan, created_by="test")
            running.wait_for(lambda: len(server.requests) >= 15)
            first.send_signal(signal.SIGTERM)
            said = first.communicate(timeout=60)[1]
        assert first.returncode == 0, said
        assert context.store.run(run.id).state is RunState.INTERRUPTED
        assert context.store.workers() == []
        again = runs.start_run(context, plan, created_by="test")
        assert again.id == run.id
        with running.worker(context):
            assert running.finished(context, run.id).state is RunState.DONE
        assert sum(count - 1 for count in server.counts.values()) <= 4


def test_a_run_that_waits_is_cancelled_at_once_without_a_worker(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        plan = runs.plan_run(context, model="fake", tasks=TASKS, limit=4)
        run = runs.start_run(context, plan, created_by="test")
        assert runs.cancel_run(context, run.id).state is RunState.CANCELLED
        with running.worker(context):
            running.wait_for(lambda: live_workers(context))
            assert context.store.run(run.id).state is RunState.CANCELLED
        assert server.requests == []


def test_a_run_of_an_older_version_is_taken_over_when_no_worker_of_that_version_is_left(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        plan = runs.plan_run(context, model="fake", tasks=TASKS[:1], limit=4)
        run = runs.start_run(context, plan, created_by="test")
        # As a worker of that version leaves it behind when its machine dies.
        with sqlite3.connect(context.settings.home / "jobs.db") as queue:
            left = queue.execute(
                "UPDATE workflow_status SET status = 'PENDING', executor_id = 'gone', application_version = '0.0.0-old'"
            )
        queue.close()
        assert left.rowcount == 1
        with running.worker(context):
            assert running.finished(context, run.id).state is RunState.DONE
        assert max(server.counts.values()) == 1
