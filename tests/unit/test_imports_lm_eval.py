"""lm-eval's files read as results: what is measured, what is only kept, and what is refused."""

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import foreign_results
from fakes.foreign_results import DATE, RIGHT

import evaluators
from domain.answers import Outcome
from domain.benchmarks import Method, RawResult
from domain.errors import UnreadableResults
from domain.measurements import Measurement
from evaluators.imports import folder

NOW = datetime(2026, 11, 5, tzinfo=UTC)


def one(path: Path) -> RawResult:
    found, _others = folder.imported(path, now=NOW)
    (result,) = found[0].results
    return result


def measured(raw: RawResult) -> dict[str, Measurement]:
    return {m.metric: m for m in evaluators.measure(raw)}


def refusal(path: Path) -> str:
    with pytest.raises(UnreadableResults) as refused:
        folder.imported(path, now=NOW)
    return refused.value.sentence


def test_a_metric_is_made_of_the_items_where_they_are_there(tmp_path: Path) -> None:
    foreign_results.lm_eval(tmp_path / "org__small")
    raw = one(tmp_path)
    (number,) = evaluators.measure(raw)
    assert (raw.benchmark, raw.benchmark_version, raw.method, raw.population) == (
        "lm_eval:toy",
        "2.0",
        Method.IMPORTED,
        10,
    )
    assert (number.metric, number.value, number.n, number.n_scored) == ("exact_match", 0.75, 4, 4)
    assert number.interval is not None
    assert number.interval.method == "wilson"
    assert (number.rates.error, number.rates.empty, number.rates.truncated) == (None, 0.25, None)
    assert raw.started_at == datetime.fromtimestamp(1_793_000_000.5, UTC)
    assert raw.provenance["imported"]["tool_version"] == "0.4.13"
    assert set(raw.provenance["imported"]["files"]) == {
        f"org__small/results_{DATE}.json",
        f"org__small/samples_toy_{DATE}.jsonl",
    }


def test_questions_and_answers_are_kept_as_they_were_logged(tmp_path: Path) -> None:
    foreign_results.lm_eval(tmp_path)
    first, second, *_ = one(tmp_path).samples
    assert first.empty
    assert first.asked[0].answer.outcome is Outcome.EMPTY
    assert second.asked[0].messages == ({"role": "prompt", "content": "Question 1?"},)
    assert (second.asked[0].answer.text, second.target, second.doc) == ("yes", "yes", {"question": "Question 1?"})


def test_a_loglikelihood_written_as_text_is_a_number_again(tmp_path: Path) -> None:
    sample = foreign_results.lm_eval_sample(0, {"acc": 1.0}) | {
        "arguments": {f"gen_args_{i}": {"arg_0": "Q", "arg_1": f" {i}"} for i in range(11)},
        "resps": [[[str(-float(i)), "False"]] for i in range(11)],
    }
    foreign_results.lm_eval(tmp_path, reported={"acc,none": 1.0}, samples=[sample], n=1)
    asked = one(tmp_path).samples[0].asked
    assert [(a.continuation, a.loglikelihood) for a in asked] == [(f" {i}", -float(i)) for i in range(11)]


def test_without_items_a_known_metric_stands_with_its_count_and_no_interval(tmp_path: Path) -> None:
    foreign_results.lm_eval(tmp_path, samples=[])
    number = measured(one(tmp_path))["exact_match"]
    assert (number.value, number.n_scored, number.interval) == (0.75, 4, None)
    assert (number.rates.error, number.rates.empty, number.rates.truncated) == (None, None, None)


def test_a_metric_of_unknown_meaning_is_kept_and_listed(tmp_path: Path) -> None:
    foreign_results.lm_eval(tmp_path, reported={"sparkle,none": 0.4, "acc,none": 0.75}, samples=[])
    raw = one(tmp_path)
    assert set(measured(raw)) == {"acc"}
    assert raw.provenance["not_measured"]["sparkle"]["value"] == 0.4
    assert "not known" in raw.provenance["not_measured"]["sparkle"]["why"]


@pytest.mark.parametrize("value", [math.nan, "0.5", None, [1], 10**400, 1.5, -1e300])
def test_what_is_no_value_of_the_metric_is_never_measured(tmp_path: Path, value: Any) -> None:
    foreign_results.lm_eval(tmp_path, reported={"acc,none": value, "acc_stderr,none": 0.1}, samples=[])
    raw = one(tmp_path)
    assert measured(raw) == {}
    assert set(raw.provenance["not_measured"]) == {"acc"}


def test_a_value_that_the_items_do_not_give_is_kept_and_not_measured(tmp_path: Path) -> None:
    samples = [foreign_results.lm_eval_sample(i, {"f1": v}) for i, v in enumerate(RIGHT)]
    foreign_results.lm_eval(tmp_path, reported={"f1,none": 0.9}, samples=samples)
    raw = one(tmp_path)
    assert measured(raw) == {}
    assert "its items give 0.75" in raw.provenance["not_measured"]["f1"]["why"]


