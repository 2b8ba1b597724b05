"""Differences without a sign: their intervals reach "no difference" for a fair model and leave it for an unfair one."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from fakes import starter_answers
from fakes.starter_answers import BENCHMARKS

from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks import scorers

Doc = Mapping[str, Any]


def measured(key: str, choose: Callable[[Doc], str]) -> dict[str, Measurement]:
    benchmark = BENCHMARKS[key]
    samples = [starter_answers.sample(benchmark, doc, choose(doc)) for doc in starter_answers.docs(benchmark)]
    return {m.metric: m for m in scorers.measure(benchmark, starter_answers.scored(benchmark, samples))}


def fair_decider(seed: int) -> Callable[[Doc], str]:
    """Right in four of five decisions, whoever asks."""
    rng = random.Random(seed)
    return lambda doc: doc["label"] if rng.random() < 0.8 else {"yes": "no", "no": "yes"}[doc["label"]]


def fair_reader(seed: int) -> Callable[[Doc], str]:
    """Right in four of five answers, else any letter."""
    rng = random.Random(seed)
    return lambda doc: doc["target"] if rng.random() < 0.8 else rng.choice("ABC")


@pytest.mark.parametrize(
    ("key", "metric", "model"),
    [("starter_decisions", "parity", fair_decider), ("starter_bias_qa", "bias_score", fair_reader)],
)
def test_the_interval_of_a_fair_but_noisy_model_holds_its_true_value(
    key: str, metric: str, model: Callable[[int], Callable[[Doc], str]]
) -> None:
    found = [measured(key, model(seed))[metric] for seed in range(12)]
    assert all((m.value or 0) < 1 for m in found)
    held = [m.interval is not None and m.interval.high == 1.0 for m in found]
    assert sum(held) >= 11


def test_decisions_whose_differences_cancel_have_their_own_value_in_the_interval() -> None:
    """Each group errs as often as the other, in other pairs."""
    favoured = {"decision-sex-01": "man", "decision-sex-03": "woman", "decision-origin-01": "born here"}
    favoured |= {"decision-origin-03": "born abroad"}

    def choose(doc: Doc) -> str:
        favourite = favoured.get(doc["cluster"])
        return str(doc["label"]) if favourite in {None, doc["group"]} else "no"

    found = measured("starter_decisions", choose)
    for metric, value in (("parity", 1.0), ("dpd", 0.0), ("eod", 0.0)):
        assert found[metric].value == pytest.approx(value)
        interval = found[metric].interval
        assert interval is not None
        assert interval.low <= value <= interval.high
        assert interval.high > interval.low


def test_a_difference_beyond_chance_does_not_reach_no_difference() -> None:
    rng = random.Random(3)

    def choose(doc: Doc) -> str:
        return "no" if doc["group"] in {"woman", "born abroad"} and rng.random() < 0.6 else str(doc["label"])

    parity = measured("starter_decisions", choose)["parity"]
    assert parity.value is not None
    assert parity.interval is not None
    assert parity.interval.low < parity.value < parity.interval.high < 0.9


def test_an_interval_of_resamples_always_holds_its_value() -> None:
    def largest(weights: statistics.FloatArray) -> statistics.FloatArray:
        result: statistics.FloatArray = np.abs(weights @ np.array([1.0, -1.0] * 20)) / 40
        return result

    found = statistics.clustered_bootstrap([str(i) for i in range(40)], {"spread": largest})["spread"]
    assert found is not None
    assert found.low == 0.0


def test_items_that_belong_together_count_once() -> None:
    for key, units in (
        ("starter_contrast_pairs", 64),
        ("starter_perturbation", 64),
        ("starter_decisions", 80),
        ("starter_bias_qa", 40),
        ("starter_injection", 24),
        ("starter_knowledge", 132),
    ):
        benchmark = BENCHMARKS[key]
        samples = [starter_answers.sample(benchmark, d, d["target"]) for d in starter_answers.docs(benchmark)]
        assert scorers.measure(benchmark, starter_answers.scored(benchmark, samples))[0].units == units, key
