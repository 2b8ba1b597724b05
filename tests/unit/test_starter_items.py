"""The committed items are what their sources give, balanced, and asked as their task files say."""

import importlib.util
from collections import Counter
from types import ModuleType

import pytest
from fakes import starter_answers
from fakes.starter_answers import BENCHMARKS, FOLDER

from domain.benchmarks import Benchmark, Evidence
from evaluators.benchmarks import scorers
from evaluators.benchmarks.tasks.starter import generate


@pytest.fixture(scope="module")
def scoring() -> ModuleType:
    spec = importlib.util.spec_from_file_location("starter_scoring", FOLDER / "scoring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", generate.FILES)
def test_the_committed_items_are_what_the_sources_give(name: str) -> None:
    assert (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8") == generate.jsonl(generate.FILES[name]())


def test_every_file_of_items_has_a_source_and_a_benchmark() -> None:
    files = {path.stem for path in FOLDER.glob("*.jsonl")}
    asked = {starter_answers.definition(b)["dataset_kwargs"]["data_files"]["test"] for b in BENCHMARKS.values()}
    assert files == set(generate.FILES) == {name.removesuffix(".jsonl") for name in asked}


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_a_benchmark_states_how_many_items_it_has(benchmark: Benchmark) -> None:
    assert benchmark.items == len(starter_answers.docs(benchmark))


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_no_item_is_asked_twice(benchmark: Benchmark) -> None:
    docs = starter_answers.docs(benchmark)
    assert len({doc["text"] for doc in docs}) == len(docs)
    assert len({doc["id"] for doc in docs}) == len(docs)


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_a_cluster_lies_in_one_stratum_except_where_a_note_comes_with_and_without_an_order(
    benchmark: Benchmark,
) -> None:
    strata: dict[str, set[str]] = {}
    for doc in starter_answers.docs(benchmark):
        strata.setdefault(doc["cluster"], set()).add(doc["stratum"].partition(",")[0])
    most = 2 if benchmark.scorer == "injection" else 1
    assert max(len(names) for names in strata.values()) == most


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_a_task_file_sets_every_generation_setting_itself(benchmark: Benchmark) -> None:
    task = starter_answers.definition(benchmark)
    settings = task["generation_kwargs"]
    assert task["output_type"] == "generate_until"
    assert len(settings["until"]) <= 4
    assert settings["max_gen_toks"] <= (160 if benchmark.evidence is Evidence.JUDGE else 48)  # a judge reads more
    assert settings["max_gen_toks"] >= benchmark.completion_tokens_per_request
    assert (settings["do_sample"], settings["temperature"]) == (False, 0)
    assert str(task["metadata"]["version"]) == benchmark.version


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_the_item_follows_the_shared_beginning_so_that_a_prompt_cache_can_hold_it(benchmark: Benchmark) -> None:
    template = starter_answers.definition(benchmark)["doc_to_text"]
    assert template.count("{{text}}") == 1
    assert len(template.partition("{{text}}")[2]) <= 20


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_every_metric_a_scorer_returns_is_declared_to_lm_eval(benchmark: Benchmark, scoring: ModuleType) -> None:
    task = starter_answers.definition(benchmark)
    assert task["process_results"] == f"scoring.{benchmark.scorer}"
    process = getattr(scoring, benchmark.scorer)
    declared = {entry["metric"] for entry in task["metric_list"]}
    returned: set[str] = set()
    for doc in starter_answers.docs(benchmark):
        for text in (doc["target"], "", f"{doc['target']}, 60%", "A", "B", "I am human."):
            returned |= set(process(doc, [text]))
    assert returned == declared


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda b: b.key)
def test_a_text_and_an_answer_with_that_text_are_scored_alike(benchmark: Benchmark) -> None:
    if benchmark.scorer == "calibration":
        pytest.skip("its answers hold probabilities, which a text does not")
    if benchmark.evidence is Evidence.JUDGE:
        pytest.skip("a judge's verdict decides, which a text does not hold")
    for doc in starter_answers.docs(benchmark)[::7]:
        for text in (doc["target"], "", "No.", "I cannot help with that."):
            item = scorers.score_item(benchmark.scorer, starter_answers.sample(benchmark, doc, text))
            scores = scorers.score_text(benchmark.scorer, doc, text)
            assert {name: scores[name] for name in item.metrics} == item.metrics
            assert scores.get("parse_ok") == (None if item.parse_ok is None else float(item.parse_ok))


@pytest.mark.parametrize(
    ("key", "least"),
    [
        ("starter_knowledge", 120),
        ("starter_arithmetic", 100),
        ("starter_instructions", 60),
        ("starter_calibration", 200),
        ("starter_bias_qa", 160),
        ("starter_decisions", 160),
        ("starter_disclosure", 80),
    ],
)
def test_there_are_enough_items(key: str, least: int) -> None:
    assert len(starter_answers.docs(BENCHMARKS[key])) >= least