def test_a_direction_that_is_not_told_is_not_guessed(tmp_path: Path) -> None:
    samples = [foreign_results.lm_eval_sample(i, {"odd": v}) for i, v in enumerate(RIGHT)]
    foreign_results.lm_eval(tmp_path, reported={"odd,none": 0.75}, samples=samples, higher_is_better={})
    raw = one(tmp_path)
    assert measured(raw) == {}
    assert "better is not known" in raw.provenance["not_measured"]["odd"]["why"]


def test_each_filter_of_a_task_is_a_metric_of_its_own(tmp_path: Path) -> None:
    samples = [
        foreign_results.lm_eval_sample(i, {"exact_match": v * scale}, filtered=name)
        for name, scale in (("strict", 1.0), ("loose", 0.0))
        for i, v in enumerate(RIGHT)
    ]
    reported = {"exact_match,strict": 0.75, "exact_match,loose": 0.0}
    foreign_results.lm_eval(tmp_path, reported=reported, samples=samples)
    assert {name: m.value for name, m in measured(one(tmp_path)).items()} == {
        "exact_match,strict": 0.75,
        "exact_match,loose": 0.0,
    }


def test_a_perplexity_is_made_of_the_items_weights(tmp_path: Path) -> None:
    samples = [foreign_results.lm_eval_sample(i, {"word_perplexity": [-10.0 * (i + 1), 5]}) for i in range(4)]
    reported = {"word_perplexity,none": math.exp(100 / 20)}
    directions = {"toy": {"word_perplexity": False}}
    foreign_results.lm_eval(tmp_path, reported=reported, samples=samples, higher_is_better=directions)
    number = measured(one(tmp_path))["word_perplexity"]
    assert number.value == pytest.approx(math.exp(5))
    assert not number.higher_is_better


def test_the_means_of_a_group_are_left_to_its_tasks(tmp_path: Path) -> None:
    group = {"acc,none": 0.6, "alias": "all"}
    results = {"all": group, "toy": {"exact_match,none": 0.75}}
    foreign_results.lm_eval(tmp_path, results=results, groups={"all": group}, group_subtasks={"all": ["toy"]})
    found, _ = folder.imported(tmp_path, now=NOW)
    assert [raw.benchmark for raw in found[0].results] == ["lm_eval:toy"]
    assert found[0].notes == ("all: made of other tasks, which are imported one by one.",)


def test_the_layout_of_the_first_versions_is_read_and_its_count_follows_from_its_error(tmp_path: Path) -> None:
    body = {
        "results": {"toy": {"acc": 2 / 3, "acc_stderr": 0.210818510677892, "f1": 0.5}},
        "versions": {"toy": 0},
        "config": {"model": "hf-causal", "model_args": "pretrained=org/old,dtype=float16", "limit": None},
    }
    (tmp_path / "old.json").write_text(json.dumps(body))
    found, _ = folder.imported(tmp_path, now=NOW)
    (raw,) = found[0].results
    number = measured(raw)["acc"]
    assert (found[0].origin.model, found[0].origin.started_at) == ("org/old", None)
    assert (number.value, number.n_scored, number.interval) == (pytest.approx(2 / 3), 6, None)
    assert set(raw.provenance["not_measured"]) == {"f1"}


def test_without_any_count_a_value_is_kept_and_not_measured(tmp_path: Path) -> None:
    body = {"results": {"toy": {"acc": 0.6}}, "versions": {"toy": 0}, "config": {"model": "gpt2"}}
    (tmp_path / "results.json").write_text(json.dumps(body))
    raw = one(tmp_path)
    assert measured(raw) == {}
    assert "how many items" in raw.provenance["not_measured"]["acc"]["why"]


