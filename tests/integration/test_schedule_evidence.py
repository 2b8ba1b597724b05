"""Judge and evidence of a schedule: kept, asked at its time, and the time is a failed one where they are gone."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import checked_judges, detectors, judging, receivers, running
from fakes.openai_server import FakeServer

from app import cli
from domain.choices import Choices
from domain.errors import UserError
from domain.runs import Priority, RunState
from domain.schedules import AlertKind, AlertState, Firing, FiringState, Health, Schedule, TargetKind
from jobs import choices, firings, schedules
from jobs.context import Context

JUDGED = "starter_judged_harm"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Context]:
    """A home with two registered models, one of which may judge."""
    make: Callable[[], str] | None = None
    if request.param == "postgres":
        make = request.getfixturevalue("new_postgres_url")
    opened = furnished(tmp_path / "home", make() if make else None)
    yield opened
    opened.store.dispose()


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[Context]:
    """The same on SQLite alone, for commands in this process, which leave a database to the process's end."""
    opened = furnished(tmp_path / "home", None)
    yield opened
    opened.store.dispose()


def furnished(home: Path, database_url: str | None) -> Context:
    opened = running.context(home, database_url=database_url)
    running.register(opened, "http://127.0.0.1:9/v1")
    running.register(opened, "http://127.0.0.1:10/v1", name="justice")
    checked_judges.check(opened.store, 0.9)
    return opened


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.jsonl"
    path.write_text("\n".join(json.dumps({"text": f"Document {i}."}) for i in range(5)))
    return path


def added(context: Context, requirement: str, chosen: Choices, **wanted: object) -> Schedule:
    asked = {"name": "Nightly", "model": "fake", "requirements": (requirement,), "cron": "0 2 * * *"}
    asked |= {"choices": chosen, **wanted}
    return schedules.add_schedule(context, schedules.Wanted(**asked), created_by="test")


def fired(context: Context, of: Schedule) -> Firing:
    firing = firings.fire(context, of.id, datetime.now(UTC), manual=True)
    assert firing is not None
    return firing


def refused(context: Context, of: Schedule) -> str:
    """The sentence of a time that failed, which an alert repeats."""
    runs_before = len(context.store.runs())
    firing = fired(context, of)
    assert firing.state is FiringState.FAILED
    assert len(context.store.runs()) == runs_before
    firings.settle(context, of.id, firing.due_at)
    alert = context.store.alerts(schedule_id=of.id)[0]
    assert (alert.kind, alert.details) == (AlertKind.RUN_FAILED, (firing.reason,))
    assert schedules.status(context, of).health is Health.FAILING
    return str(firing.reason)


def test_the_run_of_a_schedule_has_its_judge_as_it_was_measured_last(context: Context) -> None:
    of = added(context, "R12", Choices(judge="justice", limit=4), priority=Priority.LOW)
    run = context.store.run(str(fired(context, of).run_id))
    assert run.spec.options.judge is not None
    assert {a.run_id for a in run.spec.options.judge.agreement.values()} == {"check"}
    assert {b.benchmark: b.state for b in run.benchmarks}[JUDGED] is RunState.QUEUED
    assert run.priority is Priority.LOW
    again = added(context, "R12", Choices(quick=True), name="Without")
    options = context.store.run(str(fired(context, again).run_id)).spec.options
    assert (options.judge, options.limit) == (None, None)
    assert options.limits


def test_a_judge_that_is_gone_fails_the_time_and_is_told(context: Context) -> None:
    of = added(context, "R12", Choices(judge="justice"))
    context.store.remove_endpoint("justice")
    assert "The judge justice is not among the registered models" in refused(context, of)


def test_a_judge_that_agrees_too_little_by_now_fails_the_time_and_cannot_be_chosen(context: Context) -> None:
    of = added(context, "R12", Choices(judge="justice"))
    checked_judges.check(context.store, 0.6, run_id="later")
    assert "agrees with people too little for its verdicts to count" in refused(context, of)
    with pytest.raises(UserError, match=r"too little .* Choose another judge, or nobody"):
        added(context, "R12", Choices(judge="justice"), name="Another")


def test_a_judge_with_nothing_to_judge_is_a_mistake(context: Context) -> None:
    with pytest.raises(UserError, match="no benchmark of this is judged"):
        added(context, "R06", Choices(judge="justice"))


def test_a_corpus_that_was_changed_or_is_gone_fails_the_time(context: Context, corpus: Path) -> None:
    of = added(context, "R03", Choices(data_files=choices.given({"corpus_scan": corpus})))
    run = context.store.run(str(fired(context, of).run_id))
    assert run.spec.options.data_files == {"corpus_scan": str(corpus)}
    context.store.set_run_state(run.id, RunState.DONE)
    whole = corpus.read_text()
    corpus.write_text(whole.replace("Document 1", "Document 9"))
    assert "their sha256 is another" in refused(context, of)
    corpus.unlink()
    assert f"there is no file {corpus}" in refused(context, of)
    corpus.write_text(whole)
    assert fired(context, of).state is FiringState.STARTED


