"""`vera schedule …` at the terminal: what it shows, bad input in one sentence, exit codes."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import running, scheduling

from app import cli
from jobs.context import Context


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    running.register(opened, "http://127.0.0.1:9/v1")
    yield opened
    opened.store.dispose()


ADD = ("schedule", "add", "Nightly", "--model", "fake", "--requirement", "R06")
AT_TWO = ("--cron", "0 2 * * *")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*ADD, "--cron", "61 * * * *"], "'61 * * * *' is not a cron text"),
        ([*ADD, "--cron", "0 0 31 2 *"], "never comes"),
        ([*ADD], "--cron"),
        ([*ADD, *AT_TWO, "--timezone", "Mars/Base"], "no time zone 'Mars/Base'"),
        (["schedule", "add", "N", "--model", "nobody", *AT_TWO], "'nobody'"),
        ([*ADD, *AT_TWO, "--suite", "gala"], "'gala'"),
        ([*ADD, *AT_TWO, "--missed", "perhaps"], "perhaps"),
        ([*ADD, *AT_TWO, "--policy", "/no/policy.yaml"], "/no/policy.yaml"),
        ([*ADD, *AT_TWO, "--webhook", "ftp://host"], "cannot be a webhook"),
        ([*ADD, *AT_TWO, "--webhook-secret", "env:S"], "give --webhook as well"),
        ([*ADD, *AT_TWO, "--webhook", "https://h/x", "--webhook-secret", "hunter2"], "env:VARIABLE or file:ENTRY"),
        ([*ADD, *AT_TWO, "--email", "risk@bank.example"], "VERA_SMTP_HOST"),
        (["schedule", "pause", "nothing"], "no schedule named 'nothing'"),
        (["schedule", "resume", "nothing"], "no schedule named 'nothing'"),
        (["schedule", "remove", "nothing"], "no schedule named 'nothing'"),
        (["schedule", "run", "nothing", "--wait"], "no schedule named 'nothing'"),
        (["compare", "nothing", "else"], "'nothing'"),
    ],
)
def test_bad_input_is_one_sentence_and_keeps_nothing(
    context: Context, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert cli.main(arguments) == cli.BAD_INPUT
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == told.err.count("vera: ") == 1, told.err
    assert said in told.err
    assert "hunter2" not in told.err
    assert context.store.schedules() == []


def test_a_schedule_is_added_listed_paused_resumed_and_removed(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([*ADD, *AT_TWO, "--timezone", "Europe/Madrid", "--webhook", "https://h.example/secret"]) == 0
    told = capsys.readouterr()
    assert told.out.count(", 02:00 (Europe/Madrid)") == 5
    assert "No worker is running" in told.err
    assert cli.main(["schedule", "add", "NIGHTLY", "--model", "fake", *AT_TWO]) == cli.BAD_INPUT
    assert "'NIGHTLY' exists already" in capsys.readouterr().err
    assert cli.main(["schedule", "pause", "nightly"]) == 0
    assert cli.main(["schedule", "list"]) == 0
    assert "‖ paused" in capsys.readouterr().out
    assert cli.main(["schedule", "resume", "nightly"]) == 0
    assert "Nightly is due next on" in capsys.readouterr().out
    assert cli.main(["schedule", "remove", "nightly"]) == 0
    assert context.store.schedules() == []


def test_the_names_that_the_manual_and_the_form_propose_can_be_used(context: Context) -> None:
    manual = (running.ROOT / "docs" / "schedules.md").read_text(encoding="utf-8")
    proposed = re.findall(r'^vera schedule add "([^"]+)"', manual, re.MULTILINE)
    form = (running.ROOT / "app" / "components" / "schedule_form.py").read_text(encoding="utf-8")
    proposed += re.findall(r'"Name",.*placeholder="([^"]+)"', form)
    assert len(proposed) == 3
    for name in proposed:
        assert cli.main(["schedule", "add", name, *ADD[3:], *AT_TWO]) == 0, name
        assert cli.main(["schedule", "remove", name]) == 0, name
    assert context.store.schedules() == []


def test_the_list_tells_failures_and_alerts_that_did_not_arrive(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = running.context(tmp_path / "home")
    scheduling.seed(opened.store)
    opened.store.dispose()
    assert cli.main(["schedule", "list"]) == 0
    shown = capsys.readouterr().out
    assert "1 regression (Regressed), 1 failing (Failing)" in shown
    assert "not delivered to" in shown
    assert "secret-path" not in shown
    assert cli.main(["schedule", "list", "--json"]) == 0
    told = {s["name"]: s for s in json.loads(capsys.readouterr().out)["schedules"]}
    assert {name: s["health"] for name, s in told.items()} == {
        "Failing": "failing",
        "Nightly": "ok",
        "Regressed": "regressed",
        "Weekly": "paused",
    }
    assert told["Regressed"]["alerts"][0]["state"] == "undelivered"
    assert told["Weekly"]["next_due"] is None
