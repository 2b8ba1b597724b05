"""Calibration and fairness measures against published values."""

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluators import calibration_metrics, fairness_metrics
from evaluators.benchmarks.scorers import yes_no
from evaluators.statistics import clustered_bootstrap, point


def predictions(path: Path) -> tuple[list[float], list[float]]:
    rows = csv.DictReader(io.StringIO(gzip.decompress(path.read_bytes()).decode()))
    pairs = [(float(r["confidence"]), float(r["true_label"] == r["pred_label"])) for r in rows]
    return [p for p, _ in pairs], [y for _, y in pairs]


def test_ece_and_mce_equal_the_published_values_of_a_known_classifier(test_data: Path) -> None:
    folder = test_data / "calibration_reference"
    published = json.loads((folder / "published.json").read_text())
    confidence, correct = predictions(folder / "resnext101_32x8d.csv.gz")
    bins = published["num_bins"]
    found = (
        calibration_metrics.ece(confidence, correct, bins=bins),
        calibration_metrics.mce(confidence, correct, bins=bins),
    )
    assert found == (
        pytest.approx(published["expected_calibration_error"], abs=1e-9),
        pytest.approx(published["max_calibration_error"], abs=1e-9),
    )


@pytest.mark.parametrize("name", ["resnext101_32x8d.csv", "probs_resnet110_c10_logits.csv"])
@pytest.mark.parametrize("bins", [10, 15, 20])
def test_ece_and_mce_equal_recomputed_values(test_data: Path, name: str, bins: int) -> None:
    folder = test_data / "calibration_reference"
    expected = json.loads((folder / "recomputed.json").read_text())[name][str(bins)]
    confidence, correct = predictions(folder / f"{name}.gz")
    assert calibration_metrics.ece(confidence, correct, bins=bins) == pytest.approx(
        expected["expected_calibration_error"], abs=1e-9
    )
    assert calibration_metrics.mce(confidence, correct, bins=bins) == pytest.approx(
        expected["max_calibration_error"], abs=1e-9
    )
    indices = calibration_metrics.bin_indices(np.asarray(confidence), bins)
    assert np.bincount(indices, minlength=bins).tolist() == expected["counts"]


def test_a_reliability_diagram_of_known_predictions_holds_all_of_them_and_their_error(test_data: Path) -> None:
    folder = test_data / "calibration_reference"
    expected = json.loads((folder / "recomputed.json").read_text())["resnext101_32x8d.csv"]["10"]
    confidence, correct = predictions(folder / "resnext101_32x8d.csv.gz")
    bins = calibration_metrics.reliability(confidence, correct)
    assert [b.n for b in bins] == [count for count in expected["counts"] if count]
    gaps = sum(b.n * abs(b.accuracy - b.confidence) for b in bins) / len(correct)
    assert gaps == pytest.approx(expected["expected_calibration_error"], abs=1e-9)
    assert all(b.interval.low < b.accuracy < b.interval.high for b in bins)


def test_parity_and_odds_of_real_answers_equal_the_published_ones(test_data: Path) -> None:
    folder = test_data / "decodingtrust_adult"
    for model, expected in json.loads((folder / "oracle_metrics.json").read_text()).items():
        text = gzip.decompress((folder / f"oracle_{model}.jsonl.gz").read_bytes()).decode()
        rows = [json.loads(line) for line in text.splitlines()]
        said = [yes_no.parse(row["completion"]) for row in rows]
        decisions = [float(bool(s)) for s in said]
        labels, groups = [float(r["label"] == "yes") for r in rows], [r["sensitive_attribute"] for r in rows]
        right = [decision == label for decision, label in zip(decisions, labels, strict=True)]
        assert sum(right) / len(right) == pytest.approx(expected["accuracy"])
        assert fairness_metrics.demographic_parity_difference(decisions, groups) == pytest.approx(
            expected["demographic_parity_difference"]
        )
        assert fairness_metrics.equalised_odds_difference(decisions, labels, groups) == pytest.approx(
            expected["equalized_odds_difference"]
        )


