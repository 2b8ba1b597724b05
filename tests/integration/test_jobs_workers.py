"""Several workers on one database: each with its limit, its queues and its version, and one that is cut off."""

import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes import postgres_server, running
from fakes.databases import new_postgres_url, postgres_server_url
from fakes.openai_server import FakeServer

from domain.runs import Run, RunState, Worker
from jobs import queue, runs
from jobs.context import Context

__all__ = ["new_postgres_url", "postgres_server_url"]
pytestmark = [pytest.mark.slow, pytest.mark.postgres]
TASK = "starter_arithmetic"


@pytest.fixture
def context(tmp_path: Path, new_postgres_url: Callable[[], str]) -> Iterator[Context]:
    opened = running.context(tmp_path / "home", database_url=new_postgres_url())
    yield opened
    queue.close()
    opened.store.dispose()


def started(context: Context, model: str, limit: int = 30) -> Run:
    plan = runs.plan_run(context, model=model, tasks=(TASK,), limit=limit)
    return runs.start_run(context, plan, created_by="test", fresh=True)


def at_work(context: Context) -> Counter[str]:
    """How many runs each worker has begun and not ended."""
    with queue.client(context.settings) as client:
        pending = client.list_workflows(status="PENDING", name=queue.WORKFLOW)
        return Counter(str(workflow.executor_id) for workflow in pending)


def version_of(context: Context, run: Run) -> str | None:
    """The version of the worker that runs, or ran, a run."""
    with queue.client(context.settings) as client:
        found = client.list_workflows(workflow_id_prefix=f"{run.id}.", load_input=False, load_output=False)
    return found[-1].app_version


def worker_of(context: Context, process: "subprocess.Popen[str]") -> Worker:
    return next(worker for worker in context.store.workers() if worker.pid == process.pid)


def test_each_worker_keeps_to_its_own_limit_and_its_own_queues(context: Context) -> None:
    with FakeServer("ok", delay_s=0.3) as server:
        for number in range(5):
            running.register(context, server.base_url, name=f"m{number}", in_flight=1)
        running.register(context, server.base_url, name="apart", in_flight=1, queue="apart")
        with (
            running.worker(context, "--parallel", "3", "--queues", "default") as wide,
            running.worker(context, "--parallel", "1", "--queues", "apart,default") as narrow,
        ):
            going = [started(context, f"m{number}", limit=100) for number in range(5)]
            ids = [worker_of(context, process).id for process in (wide, narrow)]
            running.wait_for(lambda: sum(at_work(context).values()) >= 4)
            apart = started(context, "apart", limit=3)
            asked = len(server.requests)
            running.wait_for(lambda: len(server.requests) >= asked + 12)
            assert [at_work(context)[worker] for worker in ids] == [3, 1]
            assert context.store.run(apart.id).state is RunState.QUEUED
            for run in going:
                runs.cancel_run(context, run.id)
            assert running.finished(context, apart.id).state is RunState.DONE


def test_a_worker_that_is_cut_off_is_replaced_and_its_processes_ask_nothing_more(context: Context) -> None:
    with FakeServer("ok", delay_s=0.15) as server:
        running.register(context, server.base_url, in_flight=4)
        with running.worker_elsewhere(context, host="elsewhere") as cut_off:
            run = started(context, "fake", limit=60)
            running.wait_for(lambda: len(server.requests) >= 10)
            cut_off.send_signal(signal.SIGSTOP)
            lost = worker_of(context, cut_off)
            assert lost.host == "elsewhere"
            context.store.heartbeat(replace(lost, heartbeat_at=datetime.now(UTC) - timedelta(seconds=61)))
            with running.worker(context):
                over = running.finished(context, run.id)
                assert over.state is RunState.DONE, over
                cut_off.send_signal(signal.SIGCONT)
                said = cut_off.communicate(timeout=60)[1]
                assert cut_off.returncode == 1
                assert "silent for so long" in said
                assert len(context.store.workers()) == 1
        assert len(server.counts) == over.total
        assert sum(count - 1 for count in server.counts.values()) <= 4
    assert context.store.samples(run.id, TASK)[1] == 60


def test_while_versions_change_each_worker_finishes_its_own_runs_and_new_ones_go_to_the_new(context: Context) -> None:
    with FakeServer("ok", delay_s=1.0) as server:
        running.register(context, server.base_url, name="before", in_flight=1)
        running.register(context, server.base_url, name="after")
        with running.worker_elsewhere(context, version="0.0.1"):
            old = started(context, "before", limit=100)
            running.wait_for(lambda: server.requests)
            with running.worker(context), queue.client(context.settings) as client:
                running.wait_for(lambda: client.get_latest_application_version()["version_name"] != "0.0.1")
                new = started(context, "after", limit=2)
                assert running.finished(context, new.id).state is RunState.DONE
                assert version_of(context, old) == "0.0.1"
                assert version_of(context, new) != "0.0.1"
                assert context.store.run(old.id).state is RunState.RUNNING
            # Rolled back: the newest version has no worker any more.
            again = started(context, "after", limit=2)
            assert running.finished(context, again.id).state is RunState.DONE
            assert version_of(context, again) == "0.0.1"
            server.delay_s = 0.0
            assert running.finished(context, old.id).state is RunState.DONE
    assert len(server.requests) == 100 + 2 + 2
    assert version_of(context, old) == "0.0.1"


def test_a_run_goes_on_when_the_database_server_was_killed_and_is_back(tmp_path: Path) -> None:
    with postgres_server.serving() as url, FakeServer("ok", delay_s=0.15) as server:
        context = running.context(tmp_path / "home", database_url=url)
        running.register(context, server.base_url, in_flight=4)
        with running.worker(context) as worker:
            run = started(context, "fake", limit=60)
            running.wait_for(lambda: context.store.answer_count(run.id) >= 10)
            with postgres_server.stopped(url):
                refused = running.command(context, "runs")
                assert refused.returncode == 2
                assert len(refused.stderr.strip().splitlines()) == 1
                assert "cannot be used" in refused.stderr
            over = running.finished(context, run.id)
            assert over.state is RunState.DONE, over
            assert worker.poll() is None
        assert len(server.counts) == over.total
        assert sum(count - 1 for count in server.counts.values()) <= 4
        queue.close()
        context.store.dispose()
