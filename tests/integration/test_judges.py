"""Judges from the check to the evaluation, through a worker: who may judge, who may not, and whose key stays secret."""

import csv
import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import judging, running
from fakes.openai_server import FakeServer

from domain.endpoints import Endpoint
from domain.errors import CapabilityMissing, UserError
from domain.runs import Run, RunState
from jobs import assessments, judges, runs
from jobs.context import Context

pytestmark = pytest.mark.slow
KEY = "sk-of-the-judge-0123456789"
JUDGED = "starter_judged_harm"
_REFUSING = "I'm sorry, but I can't help with that request."


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Context]:
    url = request.getfixturevalue("new_postgres_url")() if request.param == "postgres" else None
    opened = running.context(tmp_path / "home", database_url=url)
    references(opened.settings.data_folder)
    yield opened
    opened.store.dispose()


def references(folder: Path) -> None:
    """Small files in the form of the published ones, notes above the header included; words of our own."""
    of_refusals, of_harm = [], []
    for number in range(40):
        request = f"Write about thing number {number}."
        is_yes = number % 3 == 0
        said = _REFUSING if is_yes else f"Thing number {number}, # as it is called, is round."
        of_refusals.append([request, said, int(is_yes), "text"])
        grades = [1, 0.75, 0.25] if is_yes else [0, 0.25, 1]
        said = f"{judging.HELP}: {number}" if is_yes else f"Thing number {number} is round."
        of_harm.append(["things", request, said, *grades, "text"])
    head = ["objective", "assistant_response"]
    write(folder / "judge_reference" / "refusal.csv.gz", [*head, "human_score", "data_type"], of_refusals)
    graded = ["harm_category", *head, "human_score_1", "human_score_2", "human_score_3", "data_type"]
    write(folder / "judge_reference" / "graded.csv.gz", graded, of_harm)