def test_there_are_enough_pairs_attacks_and_look_alikes() -> None:
    kinds = {
        key: Counter(doc.get("kind") for doc in starter_answers.docs(BENCHMARKS[f"starter_{key}"]))
        for key in ("injection", "secret", "harm", "disclosure")
    }
    assert kinds["injection"]["attack"] >= 40
    assert kinds["injection"]["benign"] >= 20
    assert kinds["secret"]["attack"] >= 40
    assert kinds["secret"]["password"] + kinds["secret"]["ordinary"] >= 20
    assert kinds["secret"]["password"] == kinds["secret"]["ordinary"]
    assert kinds["harm"]["harmful"] >= 40
    assert kinds["harm"]["safe"] >= 40
    assert kinds["disclosure"]["direct"] == kinds["disclosure"]["reverse"] >= 40
    clusters = {
        key: Counter(doc["cluster"] for doc in starter_answers.docs(BENCHMARKS[f"starter_{key}"]))
        for key in ("contrast_pairs", "perturbation", "decisions")
    }
    assert len(clusters["contrast_pairs"]) >= 60
    assert set(clusters["contrast_pairs"].values()) == {2}
    assert len(clusters["perturbation"]) >= 60
    assert set(clusters["perturbation"].values()) == {4}
    assert set(clusters["decisions"].values()) == {2}


@pytest.mark.parametrize("key", ["starter_knowledge", "starter_calibration", "starter_perturbation"])
def test_each_letter_is_right_equally_often(key: str) -> None:
    counts = Counter(doc["target"] for doc in starter_answers.docs(BENCHMARKS[key]))
    assert max(counts.values()) - min(counts.values()) <= len(starter_answers.docs(BENCHMARKS[key])) / 10
    if key != "starter_perturbation":
        assert len(set(counts.values())) == 1


def test_a_letter_that_stays_never_names_one_option_in_every_form() -> None:
    forms: dict[str, dict[str, list[int]]] = {}
    for doc in starter_answers.docs(BENCHMARKS["starter_perturbation"]):
        forms.setdefault(doc["cluster"], {})[doc["form"]] = doc["option_ids"]
    for group in forms.values():
        assert all(group["clean"][place] != group["reordered"][place] for place in range(4))


def test_prejudice_items_are_balanced_over_what_is_right_and_where_it_stands() -> None:
    docs = starter_answers.docs(BENCHMARKS["starter_bias_qa"])
    for category in {doc["category"] for doc in docs}:
        settled = [d for d in docs if d["category"] == category and d["condition"] == "disambiguated"]
        assert Counter(d["fits"] for d in settled) == {True: 10, False: 10}
        assert Counter(d["target"] == d["biased"] for d in settled) == {True: 10, False: 10}
    for fact in ("target", "unknown", "biased"):
        counts = Counter(doc[fact] for doc in docs)
        assert set(counts) == set("ABC")
        assert min(counts.values()) >= 0.28 * len(docs)


def test_a_pair_of_applications_differs_in_the_trait_alone() -> None:
    pairs: dict[str, list[dict[str, str]]] = {}
    for doc in starter_answers.docs(BENCHMARKS["starter_decisions"]):
        pairs.setdefault(doc["cluster"], []).append(doc)
    for one, other in pairs.values():
        assert one["label"] == other["label"]
        assert one["text"].replace(one["group"], "?") == other["text"].replace(other["group"], "?")
    labels = Counter(doc["label"] for doc in starter_answers.docs(BENCHMARKS["starter_decisions"]))
    assert labels["yes"] == labels["no"]


def test_a_target_is_accepted_by_its_own_scorer() -> None:
    for benchmark in BENCHMARKS.values():
        if benchmark.scorer.startswith("calibration") or benchmark.evidence is Evidence.JUDGE:
            continue
        good = {"correct", "task_done_unhijacked", "secret_kept", "benign_success", "followed", "truthful", "control"}
        good |= {"harmful_refused", "safe_answered", "privacy_kept", "entitled_served"}
        for doc in starter_answers.docs(benchmark):
            scores = scorers.score_text(benchmark.scorer, doc, doc["target"])
            assert [v for name, v in scores.items() if name in good] == [1.0], (doc["id"], scores)


def test_rows_of_unequal_fields_or_equal_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="same fields"):
        generate.jsonl([{"id": "a", "text": "x"}, {"id": "b"}])
    with pytest.raises(ValueError, match="ids of their own"):
        generate.jsonl([{"id": "a"}, {"id": "a"}])
