"""Inspect's logs read as results, as JSON and as archives."""

import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import foreign_results

import evaluators
from domain.answers import Outcome
from domain.errors import UnreadableResults
from evaluators.imports import folder
from evaluators.imports.records import Imported

NOW = datetime(2026, 11, 5, tzinfo=UTC)


def read(path: Path, log: Any) -> Imported:
    (path / "log.json").write_text(json.dumps(log))
    (found,), _ = folder.imported(path, now=NOW)
    return found


def test_a_log_gives_its_accuracy_again_and_keeps_what_is_not_known(tmp_path: Path) -> None:
    found = read(tmp_path, foreign_results.inspect_log())
    (raw,) = found.results
    (number,) = evaluators.measure(raw)
    assert (raw.benchmark, found.origin.model, found.origin.tool_version) == ("inspect:toy", "openai/small", "0.3.150")
    assert (number.metric, number.value, number.n_scored) == ("accuracy", 0.75, 4)
    assert number.interval is not None
    assert list(raw.provenance["not_measured"]) == ["novelty"]
    assert raw.samples[1].asked[0].messages == ({"role": "user", "content": "Question 1?"},)
    assert (raw.started_at, raw.population) == (datetime(2026, 11, 3, 10, 20, 31, tzinfo=UTC), 10)


def test_an_archive_is_the_same_as_its_json(tmp_path: Path) -> None:
    log = foreign_results.inspect_log()
    (tmp_path / "a").mkdir()
    as_json = read(tmp_path / "a", log).results[0]
    (tmp_path / "b").mkdir()
    foreign_results.as_archive(tmp_path / "b" / "log.eval", log)
    (found,), _ = folder.imported(tmp_path / "b", now=NOW)
    assert [(s.sample_id, s.metrics, s.doc) for s in found.results[0].samples] == [
        (s.sample_id, s.metrics, s.doc) for s in as_json.samples
    ]
    assert evaluators.measure(found.results[0]) == evaluators.measure(as_json)


def test_a_failed_a_cut_and_a_filtered_answer_are_told_apart(tmp_path: Path) -> None:
    log = foreign_results.inspect_log()
    log["samples"][0] |= {"error": {"message": "the server broke"}, "scores": {}}
    for position, reason in ((1, "max_tokens"), (2, "content_filter")):
        log["samples"][position]["output"]["choices"][0]["stop_reason"] = reason
    log["results"]["scores"][0]["metrics"]["accuracy"]["value"] = 2 / 3
    raw = read(tmp_path, log).results[0]
    (number,) = evaluators.measure(raw)
    assert [s.asked[0].answer.outcome for s in raw.samples[:3]] == [Outcome.ERROR, Outcome.TRUNCATED, Outcome.FILTERED]
    assert (number.n, number.n_scored, number.rates.error, number.rates.truncated) == (4, 3, 0.25, 0.25)


def test_the_epochs_of_a_question_belong_together(tmp_path: Path) -> None:
    log = foreign_results.inspect_log()
    log["samples"] += [{**sample, "epoch": 2} for sample in log["samples"]]
    raw = read(tmp_path, log).results[0]
    assert len({s.sample_id for s in raw.samples}) == 8
    assert len({s.cluster for s in raw.samples}) == 4


def test_two_scorers_are_two_metrics(tmp_path: Path) -> None:
    log = foreign_results.inspect_log()
    log["results"]["scores"].append({"name": "judge", "metrics": {"accuracy": {"value": 0.125}}})
    for sample, grade in zip(log["samples"], ("P", "N", "I", 0), strict=True):
        sample["scores"]["judge"] = {"value": grade}
    numbers = {m.metric: m.value for m in evaluators.measure(read(tmp_path, log).results[0])}
    assert numbers == {"accuracy,match": 0.75, "accuracy,judge": 0.125}


def test_without_samples_a_share_stands_on_the_samples_told(tmp_path: Path) -> None:
    (number,) = evaluators.measure(read(tmp_path, foreign_results.inspect_log(samples=None)).results[0])
    assert (number.value, number.n_scored, number.interval) == (0.75, 4, None)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"status": "error", "results": None}, "did not finish (status 'error')"),
        ({"eval": {"task": "toy"}}, "eval.model does not fit"),
        ({"samples": [{"id": 1}]}, "samples.0.input does not fit"),
        ({"stats": {"started_at": "yesterday"}}, "'yesterday' is no moment"),
    ],
)
def test_a_bad_log_is_named(tmp_path: Path, changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UnreadableResults) as refused:
        read(tmp_path, foreign_results.inspect_log(**changes))
    assert refused.value.sentence.startswith("log.json cannot be imported: ")
    assert told in refused.value.sentence


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(UnreadableResults, match=r"log\.eval cannot be imported: it is no archive"):
        folder.imported(tmp_path, now=NOW)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("samples/1_epoch_1.json", "{}")
    with pytest.raises(UnreadableResults, match=r"has no header\.json"):
        folder.imported(tmp_path, now=NOW)
    foreign_results.as_archive(path, foreign_results.inspect_log())
    data = bytearray(path.read_bytes())
    data[60:80] = bytes(20)
    path.write_bytes(bytes(data))
    with pytest.raises(UnreadableResults, match=r"log\.eval cannot be imported"):
        folder.imported(tmp_path, now=NOW)
