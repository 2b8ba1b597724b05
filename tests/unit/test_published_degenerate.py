"""Over the real published questions, no model that answers without reading looks good, and one that knows them does."""

import dataclasses
from collections import Counter
from pathlib import Path

import pytest
from fakes import published_answers, starter_answers
from fakes.starter_answers import DEGENERATE

from domain.benchmarks import Benchmark, RunOptions, Sample
from domain.scores import Verdict
from evaluators.benchmarks import data, subset
from evaluators.benchmarks.published_capability import CAPABILITY
from evaluators.benchmarks.published_judged import JUDGED
from evaluators.benchmarks.published_people import PEOPLE
from evaluators.benchmarks.published_robustness import ROBUSTNESS
from requirements_map import catalogue

BENCHMARKS = {b.key: b for b in (*CAPABILITY, *JUDGED, *PEOPLE, *ROBUSTNESS)}
MAPPED = {b.key: b for suite in ("screening", "screening_es") for b in catalogue.load().benchmarks(suite)}


def part(benchmark: Benchmark, data: Path, limit: int | None) -> list[int]:
    return subset.choose(published_answers.loaded(benchmark, data).docs, limit=limit, seed=RunOptions().seed)


@pytest.mark.parametrize("key", BENCHMARKS)
def test_the_real_files_load_into_as_many_items_as_promised_each_with_what_a_draw_needs(
    test_data: Path, key: str
) -> None:
    task = published_answers.loaded(BENCHMARKS[key], test_data)
    assert len(task.docs) == BENCHMARKS[key].items
    assert len({doc["id"] for doc in task.docs}) == len(task.docs)
    assert all(doc["cluster"] and "stratum" in doc and doc["text"] and doc["target"] for doc in task.docs)
    assert task.task.config.generation_kwargs["until"] == []
    assert task.task.config.num_fewshot == 0
    assert task.task.doc_to_target(task.docs[0]) == task.docs[0]["target"]
    assert "empty" in task.task.process_results(task.docs[0], [""])


@pytest.mark.parametrize("limit", ["quick", "wide"])
@pytest.mark.parametrize("key", BENCHMARKS)
def test_an_answer_given_without_reading_is_never_valid_and_good(test_data: Path, key: str, limit: str) -> None:
    benchmark = BENCHMARKS[key]
    task = published_answers.loaded(benchmark, test_data)
    positions = part(benchmark, test_data, MAPPED[key].quick if limit == "quick" else 600)
    for name in DEGENERATE:
        for samples in published_answers.answered(benchmark, task, positions, name):
            score = published_answers.required(benchmark, samples)
            found = next(b for b in score.benchmarks if b.benchmark == key)
            assert not (found.valid and (found.value or 0) >= 0.75), (name, found)
            assert score.verdict is not Verdict.PASS, name


@pytest.mark.parametrize("key", BENCHMARKS)
def test_a_quick_look_at_a_model_that_knows_every_answer_gives_a_number_near_the_top(test_data: Path, key: str) -> None:
    benchmark = BENCHMARKS[key]
    docs = published_answers.loaded(benchmark, test_data).docs
    chosen = part(benchmark, test_data, MAPPED[key].quick)
    assert len(chosen) <= (MAPPED[key].quick or 0)
    samples = [_knowing(benchmark, docs[i], number) for number, i in enumerate(chosen)]
    found = next(b for b in published_answers.required(benchmark, samples).benchmarks if b.benchmark == key)
    assert found.valid, found.invalid_because
    assert (found.value or 0) >= 0.95
    assert found.interval is not None
    assert found.interval.low < found.interval.high


def _knowing(benchmark: Benchmark, doc: dict[str, object], number: int) -> Sample:
    """Right and sure; in calibration sure of three questions of four and guessing, as it says, at the others."""
    stratum = "hard" if number % 4 == 0 and benchmark.scorer.startswith("calibration") else "facts"
    starter = dataclasses.replace(benchmark, key=f"starter_{benchmark.scorer}")
    return starter_answers.ideal(starter, {**doc, "stratum": stratum}, number // 4)


@pytest.mark.parametrize("key", ["bbq_letters", "esbbq_letters", "adult_income"])
@pytest.mark.parametrize("limit", ["quick", "wide"])
def test_the_worst_a_model_can_do_to_people_is_measured_and_fails(test_data: Path, key: str, limit: str) -> None:
    benchmark = BENCHMARKS[key]
    docs = published_answers.loaded(benchmark, test_data).docs
    positions = part(benchmark, test_data, MAPPED[key].quick if limit == "quick" else 600)
    samples = [starter_answers.sample(benchmark, docs[i], _worst(docs[i])) for i in positions]
    score = published_answers.required(benchmark, samples)
    found = next(b for b in score.benchmarks if b.benchmark == key)
    assert found.valid, found.invalid_because
    assert found.value is not None
    assert found.value <= 0.1
    # one benchmark of three is too little of a requirement to be judged at all
    assert score.verdict is (Verdict.FAIL if score.coverage >= 0.5 else Verdict.NONE)


@pytest.mark.parametrize("answer", ["A", "B", "C", "Yes", "No"])
@pytest.mark.parametrize(
    "key", ["winogender_letters", "bbq_letters", "adult_income", "option_order_consistency", "careless_typing"]
)
def test_no_draw_of_a_quick_look_lets_a_constant_answer_look_good(test_data: Path, key: str, answer: str) -> None:
    benchmark = BENCHMARKS[key]
    docs = published_answers.loaded(benchmark, test_data).docs
    for seed in range(8):
        chosen = subset.choose(docs, limit=MAPPED[key].quick, seed=seed)
        score = published_answers.required(
            benchmark, [starter_answers.sample(benchmark, docs[i], answer) for i in chosen]
        )
        found = next(b for b in score.benchmarks if b.benchmark == key)
        assert not (found.valid and (found.value or 0) >= 0.75), (seed, found)


def _worst(doc: dict[str, object]) -> str:
    """The person the prejudice expects; or everything for men and nothing for women."""
    return str(doc["biased"]) if "biased" in doc else "Yes" if doc["group"] == "Male" else "No"


def test_the_person_of_the_prejudice_is_the_one_the_authors_of_esbbq_mean(test_data: Path) -> None:
    benchmark = BENCHMARKS["esbbq_letters"]
    fits = {doc["id"]: doc["fits"] for doc in published_answers.loaded(benchmark, test_data).docs}
    rows = [row for file in data.files_of(test_data / benchmark.data) for row in data.read_rows(file)]
    settled = [row for row in rows if row["context_condition"] == "disambig"]
    differing = [
        row
        for row in settled
        if fits[f"esbbq-{row['category']}-{row['instance_id']}"] != (row["question_type"] == "pro-stereo")
    ]
    assert len(settled) > 9000
    assert len(differing) <= 4  # four published rows contradict their own label


def test_the_unknown_answer_of_esbbq_stands_in_every_place_alike(test_data: Path) -> None:
    docs = published_answers.loaded(BENCHMARKS["esbbq_letters"], test_data).docs
    places = Counter(doc["unknown"] for doc in docs)
    assert all(0.31 < places[letter] / len(docs) < 0.36 for letter in "ABC")
