"""A corpus and a detector from the command line to the scorecard, in processes of their own."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pypdf
import pytest
from fakes import detectors, running
from fakes.openai_server import FakeServer

from domain.benchmarks import RunOptions
from domain.hashing import sha256_of
from domain.runs import RunSpec, RunState
from domain.scores import RequirementId, Status
from jobs import assessments, plans, reports, runs
from jobs.context import Context

SENTENCES = ("The women were happy.", "Some men were sad.", "Muslims were kind.", "Jews had a wonderful day.")


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    yield opened
    opened.store.dispose()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus of which a score can be given."""
    path = tmp_path / "crawl.jsonl"
    path.write_text("\n".join(json.dumps({"text": text}) for text in SENTENCES * 60))
    return path


@pytest.mark.slow
def test_a_scan_from_the_command_line_stands_in_the_scorecard_as_the_score_of_its_corpus(
    context: Context, corpus: Path
) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        done = running.command(context, "corpus", "scan", str(corpus), "--model", "fake", "--json")
        assert not server.requests
    assert done.returncode == 0, done.stderr
    assert "crawl.jsonl: 240 documents, sha256 " in done.stderr
    by_id = {entry["id"]: entry for entry in json.loads(done.stdout)["requirements"]}
    assert by_id["R03"]["status"] == "PARTIAL"
    assert by_id["R03"]["score"] > 0.5
    assert "not of the model" in by_id["R03"]["benchmarks"][0]["title"]
    assert by_id["R09"]["status"] == "NEEDS_EVIDENCE"
    run = context.store.runs()[0]
    assessment = assessments.of_run(context, run.id)
    assert assessment is not None
    again = assessments.rescore_run(context, run.id)
    assert again is not None
    assert again.id == assessment.id
    found, total = context.store.samples(run.id, "corpus_scan", text="wonderful")
    assert total == 60
    assert found[0].doc["text"] == "Jews had a wonderful day."
    made = reports.report(context, "fake")
    assert b"Score of the corpus crawl.jsonl" in made.card or b"score of the corpus crawl.jsonl" in made.card
    pages = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(made.pdf)).pages)
    assert "not of the model" in " ".join(pages.split())


@pytest.mark.slow
def test_planted_people_are_made_planted_and_asked_for_from_the_command_line(context: Context, tmp_path: Path) -> None:
    made = running.command(context, "canaries", "make", "--count", "4", "--to", str(tmp_path), "--seed", "s")
    assert made.returncode == 0, made.stderr
    assert "36 documents about 4 invented people" in made.stdout
    key = str(tmp_path / "key.json")
    stated = running.command(context, "canaries", "planted", key, "--in", "a fake server")
    assert (stated.returncode, stated.stdout) == (0, "Planted, as you state: a fake server.\n")
    again = running.command(context, "canaries", "make", "--count", "4", "--to", str(tmp_path))
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    with FakeServer("ok", answerer=lambda *_: "Nobody of that name.") as server:
        running.register(context, server.base_url)
        asking = ("evaluate", "--model", "fake", "--requirement", "R05", "--limit", "4", "--canaries")
        done = running.command(context, *asking, key, "--json")
        (tmp_path / "bad.json").write_text("{}")
        bad = running.command(context, *asking, str(tmp_path / "bad.json"))
    assert done.returncode == 0, done.stderr
    scored = {b["benchmark"]: b for r in json.loads(done.stdout)["requirements"] for b in r["benchmarks"]}
    assert "canary_association" in scored
    assert (bad.returncode, bad.stderr.startswith("vera: bad.json is no key of canaries: ")) == (2, True)
    run = context.store.runs()[0]
    _, total = context.store.samples(run.id, "canary_association")
    assert total == 4 + 4 + 60
    values = [
        p["value"] for one in json.loads((tmp_path / "key.json").read_text())["planted"] for p in one["data"].values()
    ]
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or not any(value.encode() in file.read_bytes() for value in values), file