cases = st.lists(
    st.tuples(st.booleans(), st.booleans(), st.sampled_from("ab")).map(lambda t: (float(t[0]), float(t[1]), t[2])),
    min_size=2,
    max_size=40,
)


@given(cases)
def test_exchanging_the_names_of_two_groups_leaves_both_differences(rows: list[tuple[float, float, str]]) -> None:
    decisions, labels, groups = (list(column) for column in zip(*rows, strict=True))
    other = ["b" if g == "a" else "a" for g in groups]
    assert fairness_metrics.demographic_parity_difference(
        decisions, groups
    ) == fairness_metrics.demographic_parity_difference(decisions, other)
    assert fairness_metrics.equalised_odds_difference(
        decisions, labels, groups
    ) == fairness_metrics.equalised_odds_difference(decisions, labels, other)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=50))
def test_calibration_measures_stay_in_their_domain_and_ignore_order(rows: list[tuple[float, bool]]) -> None:
    p, y = [a for a, _ in rows], [float(b) for _, b in rows]
    for measure in (calibration_metrics.ece, calibration_metrics.mce, calibration_metrics.brier):
        value = measure(p, y)
        assert value is not None
        assert -1e-9 <= value <= 1 + 1e-9
        assert measure(p[::-1], y[::-1]) == pytest.approx(value, abs=1e-9)
    curve = calibration_metrics.auroc(p, y)
    assert (curve is None) == (len(set(y)) == 1)
    if curve is not None:
        wins = [
            (a > b) + (a == b) / 2 for a, u in zip(p, y, strict=True) if u for b, v in zip(p, y, strict=True) if not v
        ]
        assert curve == pytest.approx(sum(wins) / len(wins), abs=1e-9)


def test_a_constant_confidence_has_an_auroc_of_one_half_with_an_interval_around_it() -> None:
    statistic = calibration_metrics.auroc_statistic([0.25] * 80, [1.0] * 20 + [0.0] * 60)
    assert point(statistic, 80) == 0.5
    interval = clustered_bootstrap([str(i) for i in range(80)], {"auroc": statistic})["auroc"]
    assert interval is not None
    assert interval.low < 0.5 < interval.high


def test_the_interval_of_ece_is_not_moved_by_the_bias_of_resampling() -> None:
    rng = np.random.default_rng(4)
    p = rng.random(200)
    y = (rng.random(200) < p).astype(float)
    statistic = calibration_metrics.ece_statistic(p.tolist(), y.tolist())
    clusters = [str(i) for i in range(200)]
    raw = clustered_bootstrap(clusters, {"ece": statistic})["ece"]
    shifted = clustered_bootstrap(clusters, {"ece": statistic}, unbiased=frozenset({"ece"}))["ece"]
    value = point(statistic, 200)
    assert raw is not None
    assert shifted is not None
    assert value is not None
    assert shifted.high < raw.high
    assert shifted.low <= value <= shifted.high


@pytest.mark.parametrize(("n", "mean_ece"), [(50, 0.130), (200, 0.067), (1000, 0.030)])
def test_the_null_band_lies_just_above_the_mean_error_of_a_perfect_predictor(n: int, mean_ece: float) -> None:
    confidence = np.random.default_rng(5).random(n).tolist()
    band = calibration_metrics.null_ece_p95(confidence)
    assert band is not None
    assert mean_ece < band < 1.8 * mean_ece


def test_confidence_outside_zero_and_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        calibration_metrics.ece([1.2], [1])
    with pytest.raises(ValueError, match="pairs"):
        calibration_metrics.brier([0.5], [1, 0])


def test_one_group_alone_shows_no_difference() -> None:
    assert fairness_metrics.demographic_parity_difference([1, 0], ["a", "a"]) is None
    assert fairness_metrics.equalised_odds_difference([1, 0], [1, 0], ["a", "a"]) is None
    assert fairness_metrics.equalised_odds_difference([1, 0], [1, 1], ["a", "b"]) is None
