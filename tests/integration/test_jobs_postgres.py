"""The same queue on PostgreSQL, with two workers: one dies, the other takes its run over."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import running
from fakes.databases import new_postgres_url, postgres_server_url
from fakes.openai_server import FakeServer

from domain.runs import RunState
from jobs import runs
from jobs.context import Context
from jobs.workers import live_workers

__all__ = ["new_postgres_url", "postgres_server_url"]
pytestmark = [pytest.mark.slow, pytest.mark.postgres]


@pytest.fixture
def context(tmp_path: Path, new_postgres_url: Callable[[], str]) -> Iterator[Context]:
    opened = running.context(tmp_path / "home", database_url=new_postgres_url())
    yield opened
    opened.store.dispose()


def test_a_living_worker_takes_over_the_run_of_a_dead_one(context: Context) -> None:
    with FakeServer("ok", delay_s=0.15) as server:
        running.register(context, server.base_url, in_flight=4)
        plan = runs.plan_run(context, model="fake", tasks=("starter_arithmetic",), limit=40)
        with running.worker(context) as first:
            run = runs.start_run(context, plan, created_by="test")
            running.wait_for(lambda: len(server.requests) >= 10)
            with running.worker(context):
                os.kill(first.pid, signal.SIGKILL)
                first.wait()
                over = running.finished(context, run.id)
                assert len(live_workers(context)) == 1
        assert over.state is RunState.DONE, over
        assert len(server.counts) == over.total
        assert sum(count - 1 for count in server.counts.values()) <= 4
