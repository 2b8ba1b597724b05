"""From scored items to measurements: formulas on small sets counted by hand, and what must not matter."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from fakes import starter_answers
from fakes.starter_answers import BENCHMARKS

from domain.benchmarks import Sample
from domain.errors import UnknownBenchmark
from domain.measurements import Measurement
from evaluators.benchmarks import scorers

Choose = Callable[[Mapping[str, Any]], str]


def answered(key: str, choose: Choose, keep: Callable[[Mapping[str, Any]], bool] = lambda _: True) -> list[Sample]:
    benchmark = BENCHMARKS[key]
    docs = [doc for doc in starter_answers.docs(benchmark) if keep(doc)]
    return starter_answers.scored(benchmark, [starter_answers.sample(benchmark, d, choose(d)) for d in docs])


def metrics(key: str, samples: list[Sample]) -> dict[str, Measurement]:
    return {m.metric: m for m in scorers.measure(BENCHMARKS[key], samples)}


def value(key: str, samples: list[Sample], metric: str) -> float:
    found = metrics(key, samples)[metric].value
    assert found is not None
    return found


def prejudiced(doc: Mapping[str, Any]) -> str:
    return str(doc["biased"])


def contrary(doc: Mapping[str, Any]) -> str:
    return next(letter for letter in "ABC" if letter not in {doc["biased"], doc["unknown"]})


def test_always_following_the_prejudice_is_a_bias_of_one_and_always_against_it_of_minus_one() -> None:
    for choose, bias in ((prejudiced, 1.0), (contrary, -1.0)):
        found = metrics("starter_bias_qa", answered("starter_bias_qa", choose))
        assert found["bias_amb"].value == pytest.approx(bias)
        assert found["bias_dis"].value == pytest.approx(bias)
        assert found["bias_score"].value == pytest.approx(0.0)
        assert found["acc_amb"].value == 0.0
        assert found["acc_dis"].value == 0.5


def test_marking_the_other_person_as_the_one_the_prejudice_expects_turns_the_sign_of_the_bias() -> None:
    def choose(doc: Mapping[str, Any]) -> str:
        return "ABC"[len(doc["text"]) % 3]

    samples = answered("starter_bias_qa", choose)
    turned = []
    for sample in samples:
        doc = {**sample.doc, "biased": contrary(sample.doc), "fits": not sample.doc["fits"]}
        turned.append(scorers.score_item("bias_qa", replace(sample, doc=doc)))
    for metric in ("bias_amb", "bias_dis"):
        assert value("starter_bias_qa", turned, metric) == pytest.approx(-value("starter_bias_qa", samples, metric))
    same = value("starter_bias_qa", samples, "bias_score")
    assert value("starter_bias_qa", turned, "bias_score") == pytest.approx(same)


def test_bias_in_a_part_with_unequal_halves_is_still_zero_for_a_model_that_reads() -> None:
    part = answered("starter_bias_qa", lambda d: d["target"], lambda d: d["fits"] or d["cluster"] < "bias-20")
    assert value("starter_bias_qa", part, "bias_dis") == pytest.approx(0.0)


def test_prejudice_in_one_category_shows_there_and_lowers_the_mean() -> None:
    def choose(doc: Mapping[str, Any]) -> str:
        return prejudiced(doc) if doc["category"] == "age" else str(doc["target"])

    score = metrics("starter_bias_qa", answered("starter_bias_qa", choose))["bias_score"]
    assert score.by_group["age"] == pytest.approx(0.0)
    assert score.by_group["income"] == pytest.approx(1.0)
    assert score.value == pytest.approx(0.75)


def test_refusing_one_group_shows_in_every_measure_of_equality() -> None:
    def choose(doc: Mapping[str, Any]) -> str:
        return "no" if doc["group"] == "woman" else str(doc["label"])

    found = metrics("starter_decisions", answered("starter_decisions", choose))
    assert found["dpd"].by_group == {"origin": 0.0, "sex": 0.5}
    assert found["eod"].by_group == {"origin": 0.0, "sex": 1.0}
    assert found["dpd"].value == pytest.approx(0.25)
    assert found["eod"].value == pytest.approx(0.5)
    assert found["parity"].value == pytest.approx(((1 - 0.25) + (1 - 0.5)) / 2)
    assert found["counterfactual_flip_rate"].value == pytest.approx(20 / 80)
    assert found["accuracy"].value == pytest.approx(140 / 160)
    assert found["majority_share"].value == 0.5


def test_exchanging_the_groups_of_all_applications_leaves_parity() -> None:
    def choose(doc: Mapping[str, Any]) -> str:
        return "yes" if len(doc["text"]) % 3 else "no"

    samples = answered("starter_decisions", choose)
    other = {"man": "woman", "woman": "man", "born here": "born abroad", "born abroad": "born here"}
    turned = [replace(s, doc={**s.doc, "group": other[s.doc["group"]]}) for s in samples]
    for metric in ("parity", "dpd", "eod"):
        assert value("starter_decisions", turned, metric) == value("starter_decisions", samples, metric)


def test_an_answer_without_a_decision_is_left_out_and_counted() -> None:
    samples = answered("starter_decisions", lambda d: "Maybe." if d["cluster"].endswith("01") else d["label"])
    parity = metrics("starter_decisions", samples)["parity"]
    assert parity.value == 1.0
    assert (parity.n, parity.n_scored) == (160, 156)
    assert parity.rates.parse_ok == pytest.approx(156 / 160)


def test_a_pair_counts_only_where_both_of_its_texts_are_right() -> None:
    samples = answered("starter_contrast_pairs", lambda d: "yes" if d["cluster"] <= "contrast-032" else d["target"])
    found = metrics("starter_contrast_pairs", samples)
    assert found["pair_accuracy"].value == 0.5
    assert found["accuracy"].value == 0.75
    assert found["yes_rate"].value == 0.75
    assert found["flip_rate"].value == 0.5
    assert found["pair_accuracy"].interval is not None
    assert found["pair_accuracy"].interval.high - found["pair_accuracy"].interval.low > 0.2


def test_keeping_a_wrong_option_is_consistent_and_changing_it_in_one_form_is_not() -> None:
    def stubborn(doc: Mapping[str, Any]) -> str:
        return "ABCD"[doc["option_ids"].index(2)]

    def confused(doc: Mapping[str, Any]) -> str:
        return "ABCD"[doc["option_ids"].index(1 if doc["form"] == "typos" else 2)]

    assert value("starter_perturbation", answered("starter_perturbation", stubborn), "consistency") == 1.0
    found = metrics("starter_perturbation", answered("starter_perturbation", confused))["consistency"]
    assert found.value == 0.0
    assert found.by_group == {"capitals": 1.0, "reordered": 1.0, "typos": 0.0}


def test_a_group_with_a_failed_form_is_not_judged() -> None:
    samples = answered("starter_perturbation", lambda d: d["target"])
    lost = replace(samples[1], error=True)
    found = metrics("starter_perturbation", [samples[0], lost, *samples[2:]])["consistency"]
    assert (found.n, found.n_scored) == (256, 252)


def test_following_every_hidden_order_leaves_nothing_of_the_headline() -> None:
    samples = answered("starter_injection", lambda d: f"{d['target']} {d['marker']}")
    found = metrics("starter_injection", samples)
    assert found["task_done_unhijacked"].value == 0.0
    assert found["hijack_rate"].value == 1.0
    assert found["benign_success"].value == 1.0
    assert found["task_done_unhijacked"].n_scored == 48


def test_telling_the_code_to_one_visitor_in_nine_costs_a_ninth() -> None:
    attacks = [d["id"] for d in starter_answers.docs(BENCHMARKS["starter_secret"]) if d["kind"] == "attack"]
    told = set(attacks[:5])
    samples = answered("starter_secret", lambda d: d["code"] if d["id"] in told else d["target"])
    found = metrics("starter_secret", samples)
    assert found["secret_kept"].value == pytest.approx(1 - 5 / 45)
    assert found["secret_kept"].n_scored == 45
    assert found["empty"].value == 0.0


def test_saying_yes_to_every_question_about_itself_is_worth_half() -> None:
    found = metrics("starter_disclosure", answered("starter_disclosure", lambda _: "Yes."))
    assert found["truthful_disclosure"].value == 0.5
    assert (found["truthful_direct"].value, found["truthful_reverse"].value) == (0.0, 1.0)
    assert found["says_human"].value == 0.5
    assert found["truthful_disclosure"].interval is not None
    assert found["truthful_disclosure"].interval.method == "mover"


def test_probability_outside_the_letters_is_shown_and_the_rest_renormalised() -> None:
    benchmark = BENCHMARKS["starter_calibration"]
    doc = starter_answers.docs(benchmark)[0]
    hedged = starter_answers.hedging(doc["target"])
    whole = scorers.score_item("calibration", starter_answers.sample(benchmark, doc, doc["target"], logprobs=hedged))
    top = tuple((token, logprob - 1.0) for token, logprob in hedged[0].top)
    thin = (replace(hedged[0], top=top),)
    part = scorers.score_item("calibration", starter_answers.sample(benchmark, doc, doc["target"], logprobs=thin))
    assert part.metrics["confidence"] == pytest.approx(whole.metrics["confidence"])
    assert whole.metrics["letter_mass"] == pytest.approx(1.0)
    assert part.metrics["letter_mass"] == pytest.approx(0.3679, abs=1e-4)


def test_an_answer_without_log_probabilities_is_not_calibrated_by_its_text() -> None:
    benchmark = BENCHMARKS["starter_calibration"]
    samples = answered("starter_calibration", lambda d: d["target"])
    ece = scorers.measure(benchmark, samples)[0]
    assert (ece.metric, ece.value, ece.n_scored) == ("ece", None, 0)
    assert ece.reason


def test_an_unknown_scorer_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownBenchmark, match=r"no scorer 'magic'; there are arithmetic, bbq, bias_qa"):
        scorers.score_text("magic", {}, "")


def test_scoring_twice_changes_nothing() -> None:
    for key, benchmark in BENCHMARKS.items():
        samples = answered(key, lambda d: d["target"])[:20]
        assert starter_answers.scored(benchmark, samples) == samples


def test_what_a_content_filter_withheld_stays_known_where_refusals_are_not_looked_for() -> None:
    sample = replace(answered("starter_knowledge", lambda _: "")[0], refused=True)
    assert scorers.score_item("knowledge", sample).refused is True


def test_items_without_an_answer_keep_the_reason() -> None:
    benchmark = BENCHMARKS["starter_knowledge"]
    lost = scorers.score_item("knowledge", starter_answers.failed(benchmark, starter_answers.docs(benchmark)[0]))
    assert (lost.metrics, lost.parse_ok, lost.unscored) == ({}, None, "connection refused")
