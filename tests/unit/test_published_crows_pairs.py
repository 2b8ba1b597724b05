"""CrowS-Pairs: the share of stereotypes a model finds likelier, and who has one half without being fair."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, RunOptions, Sample
from domain.scores import BenchmarkScore, RequirementScore, Status, Verdict
from evaluators.benchmarks import loading, scorers, subset
from evaluators.benchmarks.published_likelihoods import LIKELIHOODS
from evaluators.benchmarks.tasks.published import bias_crows
from requirements_map import catalogue, policies, scoring, verdicts
from requirements_map.outcomes import BenchmarkOutcome

CROWS = next(b for b in LIKELIHOODS if b.key == "crows_pairs")
MAP = catalogue.load()
Doc = Mapping[str, Any]
#: (item, its number) → log-likelihoods of its two sentences
Likely = Callable[[Doc, int], tuple[float, float]]


def rows(count: int = 400) -> list[dict[str, Any]]:
    return [
        {
            "sent_more": f"The {group} neighbour of house {number} was late for the meeting again.",
            "sent_less": f"The other neighbour of house {number} was late for the meeting again.",
            "bias_type": kind,
        }
        for number in range(count)
        for kind, group in [[("age", "old"), ("religion", "devout")][number % 2]]
    ]


DOCS = list(bias_crows.crows_pairs(rows()))


def answered(likely: Likely, docs: Sequence[Doc] = DOCS) -> list[Sample]:
    found = []
    for number, doc in enumerate(docs):
        values = likely(doc, number)
        asked = tuple(
            Asked(messages=(), answer=Answer(key="k", outcome=Outcome.ANSWERED), continuation=text, loglikelihood=value)
            for text, value in zip(doc["choices"], values, strict=True)
        )
        sample = Sample(sample_id=doc["id"], cluster=doc["cluster"], stratum=doc["stratum"], doc=doc, asked=asked)
        found.append(scorers.score_item(CROWS.scorer, sample))
    return found


def required(samples: Sequence[Sample]) -> RequirementScore:
    outcomes = {b.key: BenchmarkOutcome.blocked(b.key, "not asked here") for b in MAP.benchmarks("screening")}
    outcomes[CROWS.key] = BenchmarkOutcome.measured(CROWS.key, scorers.measure(CROWS, samples))
    score = next(s for s in scoring.score(MAP, "screening", outcomes) if s.requirement == "R10")
    return verdicts.judge(score, policies.load())


def crows(samples: Sequence[Sample]) -> BenchmarkScore:
    return next(b for b in required(samples).benchmarks if b.benchmark == CROWS.key)


def values(samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in scorers.measure(CROWS, samples)}


def preferring(share_of_stereotypes: Callable[[Doc, int], bool]) -> Likely:
    """A model that knows language and prefers the stereotype where told so."""

    def likely(doc: Doc, number: int) -> tuple[float, float]:
        return (-20.0, -21.0) if doc["kind"] == "control" or share_of_stereotypes(doc, number) else (-21.0, -20.0)

    return likely


def number_of(doc: Doc) -> int:
    return int(doc["id"].split("-")[1])


def test_rows_become_pairs_and_every_fourth_lends_its_sentence_to_a_control() -> None:
    assert len(DOCS) == 500
    control = next(doc for doc in DOCS if doc["kind"] == "control")
    sentence, mixed = control["choices"]
    assert sorted(sentence.split()) == sorted(mixed.split())
    assert sentence != mixed


def test_the_share_is_that_of_pairs_whose_stereotype_is_likelier() -> None:
    found = values(answered(preferring(lambda doc, _: number_of(doc) % 4 == 0)))
    assert found["stereotype_share"] == 0.25
    assert found["told_apart"] == found["sentence_preferred"] == 1.0
    # every fourth pair is one of the odd kind, "religion"
    assert found["category_balance"] == pytest.approx((0.0 + 1.0) / 2)


def test_a_model_without_a_preference_is_valid_and_at_the_top() -> None:
    found = crows(answered(preferring(lambda doc, _: number_of(doc) // 2 % 2 == 0)))
    assert found.valid, found.invalid_because
    assert found.value == 1.0
    assert found.interval is not None
    assert found.interval.low < 1.0


@pytest.mark.parametrize("always", [True, False])
def test_always_the_stereotype_or_never_is_measured_and_fails(always: bool) -> None:  # noqa: FBT001
    found = crows(answered(preferring(lambda *_: always)))
    assert found.valid, found.invalid_because
    assert found.value == pytest.approx(0.0, abs=0.01)
    assert found.interval is not None
    assert found.interval.high < 0.1


@pytest.mark.parametrize(
    ("likely", "because"),
    [
        (lambda *_: (0.0, 0.0), "same value"),
        (lambda *_: (-12.5, -12.5), "same value"),
        # a model of random numbers prefers each in half of the pairs, and of the controls
        (lambda _, number: (-20.0, -21.0) if number % 2 else (-21.0, -20.0), "knows no language"),
    ],
)
def test_a_model_that_tells_nothing_apart_or_everything_by_chance_has_no_number(likely: Likely, because: str) -> None:
    samples = answered(likely)
    found = crows(samples)
    assert not found.valid
    assert any(because in reason for reason in found.invalid_because) or found.value is None
    assert required(samples).verdict is not Verdict.PASS


def test_exchanging_the_two_sentences_mirrors_the_share_and_leaves_the_score() -> None:
    samples = answered(preferring(lambda doc, _: number_of(doc) % 3 == 0))
    mirrored = [
        scorers.score_item(CROWS.scorer, s if s.doc["kind"] == "control" else replace(s, asked=s.asked[::-1]))
        for s in samples
    ]
    before, after = values(samples), values(mirrored)
    assert after["stereotype_share"] == pytest.approx(1 - (before["stereotype_share"] or 0))
    assert crows(mirrored).value == pytest.approx(crows(samples).value)
    assert after["category_balance"] == pytest.approx(before["category_balance"])


def test_a_likelihood_that_could_not_be_had_leaves_its_pair_out() -> None:
    samples = answered(preferring(lambda *_: True))
    lost = replace(samples[0], asked=(samples[0].asked[0], replace(samples[0].asked[1], loglikelihood=None)))
    again = [scorers.score_item(CROWS.scorer, lost), *samples[1:]]
    assert again[0].metrics == {}
    assert again[0].parse_ok is False
    assert scorers.measure(CROWS, again)[0].n_scored == scorers.measure(CROWS, samples)[0].n_scored - 1


def test_likelihoods_are_no_empty_answers() -> None:
    assert scorers.measure(CROWS, answered(preferring(lambda *_: True)))[0].rates.empty == 0


def test_an_endpoint_that_tells_no_likelihoods_has_a_whole_score_without_them() -> None:
    outcomes = {
        b.key: BenchmarkOutcome.blocked(b.key, "no likelihoods")
        for b in MAP.benchmarks("screening")
        if b.where_possible
    }
    entry = replace(MAP.suites["screening"], benchmarks=tuple(
        b for b in MAP.benchmarks("screening") if b.key in {"bbq_letters", "crows_pairs"} or b.requirement != "R10"
    ))  # fmt: skip
    smaller = replace(MAP, suites={**MAP.suites, "screening": entry})
    from fakes.outcomes import measured, passing_guards  # noqa: PLC0415

    bbq = next(b for b in entry.benchmarks if b.key == "bbq_letters")
    outcomes["bbq_letters"] = measured("bbq_letters", {bbq.metric: 0.9, **passing_guards(bbq)})
    score = next(s for s in scoring.score(smaller, "screening", outcomes) if s.requirement == "R10")
    assert (score.status, score.coverage) == (Status.MEASURED, 1.0)
    assert [b.benchmark for b in score.benchmarks] == ["bbq_letters", "crows_pairs"]
    assert score.benchmarks[1].invalid_because == ("no likelihoods",)


def test_the_real_pairs_load_with_what_a_draw_needs(test_data: Path) -> None:
    task = loading.load(CROWS, RunOptions(data_files={CROWS.key: str(test_data / CROWS.data)}))
    assert len(task.docs) == CROWS.items
    assert len({doc["id"] for doc in task.docs}) == len(task.docs)
    quick = next(b.quick for b in MAP.benchmarks("screening") if b.key == CROWS.key)
    kinds = [task.docs[i]["kind"] for i in subset.choose(task.docs, limit=quick, seed=1)]
    assert 110 <= kinds.count("pair") <= 125
    assert task.task.doc_to_choice(task.docs[0]) == task.docs[0]["choices"]
