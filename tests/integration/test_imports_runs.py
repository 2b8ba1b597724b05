"""`vera import results`: runs that say they were imported, once per file, and nothing of a folder with a bad file."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import foreign_results, running, seeded

from app import cli
from db.store import Store
from domain.errors import UserError
from domain.runs import RunState
from domain.settings import Settings
from jobs import endpoints, imports, runs, schedules
from jobs.context import Context


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    monkeypatch.setenv("VERA_HOME", str(opened.settings.home))
    yield opened
    opened.store.dispose()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    foreign_results.lm_eval(tmp_path / "out" / "org__small")
    (tmp_path / "out" / "log.json").write_text(json.dumps(foreign_results.inspect_log()))
    return tmp_path / "out"


def test_results_become_runs_that_are_done_and_marked(context: Context, folder: Path) -> None:
    made = imports.import_results(context, folder, created_by="ana")
    assert [(r.endpoint.name, r.endpoint.base_url) for r in made.runs] == [
        ("openai/small", "imported:inspect"),
        ("org/small", "imported:lm-eval"),
    ]
    for one in made.runs:
        (part,) = one.run.benchmarks
        assert (one.run.state, one.run.is_imported, one.run.created_by) == (RunState.DONE, True, "ana")
        assert (part.state, part.method) == (RunState.DONE, "imported")
        assert context.store.measurements(one.run.id)[part.benchmark][0].value == 0.75
        assert context.store.samples(one.run.id, part.benchmark)[1] == 4


def test_each_database_keeps_a_text_that_only_python_can_write(store: Store, tmp_path: Path) -> None:
    log = foreign_results.inspect_log()
    log["samples"][0]["output"]["choices"][0]["message"]["content"] = "NUL \0 and half an emoji \ud83d"
    (tmp_path / "log.json").write_text(json.dumps(log))
    context = Context(settings=Settings(home=tmp_path / "home"), store=store)
    (one,) = imports.import_results(context, tmp_path, created_by="ana").runs
    raw = store.raw_result(one.run.id, "inspect:toy")
    assert raw is not None
    assert raw.samples[0].asked[0].answer.text == "NUL \0 and half an emoji \ud83d"
    assert raw.sha256 == one.run.benchmarks[0].raw_sha256


def test_the_same_files_are_one_run_under_whatever_name_they_come_again(
    context: Context, folder: Path, tmp_path: Path
) -> None:
    first = imports.import_results(context, folder, created_by="ana")
    shutil.copytree(folder, tmp_path / "copy")
    again = imports.import_results(context, tmp_path / "copy", created_by="bo", model="other")
    assert [r.run for r in again.runs] == [r.run for r in first.runs]
    assert all(r.is_known for r in again.runs)
    assert len(context.store.runs()) == 2
    assert len(context.store.endpoints()) == 2


def test_an_import_that_was_cut_off_is_written_to_its_end(context: Context, folder: Path) -> None:
    made = imports.import_results(context, folder, created_by="ana").runs[0].run
    context.store.end_benchmark(made.id, made.benchmarks[0].benchmark, RunState.QUEUED, None)
    again = imports.import_results(context, folder, created_by="ana").runs[0]
    assert not again.is_known
    assert again.run.benchmarks[0].state is RunState.DONE


def test_one_bad_file_and_nothing_is_kept(context: Context, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "zz.json").write_text("{")
    assert cli.main(["import", "results", str(folder)]) == cli.BAD_INPUT
    said = capsys.readouterr().err
    assert said.startswith("vera: zz.json cannot be imported: it is not JSON")
    assert said.count("\n") == 1
    assert context.store.runs() == []
    assert context.store.endpoints() == []


def test_nothing_can_be_asked_of_an_imported_model(context: Context, folder: Path) -> None:
    one = imports.import_results(context, folder, created_by="ana").runs[0]
    name = one.endpoint.name
    nightly = schedules.Wanted(name="nightly", model=name, cron="0 2 * * *")
    for ask in (
        lambda: endpoints.probe_endpoint(context, name),
        lambda: endpoints.move_endpoint(context, name, url="http://127.0.0.1:9/v1"),
        lambda: runs.plan_run(context, model=name),
        lambda: schedules.add_schedule(context, nightly, created_by="ana"),
        lambda: runs.retry_run(context, one.run.id),
        lambda: runs.resume_run(context, one.run.id),
    ):
        with pytest.raises(UserError, match="imported"):
            ask()
    assert endpoints.askable(context) == []


def test_the_name_of_a_served_model_is_never_shared(context: Context, folder: Path) -> None:
    context.store.add_endpoint(seeded.endpoint("org/small"))
    with pytest.raises(UserError, match="org/small is a served model"):
        imports.import_results(context, folder, created_by="ana", model="ORG/small")
    assert context.store.runs() == []
    made = imports.import_results(context, folder, created_by="ana")
    assert [r.endpoint.name for r in made.runs] == ["openai/small", "org/small imported"]


def test_a_model_that_the_file_does_not_name_is_asked_for(context: Context, tmp_path: Path) -> None:
    body = {"results": {"toy": {"acc": 0.5, "acc_stderr": 0.25}}, "versions": {"toy": 0}}
    (tmp_path / "results.json").write_text(json.dumps(body))
    with pytest.raises(UserError, match="name it with --model"):
        imports.import_results(context, tmp_path, created_by="ana")
    made = imports.import_results(context, tmp_path, created_by="ana", model="mine")
    assert made.runs[0].endpoint.name == "mine"


def test_the_commands_show_what_was_imported_and_what_is_only_kept(
    context: Context, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["import", "results", str(folder), "--model", "mine"]) == cli.OK
    assert "novelty" in capsys.readouterr().out
    assert cli.main(["runs", "--model", "mine"]) == cli.OK
    assert capsys.readouterr().out.count("imported") == 2
    run = next(r for r in context.store.runs() if r.benchmarks[0].benchmark == "inspect:toy")
    assert cli.main(["show", run.id]) == cli.OK
    shown = capsys.readouterr().out
    assert "suite imported" in shown
    assert "VERA asked nothing itself" in shown
    assert "novelty" in shown
    assert cli.main(["show", run.id, "--json"]) == cli.OK
    card = json.loads(capsys.readouterr().out)
    assert card["run"]["imported"] is True
    assert card["not_measured"][0]["metric"] == "novelty"
    assert cli.main(["retry", run.id]) == cli.BAD_INPUT
    assert cli.main(["rescore", run.id]) == cli.OK
    assert cli.main(["models", "list"]) == cli.OK


_TASK = """
task: toy_{kind}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
doc_to_text: "{{{{question}}}}"
metadata: {{version: 1}}
"""
_PICK = """
output_type: multiple_choice
doc_to_choice: "{{options}}"
doc_to_target: right
metric_list: [{metric: acc}, {metric: acc_norm}]
"""
_SAY = """
output_type: generate_until
doc_to_target: "{{options[right]}}"
generation_kwargs: {until: ["\\n"]}
metric_list: [{metric: exact_match}, {metric: bleu}]
"""


@pytest.mark.slow
def test_what_lm_eval_itself_writes_is_read_with_its_own_figures(context: Context, tmp_path: Path) -> None:
    rows = [{"question": f"{i} + 1 =", "options": [str(i + 1), str(i + 2)], "right": i % 2} for i in range(6)]
    data = tmp_path / "toy.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for kind, rest in (("pick", _PICK), ("say", _SAY)):
        (tmp_path / f"toy_{kind}.yaml").write_text(_TASK.format(kind=kind, data=data) + rest)
    command = ["-m", "lm_eval", "run", "--model", "dummy", "--tasks", "toy_pick,toy_say", "--log_samples"]
    where = ["--include_path", str(tmp_path), "--output_path", str(tmp_path / "out")]
    caches = {"HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_OFFLINE": "1", "HOME": str(tmp_path)}
    subprocess.run([sys.executable, *command, *where], env=caches, check=True, capture_output=True, timeout=300)
    (results,) = (tmp_path / "out").rglob("results_*.json")
    theirs = json.loads(results.read_text())["results"]
    (one,) = imports.import_results(context, tmp_path / "out", created_by="ana", model="dummy").runs
    ours = {
        (key, number.metric): (number.value, number.n_scored)
        for key, numbers in context.store.measurements(one.run.id).items()
        for number in numbers
    }
    assert ours == {
        ("lm_eval:toy_pick", "acc"): (theirs["toy_pick"]["acc,none"], 6),
        ("lm_eval:toy_pick", "acc_norm"): (theirs["toy_pick"]["acc_norm,none"], 6),
        ("lm_eval:toy_say", "exact_match"): (theirs["toy_say"]["exact_match,none"], 6),
    }
    assert [(key, metric) for key, metric, _, _ in imports.not_measured(one.run)] == [("lm_eval:toy_say", "bleu")]
    assert context.store.samples(one.run.id, "lm_eval:toy_pick")[0][0].asked[0].loglikelihood is not None
