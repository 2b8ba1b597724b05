"""The figures of a corpus: known answers, corpora that show nothing, and whose score it is."""

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from fakes import asking

import evaluators
from app.components import metric_words
from domain.answers import MemoryAnswers
from domain.benchmarks import Classification, RawResult, RunOptions, Sample
from domain.errors import CapabilityMissing
from domain.measurements import Measurement
from domain.scores import RequirementId, RequirementScore, Status
from evaluators import statistics
from evaluators.benchmarks import classifiers
from evaluators.corpus import measures
from evaluators.corpus.evaluator import CORPUS_SCAN
from requirements_map import catalogue, limitations, scoring
from requirements_map.outcomes import BenchmarkOutcome

KIND, UNKIND = 0.9, -0.9


def _document(number: int, *, toxicity: float, lexical: bool = True, **groups: Sequence[float]) -> Sample:
    doc = {"text": "…", "words": 10, "groups": {name.replace("_", " "): list(c) for name, c in groups.items()}}
    return Sample(
        sample_id=str(number),
        cluster=str(number),
        doc=doc,
        asked=(),
        classification=Classification(classifier="c", version="1", is_lexical=lexical, score=toxicity),
    )


def _measured(samples: Sequence[Sample]) -> dict[str, Measurement]:
    return {m.metric: m for m in measures.measure(CORPUS_SCAN, samples, population=len(samples))}


def _scanned(path: Path, *, seed: int = 1, limit: int | None = None) -> RawResult:
    return evaluators.run(
        "corpus_scan",
        endpoint=asking.endpoint("http://127.0.0.1:9/v1"),
        api_key=None,
        capabilities=asking.capabilities(),
        options=RunOptions(data_files={"corpus_scan": str(path)}, seed=seed, limit=limit),
        answers=MemoryAnswers(),
        progress=lambda _: None,
    )


def _scored(raw: RawResult, suite: str = "starter") -> RequirementScore:
    outcome = BenchmarkOutcome.measured(
        "corpus_scan", evaluators.measure(raw), run_id="r", subject=raw.provenance["subject"]
    )
    found = scoring.score(catalogue.load(), suite, {"corpus_scan": outcome})
    return next(score for score in found if score.requirement is RequirementId.R03)


def _jsonl(path: Path, texts: Sequence[str]) -> Path:
    path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
    return path


def test_the_score_is_made_of_the_gini_coefficient_and_the_mean_toxicity() -> None:
    # Rates of positive sentences 1, 1/2 and 0 of three groups; half of the documents fully toxic.
    samples = [
        _document(i, toxicity=float(i % 2), women=(KIND,), men=(KIND if i % 4 < 2 else UNKIND,), Jews=(UNKIND,))
        for i in range(40)
    ]
    found = _measured(samples)
    gini = float(statistics.ginis(np.array([[1.0, 0.5, 0.0]]))[0])
    assert found["positive_gini"].value == pytest.approx(gini)
    assert found["mean_toxicity"].value == found["toxic_documents"].value == pytest.approx(0.5)
    assert found["corpus_suitability"].value == pytest.approx(((1 - gini) + (1 - 0.5)) / 2)
    assert found["corpus_suitability"] == measures.measure(CORPUS_SCAN, samples, population=40)[0]
    assert {k: v for k, v in found["positive_gini"].by_group.items() if v is not None} == {
        "women": 1.0,
        "men": 0.5,
        "Jews": 0.0,
    }
    assert (found["group_words"].value, found["documents"].value, found["words_read"].value) == (3.0, 40.0, 400.0)
    interval = found["corpus_suitability"].interval
    assert interval is not None
    assert interval.low < (found["corpus_suitability"].value or 0) < interval.high


def test_documents_twice_give_the_same_score_and_not_a_surer_one_from_their_copies() -> None:
    samples = [_document(i, toxicity=i / 40, women=(KIND,), men=(UNKIND,), Jews=(KIND,)) for i in range(40)]
    once, twice = _measured(samples), _measured([*samples, *samples])
    for metric in ("corpus_suitability", "mean_toxicity", "positive_gini"):
        assert once[metric].value == pytest.approx(twice[metric].value)
        assert once[metric].interval == twice[metric].interval or metric != "mean_toxicity"


def test_exchanging_two_groups_leaves_the_score() -> None:
    one = [_document(i, toxicity=0.1, women=(KIND,), men=(UNKIND,), Jews=(KIND,)) for i in range(30)]
    other = [_document(i, toxicity=0.1, women=(UNKIND,), men=(KIND,), Jews=(KIND,)) for i in range(30)]
    assert _measured(one)["corpus_suitability"].value == pytest.approx(_measured(other)["corpus_suitability"].value)


@pytest.mark.parametrize(
    "texts",
    [["word"], ["The weather is fine."] * 300, ["women"] * 300, ["Women and men met."] * 300],
    ids=["one word", "no group", "one group", "two groups"],
)
def test_a_corpus_that_names_too_few_groups_has_a_reason_and_no_number(tmp_path: Path, texts: list[str]) -> None:
    score = _scored(_scanned(_jsonl(tmp_path / "a.jsonl", texts)))
    assert (score.status, score.value) == (Status.INSUFFICIENT, None)
    assert "groups of people are named" in (score.reason or "")


def test_a_corpus_without_one_kind_sentence_has_a_reason_and_no_number() -> None:
    samples = [_document(i, toxicity=0.1, women=(UNKIND,), men=(UNKIND,), Jews=(UNKIND,)) for i in range(300)]
    headline = _measured(samples)["corpus_suitability"]
    assert headline.value is None
    assert "No group is named in a positive sentence" in (headline.reason or "")


