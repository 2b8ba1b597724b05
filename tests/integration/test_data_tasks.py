"""Imported data under the usual names of tasks: what a run reads, what is blocked before it, and what is mirrored."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import data_folder, running
from fakes.openai_server import FakeServer

import evaluators
from app import cli
from domain.answers import MemoryAnswers
from domain.benchmarks import RunOptions
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.errors import InvalidTask, UserError
from domain.settings import Settings
from evaluators.benchmarks import loading
from jobs import datasets, pulls
from jobs.context import Context, open_context
from jobs.plans import Plan, plan_run

#: Task → rows of it in the public sample; a task may leave out some of its data set's.
PUBLIC = {
    "arc_challenge": 600,
    "truthfulqa_mc2": 790,
    "truthfulqa_gen": 790,
    "mmlu_anatomy": 135,
    "gsm8k": 1319,
    "boolq": 500,
    "bbq": 11956,
    "esbbq_religion": 648,
    "crows_pairs_english_religion": 105,
    "winogender_male": 240,
    "bbh_zeroshot_boolean_expressions": 250,
}


@pytest.fixture
def offline(tmp_path: Path) -> Iterator[Context]:
    """A machine that stays offline, with one registered model and no cache of the hub."""
    opened = open_context(Settings(home=tmp_path / "home", offline=True))
    context = Context(settings=opened.settings, store=opened.store, environ={"HF_HOME": str(tmp_path / "hub")})
    running.register(context, "http://127.0.0.1:9/v1", can=(*running.CAN, Capability.FORCED_LOGPROBS))
    yield context
    context.store.dispose()


def plan(context: Context, *tasks: str, **options: object) -> Plan:
    return plan_run(context, model="fake", tasks=tasks, **options)  # type: ignore[arg-type]


def quiz(folder: Path, task: str = "arc_challenge", rows: int = 6) -> Path:
    return data_folder.write(folder, {f"quiz/lm_eval/{task}.jsonl": data_folder.ROWS[:rows]}, tasks=[task])


def test_the_public_sample_imports_with_one_command_but_for_what_its_manifest_describes_wrongly(
    test_data: Path, offline: Context
) -> None:
    folder = offline.settings.data_folder
    brought = datasets.import_folder(test_data, folder=folder)
    named = {entry["id"] for entry in data_folder.read(test_data)["benchmarks"]}
    left_out = {sentence.split(" ")[0] for sentence in brought.left_out}
    assert {d.id for d in brought.data_sets} == named - left_out
    assert left_out <= {"chunking_evaluation"}
    count, problems = datasets.verify(folder)
    assert count > 200
    assert problems == ()
    for task, rows in PUBLIC.items():
        planned = plan(offline, task)
        assert not planned.blocked
        benchmark = evaluators.find(task)[1]
        assert len(loading.load(benchmark, planned.spec.options).docs) == rows, task


def test_questions_of_another_data_set_do_not_pass_for_those_of_the_task(test_data: Path, offline: Context) -> None:
    datasets.import_folder(test_data, folder=offline.settings.data_folder)
    (blocked,) = plan(offline, "headqa_es").blocked
    assert "vera data pull --task headqa_es" in str(blocked.blocked)
    file = test_data / "casimedicos_es/lm_eval/headqa_es_from_casimedicos.jsonl.gz"
    datasets.import_file(file, task="headqa_es", licence="CC BY 4.0", folder=offline.settings.data_folder)
    assert not plan(offline, "headqa_es").blocked


def test_offline_a_task_without_its_data_is_blocked_before_the_run_with_the_command_that_fetches_them(
    offline: Context, tmp_path: Path
) -> None:
    (blocked,) = plan(offline, "arc_challenge").blocked
    assert "allenai/ai2_arc" in str(blocked.blocked)
    assert "`vera data pull --task arc_challenge --to FOLDER`" in str(blocked.blocked)
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=offline.settings.data_folder)
    planned = plan(offline, "arc_challenge")
    assert not planned.blocked
    assert planned.benchmarks[0].items == 6
    assert planned.spec.options.data_files == {
        "lm_eval:arc_challenge": str(offline.settings.data_folder / "quiz/lm_eval/arc_challenge.jsonl")
    }


def test_imported_data_that_were_changed_are_not_asked(offline: Context, tmp_path: Path) -> None:
    folder = offline.settings.data_folder
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=folder)
    file = folder / "quiz/lm_eval/arc_challenge.jsonl"
    file.write_bytes(file.read_bytes().replace(b"yes", b"YES", 1))
    (blocked,) = plan(offline, "arc_challenge").blocked
    assert "quiz/lm_eval/arc_challenge.jsonl is not as it was imported" in str(blocked.blocked)
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=folder)
    assert not plan(offline, "arc_challenge").blocked


def test_a_manifest_that_cannot_be_read_stops_no_run_that_needs_no_data(offline: Context) -> None:
    offline.settings.data_folder.mkdir(parents=True)
    (offline.settings.data_folder / "MANIFEST.yaml").write_text("benchmarks: [\n")
    assert not plan(offline, "starter_arithmetic").blocked
    with pytest.raises(InvalidTask, match="not valid YAML"):
        plan(offline, "arc_challenge")


def test_online_a_task_without_imported_data_is_left_to_the_hub(tmp_path: Path) -> None:
    context = running.context(tmp_path / "home")
    running.register(context, "http://127.0.0.1:9/v1")
    assert not plan(context, "arc_challenge").blocked
    context.store.dispose()


def test_what_the_hub_s_libraries_fetched_before_is_no_reason_to_block(offline: Context, tmp_path: Path) -> None:
    (tmp_path / "hub/datasets/allenai___ai2_arc").mkdir(parents=True)
    assert not plan(offline, "arc_challenge").blocked


def test_data_named_for_a_run_come_before_imported_ones(offline: Context, tmp_path: Path) -> None:
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=offline.settings.data_folder)
    other = quiz(tmp_path / "other", rows=2) / "quiz/lm_eval/arc_challenge.jsonl"
    options = plan(offline, "arc_challenge", data_files={"arc_challenge": other}).spec.options
    assert options.data_files == {"arc_challenge": str(other)}
    assert len(loading.load(evaluators.find("arc_challenge")[1], options).docs) == 2


def test_a_file_imported_for_a_task_is_what_the_task_reads_until_another_is_imported(
    offline: Context, tmp_path: Path
) -> None:
    folder = offline.settings.data_folder
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=folder)
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in data_folder.ROWS[:3]))
    datasets.import_file(file, task="arc_challenge", licence=None, folder=folder)
    options = plan(offline, "arc_challenge").spec.options
    assert options.data_files == {"lm_eval:arc_challenge": str(folder / "own_arc_challenge/mine.jsonl")}
    own = next(d for d in datasets.listed(folder) if d.id == "own_arc_challenge")
    assert (own.licence, own.files[0].rows, own.source) == ("not stated", 3, {"file": "mine.jsonl"})
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=folder)
    assert "quiz/lm_eval" in plan(offline, "arc_challenge").spec.options.data_files["lm_eval:arc_challenge"]


def test_a_file_that_is_broken_is_refused_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text('{"question": 1}\n{"question"\n')
    with pytest.raises(InvalidTask, match="line 2"):
        datasets.import_file(tmp_path / "broken.jsonl", task="boolq", licence=None, folder=tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_task_runs_unchanged_on_imported_data(offline: Context, tmp_path: Path) -> None:
    datasets.import_folder(quiz(tmp_path / "mirror"), folder=offline.settings.data_folder)
    options = plan(offline, "arc_challenge").spec.options
    findings = tuple(
        Finding(capability=c, available=True, asked="", answered="", reason="")
        for c in (Capability.COMPLETIONS, Capability.ECHO_LOGPROBS)
    )
    with FakeServer("ok") as server:
        raw = evaluators.run(
            "lm_eval:arc_challenge",
            endpoint=Endpoint(
                id="e1", name="fake", base_url=server.base_url, model="fake", created_at=datetime.now(UTC)
            ),
            api_key=None,
            capabilities=Capabilities(endpoint_id="e1", probed_at=datetime.now(UTC), findings=findings),
            options=RunOptions(data_files=options.data_files),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )
    assert raw.population == len(raw.samples) == 6
    assert raw.provenance["dataset"]["rows"] == 6
    assert list(raw.provenance["dataset"]["files"]) == ["arc_challenge.jsonl"]
    assert {m.metric for m in evaluators.measure(raw)} >= {"acc", "acc_norm"}


def own_task(folder: Path) -> Path:
    """A task file that reads a folder which `datasets` can load by itself."""
    source = folder / "published"
    source.mkdir(parents=True)
    (source / "test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in data_folder.ROWS))
    task = folder / "quiz.yaml"
    task.write_text(
        f"task: quiz\ndataset_path: {source}\ntest_split: test\noutput_type: generate_until\n"
        "doc_to_text: '{{question}}'\ndoc_to_target: '{{answerKey}}'\n"
    )
    return task


def test_what_is_pulled_can_be_imported_and_serves_its_task(
    offline: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task, mirror = own_task(tmp_path / "tasks"), tmp_path / "mirror"
    assert cli.main(["data", "pull", "--task", str(task), "--to", str(mirror)]) == cli.OK
    assert "1 data set" in capsys.readouterr().out
    (entry,) = data_folder.read(mirror)["benchmarks"]
    (file,) = entry["files"]
    assert file["rows"] == 6
    assert entry["serves"] == {"quiz": file["path"]}
    assert [json.loads(line) for line in (mirror / file["path"]).read_text().splitlines()] == data_folder.ROWS
    datasets.import_folder(mirror, folder=offline.settings.data_folder)
    planned = plan(offline, str(task))
    assert not planned.blocked
    assert list(planned.spec.options.data_files.values()) == [str(offline.settings.data_folder / file["path"])]


def test_a_pull_that_reaches_no_hub_is_one_sentence_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.hf_api.constants.ENDPOINT", "http://127.0.0.1:9")
    wanted = pulls.wanted(suite=None, tasks=["arc_challenge"], tasks_dir=None)
    with pytest.raises(UserError, match=r"allenai/ai2_arc could not be fetched .* nothing was written") as refused:
        pulls.pull(wanted.hub, to=tmp_path / "mirror", offline=False, tell=lambda _: None)
    assert "\n" not in refused.value.sentence
    assert not (tmp_path / "mirror").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--suite", "gala"], "'gala'"),
        (["--suite", "screening"], "No public task fetches"),
        (["--task", "no_such_task"], "'no_such_task'"),
        ([], "--suite or by --task"),
        (["--suite", "starter", "--task", "boolq"], "not by both"),
    ],
)
def test_what_cannot_be_pulled_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert cli.main(["data", "pull", *arguments, "--to", str(tmp_path / "mirror")]) == cli.BAD_INPUT
    refusal = capsys.readouterr().err
    assert said in refusal
    assert refusal.count("\n") == 1
    assert not (tmp_path / "mirror").exists()


def test_the_starter_suite_needs_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["data", "pull", "--suite", "starter", "--to", str(tmp_path / "mirror")]) == cli.OK
    assert "need no data" in capsys.readouterr().out
    assert not (tmp_path / "mirror").exists()


def test_an_offline_machine_and_a_folder_of_other_things_are_not_pulled_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    task = own_task(tmp_path / "tasks")
    assert cli.main(["data", "pull", "--task", str(task), "--to", str(tmp_path)]) == cli.BAD_INPUT
    assert "holds something else" in capsys.readouterr().err
    monkeypatch.setenv("VERA_OFFLINE", "1")
    assert cli.main(["data", "pull", "--task", str(task), "--to", str(tmp_path / "mirror")]) == cli.BAD_INPUT
    assert "VERA_OFFLINE" in capsys.readouterr().err
