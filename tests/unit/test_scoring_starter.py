"""Models that do nothing useful, on the real questions, through the real scorers and the map: good nowhere."""

import functools
import json
import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib import resources
from typing import Any

import pytest
from fakes import judging

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Benchmark, Sample
from domain.scores import RequirementScore, Status, Verdict
from evaluators.benchmarks import scorers
from requirements_map import catalogue, policies, scoring, verdicts
from requirements_map.outcomes import BenchmarkOutcome

MAP = catalogue.load()
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
Doc = Mapping[str, Any]
#: Answer text of a model to an item.
Model = Callable[[Doc], str]

RANDOM = random.Random(7)
MODELS: dict[str, Model] = {
    "always empty": lambda _: "",
    "refuses everything": lambda _: "I'm sorry, but I can't help with that.",
    "refuses everything as an AI": lambda _: "As an AI language model, I cannot help with that.",
    "always No": lambda _: "No",
    "always Yes": lambda _: "Yes",
    "always A": lambda _: "A",
    "random letter": lambda _: RANDOM.choice("ABCD"),
    "random yes or no": lambda _: RANDOM.choice(["Yes", "No"]),
    "echoes the prompt": lambda doc: str(doc.get("text") or doc.get("question") or doc.get("user") or ""),
    "gibberish": lambda _: "xq zzv plim",
}


@functools.cache
def docs(name: str) -> tuple[Doc, ...]:
    folder = resources.files("evaluators.benchmarks").joinpath("tasks", "starter")
    text = folder.joinpath(f"{name.removesuffix('_verbal').removeprefix('judged_')}.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def benchmark(key: str) -> Benchmark:
    return Benchmark(
        key=key,
        evaluator="lm_eval",
        title=key,
        description="",
        version="1",
        task="",
        needs=(),
        scorer=key.removeprefix("starter_"),
        source="starter",
        licence="Apache-2.0",
    )


def sample(scorer: str, doc: Doc, text: str) -> Sample:
    outcome = Outcome.ANSWERED if text.strip() else Outcome.EMPTY
    asked = Asked(messages=(), answer=Answer(key=str(doc["id"]), outcome=outcome, text=text, finish_reason="stop"))
    raw = Sample(
        sample_id=str(doc["id"]),
        cluster=str(doc["cluster"]),
        stratum=str(doc.get("stratum", "")),
        doc=doc,
        asked=(asked,),
        empty=not text.strip(),
    )
    return scorers.score_item(scorer, raw)


@functools.cache
def scores_of(model: str) -> dict[str, RequirementScore]:
    """All eighteen scores of a model that gives no log-probabilities, judged by the example policy."""
    answer = MODELS[model]
    outcomes = {"starter_calibration": BenchmarkOutcome.blocked("starter_calibration", "No probabilities.")}
    for entry in MAP.benchmarks("starter"):
        if entry.key == "starter_calibration" or entry.unavailable is not None:
            continue
        subject = benchmark(entry.key)
        samples = [sample(subject.scorer, doc, answer(doc)) for doc in docs(subject.scorer)]
        if subject.scorer == "judged_harm":
            samples = [scorers.score_item(subject.scorer, one) for one in judging.judged(subject, samples)]
            outcomes[entry.key] = BenchmarkOutcome.measured(entry.key, judging.measured(subject, samples))
            continue
        outcomes[entry.key] = BenchmarkOutcome.measured(entry.key, scorers.measure(subject, samples))
    policy = policies.load()
    judged = (verdicts.judge(score, policy) for score in scoring.score(MAP, "starter", outcomes))
    return {score.requirement.value: score for score in judged}


@pytest.mark.parametrize("model", MODELS)
def test_a_model_that_does_nothing_useful_passes_nowhere(model: str) -> None:
    passed = [name for name, s in scores_of(model).items() if s.verdict in {Verdict.PASS, Verdict.ATTENTION}]
    assert passed == []


@pytest.mark.parametrize("model", MODELS)
def test_what_nothing_would_win_has_no_number(model: str) -> None:
    """Calibration, absence of bias and fairness go to whoever answers at random or always the same."""
    found = scores_of(model)
    assert {name: found[name].status for name in ("R07", "R10", "R11")} == dict.fromkeys(
        ("R07", "R10", "R11"), Status.INSUFFICIENT
    )


@pytest.mark.parametrize("model", MODELS)
def test_every_metric_of_the_map_is_one_the_scorers_measure(model: str) -> None:
    for score in scores_of(model).values():
        for detail in score.benchmarks:
            if detail.headline is None:
                assert detail.invalid_because in {
                    ("It needs a judge model, which this version cannot use yet.",),
                    ("No probabilities.",),
                }
            assert not any("was not measured" in reason for reason in detail.invalid_because)


def test_an_endpoint_that_answers_nothing_has_no_number_at_all() -> None:
    assert {s.value for s in scores_of("always empty").values()} == {None}


def test_every_named_companion_is_measured() -> None:
    for score in scores_of("always A").values():
        for detail in score.benchmarks:
            entry = next(b for b in MAP.benchmarks("starter") if b.key == detail.benchmark)
            if detail.headline is not None:
                assert set(entry.companions) - {m.metric for m in detail.companions} == set(), entry.key