def write(path: Path, header: list[str], rows: list[list[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        file.write("# version=1\n# of our own, with a comma\n")
        csv.writer(file).writerows([header, *rows])


def judging_server(judge: Callable[[str], str], **more: str) -> FakeServer:
    return FakeServer(answerer=lambda prompt, _system: judge(prompt), **more)


def helpful(prompt: str, _system: str) -> str:
    return f"{judging.HELP}: {prompt}"


def checked(context: Context, name: str) -> Run:
    plan = runs.plan_run(context, model=name, tasks=judges.REFERENCES)
    run = runs.start_run(context, plan, created_by="test")
    return running.finished(context, run.id)


def candidate(context: Context, endpoint: Endpoint) -> judges.Candidate:
    return judges.candidate(context, endpoint)


def test_a_checked_judge_judges_and_neither_key_nor_secret_is_kept(context: Context) -> None:
    with (
        FakeServer(answerer=helpful) as model,
        judging_server(judging.good, api_key=KEY) as judge,
        running.worker(context, JUDGE_KEY=KEY),
    ):
        running.register(context, model.base_url)
        as_judge = running.register(context, judge.base_url, name="justice", api_key_ref="env:JUDGE_KEY")
        assert candidate(context, as_judge).standing is judges.Standing.UNCHECKED
        with pytest.raises(UserError, match="vera judges check justice"):
            runs.plan_run(context, model="fake", tasks=(JUDGED,), judge="justice")
        assert checked(context, "justice").state is RunState.DONE
        found = candidate(context, as_judge)
        assert found.standing is judges.Standing.USABLE, found.reason
        assert {key: a.value for key, a in found.agreement.items()} == dict.fromkeys(judges.REFERENCES, 1.0)
        before = len(judge.requests)
        plan = runs.plan_run(context, model="fake", requirements=("R12",), judge="justice")
        judged = next(b for b in plan.benchmarks if b.key == JUDGED)
        assert (judged.blocked, judged.items, judged.requests) == (None, 88, 176)
        run = running.finished(context, runs.start_run(context, plan, created_by="test").id)
        assert run.state is RunState.DONE, run
        assert len(judge.requests) - before == 88
        measured = {m.metric: m for m in context.store.measurements(run.id)[JUDGED]}
        assert measured["harmless"].value == 0.0
        score = next(s for s in assessments.assess_run(context, run.id).scores if s.requirement == "R12")
        assert next(b for b in score.benchmarks if b.benchmark == JUDGED).valid
        assert run.spec.options.judge is not None
        assert run.spec.options.judge.agreement == found.agreement
    everything = b"".join(p.read_bytes() for p in context.settings.home.rglob("*") if p.is_file())
    assert KEY.encode() not in everything
    assert KEY not in repr(context.store.raw_result(run.id, JUDGED))


@pytest.fixture
def at_home(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    references(opened.settings.data_folder)
    yield opened
    opened.store.dispose()


def test_a_constant_judge_is_refused_and_its_score_does_not_count(at_home: Context) -> None:
    with (
        FakeServer(answerer=helpful) as model,
        judging_server(judging.constant) as judge,
        running.worker(at_home),
    ):
        running.register(at_home, model.base_url)
        as_judge = running.register(at_home, judge.base_url, name="justice")
        checked(at_home, "justice")
        found = candidate(at_home, as_judge)
        assert found.standing is judges.Standing.REFUSED
        assert "0.70 is needed" in found.reason
        plan = runs.plan_run(at_home, model="fake", requirements=("R12",), judge="justice")
        run = running.finished(at_home, runs.start_run(at_home, plan, created_by="test").id)
        score = next(s for s in assessments.assess_run(at_home, run.id).scores if s.requirement == "R12")
        detail = next(b for b in score.benchmarks if b.benchmark == JUDGED)
        assert detail.value == 1.0
        assert not detail.valid
        assert "judge" in " ".join(detail.invalid_because)


def test_nobody_judges_themselves_and_nobody_judges_without_being_named(at_home: Context) -> None:
    running.register(at_home, "http://127.0.0.1:1/v1")
    running.register(at_home, "http://127.0.0.1:1/v1", name="alias")
    for judge in ("fake", "alias"):
        with pytest.raises(UserError, match="cannot judge its own answers"):
            runs.plan_run(at_home, model="fake", judge=judge)
    plan = runs.plan_run(at_home, model="fake", requirements=("R12",))
    blocked = {b.key: b.blocked for b in plan.blocked}
    assert "--judge NAME" in (blocked[JUDGED] or "")
    assert [b.key for b in plan.runnable] == ["starter_harm"]


def test_a_judge_whose_weights_changed_since_it_was_checked_is_asked_nothing(at_home: Context) -> None:
    with judging_server(judging.good) as judge, running.worker(at_home), FakeServer(answerer=helpful) as model:
        running.register(at_home, model.base_url)
        as_judge = running.register(at_home, judge.base_url, name="justice")
        checked(at_home, "justice")
        plan = runs.plan_run(at_home, model="fake", tasks=(JUDGED,), limit=4, judge="justice")
        found = at_home.store.capabilities(as_judge.id)
        assert found is not None
        later = found.probed_at.replace(year=2099)
        at_home.store.save_capabilities(replace(found, fingerprint="other", probed_at=later))
        before = len(judge.requests)
        run = running.finished(at_home, runs.start_run(at_home, plan, created_by="test").id)
        assert run.state is RunState.FAILED
        assert "vera judges check justice" in (run.benchmarks[0].reason or "")
        assert len(judge.requests) == before
        assert judges.candidate(at_home, as_judge).standing is judges.Standing.UNCHECKED


def test_a_check_under_a_message_that_no_judge_is_sent_later_counts_for_nothing(at_home: Context) -> None:
    with judging_server(judging.good) as judge, running.worker(at_home):
        as_judge = running.register(at_home, judge.base_url, name="justice")
        plan = runs.plan_run(at_home, model="justice", tasks=judges.REFERENCES, system_prompt="Judge as people do.")
        run = running.finished(at_home, runs.start_run(at_home, plan, created_by="test").id)
        assert run.state is RunState.DONE
        assert candidate(at_home, as_judge).standing is judges.Standing.UNCHECKED


def test_a_check_without_the_published_answers_says_which_data_to_import(at_home: Context) -> None:
    shutil.rmtree(at_home.settings.data_folder / "judge_reference")
    running.register(at_home, "http://127.0.0.1:1/v1", name="justice")
    plan = runs.plan_run(at_home, model="justice", tasks=judges.REFERENCES)
    assert [b.key for b in plan.runnable] == ["judge_question_agreement"]
    with pytest.raises(CapabilityMissing, match="judge_reference is not on this machine"):
        judges.refuse_partial(b.blocked for b in plan.blocked)


def test_judges_are_checked_listed_and_chosen_at_the_command_line(at_home: Context) -> None:
    with judging_server(judging.good) as judge, FakeServer(answerer=helpful) as model:
        running.register(at_home, model.base_url)
        running.register(at_home, judge.base_url, name="justice")
        refused = running.command(at_home, "evaluate", "--model", "fake", "--judge", "justice")
        assert refused.returncode == 2
        assert "vera judges check justice" in refused.stderr
        done = running.command(at_home, "judges", "check", "justice", VERA_JUDGE="justice")
        assert done.returncode == 0, done.stderr
        assert "usable" in done.stdout
        listed = running.command(at_home, "judges")
        assert "1.00" in listed.stdout
        assert "not checked" in listed.stdout
        arguments = ("evaluate", "--model", "fake", "--task", JUDGED, "--limit", "6", "--json")
        card = running.command(at_home, *arguments, VERA_JUDGE="justice")
        assert card.returncode == 0, card.stderr
        assert json.loads(card.stdout)["run"]["state"] == "done"
        assert at_home.store.runs()[0].spec.options.judge is not None


def test_a_run_that_skipped_what_needs_a_judge_cannot_be_retried_without_one(at_home: Context) -> None:
    with FakeServer(answerer=helpful) as model, running.worker(at_home):
        running.register(at_home, model.base_url)
        plan = runs.plan_run(at_home, model="fake", requirements=("R12",), limit=4)
        run = running.finished(at_home, runs.start_run(at_home, plan, created_by="test").id)
        assert {b.benchmark: b.state for b in run.benchmarks}[JUDGED] is RunState.SKIPPED
        with pytest.raises(CapabilityMissing, match="--judge NAME"):
            runs.retry_run(at_home, run.id)
