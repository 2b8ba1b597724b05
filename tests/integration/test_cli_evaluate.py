"""`vera evaluate` from start to end in processes of its own: exit codes, JSON, Ctrl-C, a bad line of data."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from fakes import running
from fakes.openai_server import FakeServer

from domain.runs import RunState
from domain.scores import RequirementId, Status, Verdict
from jobs.context import Context

pytestmark = pytest.mark.slow
TASK = "starter_arithmetic"


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    yield opened
    opened.store.dispose()


def test_one_json_object_holds_every_requirement_with_its_number_or_its_reason(context: Context) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        done = running.command(context, "evaluate", "--model", "fake", "--limit", "4", "--requirement", "R06", "--json")
    assert done.returncode == 0, done.stderr
    card = json.loads(done.stdout)
    assert card["run"]["state"] == "done"
    by_id = {entry["id"]: entry for entry in card["requirements"]}
    assert set(by_id) == set(RequirementId)
    for entry in by_id.values():
        assert entry["status"] in set(Status)
        assert entry["verdict"] in set(Verdict)
        assert (entry["score"] is None) == (entry["reason"] is not None)
        assert {"interval", "n", "coverage", "companions"} <= set(entry)
    assert by_id["R06"]["status"] == "INSUFFICIENT"
    assert by_id["R06"]["companions"]
    assert by_id["R02"]["status"] == "NOT_RUN"
    assert "estimated from processor load" in card["energy"]["label"] or card["energy"]["energy_kwh"] is None


def test_ctrl_c_keeps_the_answers_and_the_same_command_goes_on(context: Context) -> None:
    with FakeServer("ok", delay_s=0.2) as server:
        running.register(context, server.base_url)
        arguments = ("evaluate", "--model", "fake", "--task", TASK, "--limit", "40")
        first = running.start(context, *arguments)
        running.wait_for(lambda: len(server.requests) >= 12)
        os.killpg(first.pid, signal.SIGINT)
        _out, said = first.communicate(timeout=60)
        assert first.returncode == 130, said
        assert "the same command goes on" in said
        assert "Traceback" not in said
        run = context.store.runs()[0]
        assert run.state is RunState.INTERRUPTED
        kept = context.store.answer_count(run.id)
        assert kept > 0
        second = running.command(context, *arguments)
        assert second.returncode == 0, second.stderr
        assert f"Going on with run {run.id}" in second.stderr
        assert len(context.store.runs()) == 1
        assert sum(count - 1 for count in server.counts.values()) <= 4


def test_after_everything_was_killed_the_same_command_finishes_the_same_run(context: Context) -> None:
    with FakeServer("ok", delay_s=0.2) as server:
        running.register(context, server.base_url)
        arguments = ("evaluate", "--model", "fake", "--task", TASK, "--limit", "40")
        first = running.start(context, *arguments)
        running.wait_for(lambda: len(server.requests) >= 12)
        everything = [*psutil.Process(first.pid).children(recursive=True), psutil.Process(first.pid)]
        for process in everything:
            process.kill()
        first.communicate(timeout=60)
        server.delay_s = 0.0
        second = running.command(context, *arguments)
        assert second.returncode == 0, second.stderr
        run = context.store.runs()[0]
        assert len(context.store.runs()) == 1
        assert f"Going on with run {run.id}" in second.stderr
        assert (run.state, len(server.counts)) == (RunState.DONE, run.total)
        assert sum(count - 1 for count in server.counts.values()) <= 4
    assert context.store.samples(run.id, TASK)[1] == 40


def test_a_bad_line_of_data_fails_the_run_with_its_number(context: Context, tmp_path: Path) -> None:
    data = tmp_path / "arc.jsonl"
    good = {"id": "a", "question": "Q?", "choices": {"text": ["x", "y"], "label": ["A", "B"]}, "answerKey": "A"}
    data.write_text(json.dumps(good) + "\n{broken\n")
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        done = running.command(
            context, "evaluate", "--model", "fake", "--task", "arc_challenge", "--data", f"arc_challenge={data}"
        )
    assert done.returncode == 1, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert "line 2" in last.lower()
    assert "Traceback" not in done.stderr


def test_a_run_whose_every_request_fails_is_a_failed_run(context: Context) -> None:
    with FakeServer("server_error") as server:
        running.register(context, server.base_url)
        server.mode = "unauthorised"
        done = running.command(context, "evaluate", "--model", "fake", "--task", TASK, "--limit", "4")
    assert done.returncode == 1
    assert "failed" in done.stderr.strip().splitlines()[-1]


def test_report_show_and_rescore_work_on_what_is_stored_without_the_model(context: Context, tmp_path: Path) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        done = running.command(context, "evaluate", "--model", "fake", "--limit", "4", "--requirement", "R06")
        assert done.returncode == 0, done.stderr
        asked = len(server.requests)
    assert "R06" in done.stdout
    assert "not enough evidence" in done.stdout
    run = context.store.runs()[0]
    pdf = tmp_path / "out" / "report.pdf"
    made = running.command(context, "report", "--model", "fake", "--out", str(pdf))
    assert made.returncode == 0, made.stderr
    assert pdf.read_bytes().startswith(b"%PDF")
    assert json.loads(pdf.with_suffix(".json").read_text())["kind"] == "vera.assessment"
    rescored = running.command(context, "rescore", run.id[:6], "--json")
    assert rescored.returncode == 0, rescored.stderr
    shown = running.command(context, "show", run.id, "--json")
    assert json.loads(shown.stdout)["requirements"] == json.loads(rescored.stdout)["requirements"]
    assert asked == len(server.requests)