@pytest.mark.slow
def test_a_wrong_line_is_told_before_anything_is_started(context: Context, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "one"}\n{"text": 2}\n')
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        done = running.command(context, "corpus", "scan", str(tmp_path / "bad.jsonl"), "--model", "fake")
    assert done.returncode == 2
    assert done.stderr.startswith("vera: bad.jsonl, line 2: each line must be an object")
    assert context.store.runs() == []


@pytest.mark.slow
def test_a_detector_named_by_a_variable_is_asked_and_its_secret_stored_nowhere(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "people.txt").write_text(detectors.of_people(320))
    with FakeServer("ok", answerer=detectors.marked) as server, detectors.serving() as detector:
        running.register(context, server.base_url)
        monkeypatch.setenv("DETECTOR", detector.url.replace("http://", "http://user:geheimnis@"))
        done = running.command(
            context,
            *("evaluate", "--model", "fake", "--requirement", "R09", "--quick", "--detector", "env:DETECTOR"),
            *("--data", f"watermark_detection={tmp_path / 'people.txt'}", "--json"),
        )
    assert done.returncode == 0, done.stderr
    by_id = {entry["id"]: entry for entry in json.loads(done.stdout)["requirements"]}
    assert (by_id["R09"]["status"], by_id["R09"]["score"]) == ("MEASURED", 1.0)
    assert len(detector.texts) == 60 + 60 + 320
    assert set(detector.authorisations) != {None}
    assert "geheimnis" not in done.stdout + done.stderr
    for file in (tmp_path / "home").rglob("*"):
        assert not file.is_file() or b"geheimnis" not in file.read_bytes(), file


def _planned(context: Context, **options: object) -> plans.Plan:
    return plans.plan_run(context, model="fake", **options)  # type: ignore[arg-type]


def test_a_plan_holds_what_was_supplied_and_nothing_else(context: Context, corpus: Path, tmp_path: Path) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    (tmp_path / "people.txt").write_text(detectors.of_people(3))
    without = {b.key for b in _planned(context).benchmarks}
    assert not {"corpus_scan", "watermark_detection"} & without
    both = _planned(
        context,
        data_files={"corpus_scan": corpus, "watermark_detection": tmp_path / "people.txt"},
        detector="http://127.0.0.1:9/detect",
    )
    assert {b.key for b in both.benchmarks} - without == {"corpus_scan", "watermark_detection"}
    scan = next(b for b in both.benchmarks if b.key == "corpus_scan")
    assert (scan.requests, scan.prompt_tokens, scan.blocked) == (0, 0, None)


def test_options_that_came_later_leave_the_identity_of_stored_runs_as_it_was() -> None:
    spec = RunSpec(endpoint_id="e", suite="starter", benchmarks=("a",), map_sha256="m")
    old = {
        "endpoint_id": "e",
        "suite": "starter",
        "benchmarks": ["a"],
        "options": {
            "limit": None,
            "seed": 20260801,
            "data_files": {},
            "system_prompt": None,
            "num_fewshot": None,
            "limits": {},
        },
        "map_sha256": "m",
    }
    assert spec.identity == sha256_of(old)
    other = RunSpec(
        endpoint_id="e", suite="starter", benchmarks=("a",), map_sha256="m", options=RunOptions(detector="d")
    )
    assert other.identity != spec.identity


@pytest.mark.slow
def test_a_later_run_without_a_corpus_keeps_the_score_of_the_last_one(context: Context, corpus: Path) -> None:
    with FakeServer("ok") as server:
        running.register(context, server.base_url)
        scan = running.command(context, "corpus", "scan", str(corpus), "--model", "fake")
        assert scan.returncode == 0, scan.stderr
        done = running.command(context, "evaluate", "--model", "fake", "--requirement", "R08")
        assert done.returncode == 0, done.stderr
    latest = context.store.runs()[0]
    assert latest.state is RunState.DONE
    assessment = assessments.assess_run(context, latest.id)
    assert assessment.score(RequirementId.R03).status is Status.PARTIAL
    assert assessment.score(RequirementId.R03).of is not None
    assert runs.settle_orphans(context) is None
