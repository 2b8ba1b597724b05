"""`vera pause`, `resume`, `retry` and `runs --watch`: what they do and what they say comes next."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import running
from fakes.openai_server import FakeServer

from app import cli
from jobs import runs
from jobs.context import Context

pytestmark = pytest.mark.slow
TASK = "starter_arithmetic"


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    monkeypatch.setenv("VERA_HOME", str(opened.settings.home))
    yield opened
    opened.store.dispose()


def test_the_commands_pause_resume_and_watch_a_run(context: Context, capsys: pytest.CaptureFixture[str]) -> None:
    with FakeServer("ok", delay_s=0.2) as server, running.worker(context):
        running.register(context, server.base_url, in_flight=2)
        plan = runs.plan_run(context, model="fake", tasks=(TASK,), limit=30)
        run = runs.start_run(context, plan, created_by="test")
        running.wait_for(lambda: server.requests)
        assert cli.main(["pause", run.id]) == cli.OK
        assert f"Next: vera resume {run.id}" in capsys.readouterr().out
        server.delay_s = 0.02
        assert cli.main(["resume", run.id[:6]]) == cli.OK
        assert "answered already" in capsys.readouterr().out
        assert cli.main(["runs", "--model", "fake", "--watch"]) == cli.OK
        lines = capsys.readouterr().out.splitlines()
        assert cli.main(["runs", "--watch", "--json"]) == cli.OK
        told = json.loads(capsys.readouterr().out)
    assert run.id in lines[0]
    assert "✔ done: 30 of 30 requests answered" in lines[-1]
    assert (told["state"], told["model"], told["seconds_left"]) == ("done", "fake", None)


def test_what_cannot_be_steered_is_one_sentence(context: Context, capsys: pytest.CaptureFixture[str]) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    plan = runs.plan_run(context, model="fake", tasks=(TASK,), limit=2)
    run = runs.start_run(context, plan, created_by="test")
    assert cli.main(["retry", run.id]) == cli.BAD_INPUT
    assert "only what is over can be retried" in capsys.readouterr().err
    assert cli.main(["pause", run.id]) == cli.OK
    assert cli.main(["resume", run.id]) == cli.OK
    assert "No worker is running" in capsys.readouterr().err
    assert cli.main(["cancel", run.id]) == cli.OK
    assert cli.main(["pause", run.id]) == cli.BAD_INPUT
    assert cli.main(["retry", run.id]) == cli.BAD_INPUT
    assert "Nothing of run" in capsys.readouterr().err
    assert cli.main(["worker", "--queues", "No Such Name"]) == cli.BAD_INPUT
    assert cli.main(["models", "add", "http://127.0.0.1:9/v1", "--name", "m", "--per-minute", "0"]) == cli.BAD_INPUT
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "gpu-room" in said[0]
    assert "0 requests a minute" in said[1]