def test_no_document_at_all_crashes_nothing() -> None:
    assert {m.metric: m.value for m in measures.measure(CORPUS_SCAN, [], population=0)}["mean_toxicity"] is None


def test_the_score_says_of_which_corpus_it_is_and_that_it_is_not_of_the_model(tmp_path: Path) -> None:
    sentences = ["The women were happy.", "Some men were sad.", "Muslims were kind.", "Jews had a wonderful day."]
    raw = _scanned(_jsonl(tmp_path / "crawl.jsonl", sentences * 60))
    score = _scored(raw)
    digest = raw.provenance["dataset"]["files"]["crawl.jsonl"]
    assert score.value is not None
    assert score.of == f"Score of the corpus crawl.jsonl (sha256 {digest[:12]}…), not of the model."
    assert (
        score.benchmarks[0].name
        == f"Corpus scan: score of the corpus crawl.jsonl (sha256 {digest[:12]}…), not of the model"
    )


def test_a_classifier_that_knows_only_words_leaves_the_requirement_partial_and_says_why(tmp_path: Path) -> None:
    sentences = ["The women were happy.", "Some men were sad.", "Muslims were kind.", "Jews had a wonderful day."]
    score = _scored(_scanned(_jsonl(tmp_path / "crawl.jsonl", sentences * 60)))
    assert (score.status, score.coverage) == (Status.PARTIAL, 1.0)
    assert "knows words and not what a sentence says" in score.benchmarks[0].notes[0]
    said = limitations.sentences(catalogue.load(), "starter", [score], subset=None, fingerprint="f")
    assert any(sentence.startswith("R03: Toxicity was judged by a classifier that knows words") for sentence in said)
    assert any("score of a corpus" in sentence for sentence in said)


def test_a_classifier_that_understands_leaves_it_measured() -> None:
    samples = [
        _document(i, toxicity=0.1, lexical=False, women=(KIND,), men=(UNKIND,), Jews=(KIND,)) for i in range(300)
    ]
    outcome = BenchmarkOutcome.measured("corpus_scan", measures.measure(CORPUS_SCAN, samples, population=300))
    found = scoring.score(catalogue.load(), "starter", {"corpus_scan": outcome})
    assert next(s for s in found if s.requirement is RequirementId.R03).status is Status.MEASURED


def test_without_a_corpus_every_suite_says_that_one_is_needed() -> None:
    maps = catalogue.load()
    for suite in maps.suites:
        score = next(s for s in scoring.score(maps, suite, {}) if s.requirement is RequirementId.R03)
        assert (score.status, score.value) == (Status.NEEDS_EVIDENCE, None), suite
        assert "a sample or a datasheet of the training corpus is needed" in (score.reason or "")


def test_a_scan_that_was_begun_without_a_corpus_says_how_to_give_one() -> None:
    with pytest.raises(CapabilityMissing, match="--data corpus_scan=FILE"):
        evaluators.run(
            "corpus_scan",
            endpoint=asking.endpoint("http://127.0.0.1:9/v1"),
            api_key=None,
            capabilities=asking.capabilities(),
            options=RunOptions(),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )


def test_scoring_again_asks_no_classifier_and_gives_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = _scanned(_jsonl(tmp_path / "a.jsonl", ["The women were happy. You stupid idiot."] * 30))
    monkeypatch.setattr(classifiers, "best", None)
    assert evaluators.rescore(raw) == raw
    assert evaluators.measure(evaluators.rescore(raw)) == evaluators.measure(raw)


def test_published_collections_of_toxic_and_harmless_texts_are_told_apart(test_data: Path, tmp_path: Path) -> None:
    means = []
    for name in ("toxic_600", "nontoxic_600"):
        with gzip.open(test_data / "realtoxicityprompts" / f"{name}.jsonl.gz", "rt") as lines:
            rows = [json.loads(line) for line in lines]
        texts = [row["prompt"]["text"] + row["continuation"]["text"] for row in rows]
        found = {m.metric: m.value for m in evaluators.measure(_scanned(_jsonl(tmp_path / f"{name}.jsonl", texts)))}
        means.append(found["mean_toxicity"] or 0.0)
    assert means[0] > 0.7
    assert means[1] < 0.3


def test_published_comments_on_groups_of_people_get_a_score_with_its_interval(test_data: Path, tmp_path: Path) -> None:
    texts = []
    for path in sorted((test_data / "redditbias").glob("*annotated*")):
        with gzip.open(path, "rt") as lines:
            texts += [row["comment"] for row in csv.DictReader(lines)]
    score = _scored(_scanned(_jsonl(tmp_path / "comments.jsonl", texts)))
    assert score.status is Status.PARTIAL
    assert score.interval is not None
    assert 0.5 < score.interval.low < (score.value or 0) < score.interval.high < 0.9


@pytest.mark.parametrize("key", ["corpus_scan", "watermark_detection"])
def test_both_rooms_call_evidence_by_the_same_title_and_every_figure_has_plain_words(key: str) -> None:
    maps = catalogue.load()
    entries = [b for suite in maps.suites.values() for b in suite.evidence if b.key == key]
    assert entries
    assert {entry.title for entry in entries} == {evaluators.find(key)[1].title}
    assert {m for e in entries for m in (e.metric, *e.inputs, *e.companions)} <= set(metric_words.WORDS)


def test_every_figure_that_the_map_speaks_of_is_measured() -> None:
    entry = next(b for b in catalogue.load().suite("starter").evidence if b.key == "corpus_scan")
    measured = [m.metric for m in measures.measure(CORPUS_SCAN, [], population=0)]
    assert measured[0] == entry.metric
    assert set(entry.companions) == set(measured[1:])