def test_samples_of_the_middle_versions_are_one_array_without_a_date(tmp_path: Path) -> None:
    body = {
        "results": {"toy": {"acc,none": 0.75, "acc_stderr,none": 0.25}},
        "configs": {"toy": {"task": "toy"}},
        "versions": {"toy": "Yaml"},
        "config": {"model": "hf", "model_args": "pretrained=org/mid"},
    }
    (tmp_path / "results.json").write_text(json.dumps(body))
    rows = [
        {
            "doc_id": i,
            "doc": {"q": i},
            "target": 0,
            "arguments": [["Q", " a"], ["Q", " b"]],
            "resps": [[[-1.0, False]], [[-2.0, True]]],
            "filtered_resps": [[-1.0, False], [-2.0, True]],
            "acc": value,
        }
        for i, value in enumerate(RIGHT)
    ]
    (tmp_path / "pretrained=org__mid_toy.jsonl").write_text(json.dumps(rows, indent=2))
    raw = one(tmp_path)
    number = measured(raw)["acc"]
    assert (number.value, number.n_scored) == (0.75, 4)
    assert number.interval is not None
    assert raw.samples[0].asked[1].loglikelihood == -2.0


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("results_x.json", "{", "results_x.json cannot be imported: it is not JSON"),
        ("results_x.json", "[" * 200_000, "nested too deeply"),
        ("results_x.json", '{"a": 1}', "results_x.json cannot be imported: it is no result file"),
        ("results_x.json", '{"results": {}, "config": {}}', "holds no results of a task"),
        ("results_x.json", '{"results": [], "config": {}}', "results does not fit"),
        ("results_x.json", '{"results": {"t": 3}, "config": {}}', "results.t does not fit"),
        ("results_x.json", '{"results": {"t": {"acc": 1}}, "config": {}, "date": 1e300}', "is no moment"),
        ("results_x.json", b"\xff\xfe\x00", "it is not JSON"),
        (f"samples_toy_{DATE}.jsonl", "{}\n", "belongs to no result file"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, name: str, text: str | bytes, told: str) -> None:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    sentence = refusal(tmp_path)
    assert told in sentence
    assert name in sentence
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"doc_id": 3, "doc"', "line 4 is not JSON"),
        ("3", "entry 4 is no object"),
        ('{"doc_id": 3, "doc": {}}', "entry 4 has no resps"),
        (json.dumps(foreign_results.lm_eval_sample(2, {"exact_match": 1.0})), "item 2 is in it twice"),
        ("", "it holds 3 items"),
    ],
)
def test_a_bad_line_of_samples_is_named(tmp_path: Path, line: str, told: str) -> None:
    foreign_results.lm_eval(tmp_path)
    path = tmp_path / f"samples_toy_{DATE}.jsonl"
    path.write_text("\n".join([*path.read_text().splitlines()[:3], line]))
    assert f"{path.name} cannot be imported: {told}" in refusal(tmp_path)


def test_a_folder_without_results_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{}")
    assert "holds no results" in refusal(tmp_path)
    assert "There is no folder" in refusal(tmp_path / "nowhere")


def test_copies_of_the_same_files_are_one_evaluation(tmp_path: Path) -> None:
    foreign_results.lm_eval(tmp_path / "a")
    foreign_results.lm_eval(tmp_path / "b")
    (tmp_path / "other.json").write_text("{}")
    found, others = folder.imported(tmp_path, now=NOW)
    assert (len(found), others) == (1, ["other.json"])


def test_samples_without_a_date_go_to_the_task_whose_whole_name_they_bear(tmp_path: Path) -> None:
    results = {"arc": {"acc,none": 1.0}, "my_arc": {"acc,none": 0.0}}
    body = {"results": results, "versions": {}, "config": {"model": "hf", "model_args": "pretrained=m"}}
    (tmp_path / "results.json").write_text(json.dumps(body))
    row = {"doc_id": 0, "doc": {}, "resps": [["x"]], "acc": 0.0}
    (tmp_path / "pretrained=m_my_arc.jsonl").write_text(json.dumps([row]))
    (found,), _ = folder.imported(tmp_path, now=NOW)
    assert [len(raw.samples) for raw in found.results] == [0, 1]


@pytest.mark.parametrize("depth", [200, 5_000])
def test_a_question_nested_too_deeply_is_refused_by_name(tmp_path: Path, depth: int) -> None:
    foreign_results.lm_eval(tmp_path)
    path = tmp_path / f"samples_toy_{DATE}.jsonl"
    path.write_text(path.read_text().replace('"Question 1?"}', "[" * depth + "]" * depth + "}", 1))
    if depth == 200:
        assert len(one(tmp_path).sha256) == 64
    else:
        assert "nested too deeply" in refusal(tmp_path)


@pytest.mark.parametrize("name", ["", "a\0b", "line\nbreak", "\ud800", "x" * 301])
def test_a_task_whose_name_cannot_be_a_key_is_refused(tmp_path: Path, name: str) -> None:
    body = {"results": {name: {"acc,none": 0.5}}, "versions": {}, "config": {"model": "m"}}
    (tmp_path / "results.json").write_text(json.dumps(body))
    assert "cannot be a name" in refusal(tmp_path)


@pytest.mark.parametrize("stderr", [0.0, -1.0, 1e-200, 0.2, 0.211])
def test_a_count_is_not_made_from_an_error_that_does_not_fit_it(tmp_path: Path, stderr: float) -> None:
    body = {"results": {"toy": {"acc": 2 / 3, "acc_stderr": stderr}}, "versions": {}, "config": {"model": "m"}}
    (tmp_path / "results.json").write_text(json.dumps(body))
    assert measured(one(tmp_path)) == {}