def test_a_detector_that_is_not_installed_any_more_fails_the_time(context: Context, tmp_path: Path) -> None:
    folder = tmp_path / "people"
    folder.mkdir()
    (folder / "one.txt").write_text(detectors.of_people(40))
    files = choices.given({"watermark_detection": folder})
    of = added(context, "R09", Choices(detector="http://127.0.0.1:9/detect", detector_threshold=2.0, data_files=files))
    run = context.store.run(str(fired(context, of).run_id))
    assert (run.spec.options.detector, run.spec.options.detector_threshold) == ("http://127.0.0.1:9/detect", 2.0)
    context.store.set_run_state(run.id, RunState.DONE)
    gone = replace(of, choices=replace(of.choices, detector="no_such_entry_point"))
    context.store.update_schedule(gone)
    assert "no_such_entry_point" in refused(context, gone)
    context.store.update_schedule(of)
    (folder / "two.txt").write_text("One more text.")
    assert "their sha256 is another" in refused(context, of)


def test_evidence_whose_benchmark_cannot_run_is_refused_and_not_left_out(context: Context) -> None:
    with pytest.raises(UserError, match="public_domain_texts is not on this machine"):
        schedules.add_schedule(
            context,
            schedules.Wanted(
                name="All", model="fake", cron="0 2 * * *", choices=Choices(detector="http://127.0.0.1:9/detect")
            ),
            created_by="test",
        )
    assert context.store.schedules() == []


def test_the_command_line_keeps_everything_and_tells_it(
    at_home: Context, corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = ("schedule", "add", "Nightly", "--model", "fake", "--cron", "0 2 * * *")
    assert cli.main([*name, "--data", "corpus_scan"]) == cli.BAD_INPUT
    assert "--data takes TASK=FILE" in capsys.readouterr().err
    assert cli.main([*name, "--judge", "fake"]) == cli.BAD_INPUT
    assert "cannot judge its own answers" in capsys.readouterr().err
    assert cli.main([*name, "--detector", "http://user:geheim@h/x"]) == cli.BAD_INPUT
    assert "geheim" not in capsys.readouterr().err
    asked = ("--judge", "justice", "--quick", "--priority", "low", "--data", f"corpus_scan={corpus}")
    assert cli.main([*name, *asked]) == 0
    (made,) = at_home.store.schedules()
    assert (made.choices.judge, made.choices.quick, made.priority) == ("justice", True, Priority.LOW)
    capsys.readouterr()
    assert cli.main(["schedule", "list", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["schedules"]
    assert (told["judge"], told["data_files"]["corpus_scan"]["path"]) == ("justice", str(corpus))


def test_the_judge_of_the_settings_judges_at_night_too_where_something_is_judged(
    at_home: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERA_JUDGE", "justice")
    for requirement in ("R06", "R12"):
        arguments = ("--model", "fake", "--cron", "0 2 * * *", "--requirement", requirement)
        assert cli.main(["schedule", "add", requirement, *arguments]) == 0
    assert [made.choices.judge for made in at_home.store.schedules()] == [None, "justice"]


@pytest.mark.slow
def test_a_judged_run_is_asked_at_its_time_by_a_worker_and_its_failures_are_told(context: Context) -> None:
    def helpful(prompt: str, _system: str) -> str:
        return f"{judging.HELP}: {prompt}"

    with (
        FakeServer(answerer=helpful) as model,
        FakeServer(answerer=lambda prompt, _system: judging.good(prompt)) as judge,
        receivers.Webhook(200, 200) as webhook,
        running.worker(context),
    ):
        running.move(context, context.store.endpoint("fake"), model.base_url)
        running.move(context, context.store.endpoint("justice"), judge.base_url)
        hook = schedules.target(TargetKind.WEBHOOK, webhook.url)
        of = added(context, "R12", Choices(judge="justice", limit=4), targets=(hook,))
        run = running.finished(context, str(schedules.run_now(context, of.name).run_id))
        assert run.state is RunState.DONE, run
        assert len(judge.requests) == 4
        figures = {m.metric: m.value for m in context.store.measurements(run.id)[JUDGED]}
        assert figures["harmless"] == 0.0
        running.wait_for(lambda: context.store.firings(of.id)[0].settled_at)
        context.store.remove_endpoint("justice")
        firings.fire(context, of.id, datetime.now(UTC), manual=True)
        told = running.wait_for(lambda: context.store.alerts(states={AlertState.DELIVERED}))
    assert told[0].details[0].startswith("The judge justice is not among the registered models")


@pytest.mark.slow
def test_a_detector_whose_address_is_not_set_at_the_worker_leaves_the_rest_and_is_told(
    at_home: Context, tmp_path: Path
) -> None:
    (tmp_path / "people.txt").write_text(detectors.of_people(320))
    files = choices.given({"watermark_detection": tmp_path / "people.txt"})
    with FakeServer("ok") as model, running.worker(at_home):
        running.move(at_home, at_home.store.endpoint("fake"), model.base_url)
        of = added(at_home, "R09", Choices(detector="env:DETECTOR", data_files=files, limit=10))
        run = running.finished(at_home, str(schedules.run_now(at_home, of.name).run_id))
        told = running.wait_for(lambda: at_home.store.alerts(schedule_id=of.id))
    assert run.state is RunState.FAILED
    assert "The environment variable DETECTOR that holds the detector's address is not set" in told[0].details[0]
