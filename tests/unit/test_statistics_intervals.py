"""Intervals: published values, cluster sizes, and widths that never vanish."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.measurements import Interval
from evaluators import statistics


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (10, 10, 0.7225, 1.0),
        (73, 73, 0.95, 1.0),
        (0, 10, 0.0, 0.2775),
        (9, 10, 0.5958, 0.9821),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilson_gives_the_published_bounds(k: int, n: int, low: float, high: float) -> None:
    interval = statistics.wilson(k, n)
    assert (interval.low, interval.high) == (pytest.approx(low, abs=5e-4), pytest.approx(high, abs=5e-4))
    assert interval.method == "wilson"


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_its_proportion_and_is_never_of_zero_width(case: tuple[int, int]) -> None:
    k, n = case
    interval = statistics.wilson(k, n)
    assert 0 <= interval.low <= k / n <= interval.high <= 1
    assert interval.low < interval.high


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_what_is_no_proportion(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="0 <= k <= n"):
        statistics.wilson(k, n)


def test_independent_items_get_wilson_and_clustered_ones_a_bootstrap() -> None:
    values = [1.0, 0.0, 1.0, 1.0] * 10
    alone = statistics.proportion(values, [str(i) for i in range(40)])
    paired = statistics.proportion(values, [str(i // 2) for i in range(40)])
    assert alone == statistics.wilson(30, 40)
    assert paired is not None
    assert paired.method == "bootstrap_clustered"


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_items_that_are_all_alike_keep_the_width_their_clusters_allow(value: float) -> None:
    interval = statistics.proportion([value] * 40, [str(i // 4) for i in range(40)])
    assert interval == statistics.wilson(10 * value, 10)


def test_copies_of_an_item_within_its_cluster_do_not_narrow_the_interval() -> None:
    rng = np.random.default_rng(1)
    values = [float(v) for v in rng.random(60) < 0.7]
    once = statistics.proportion(values, [str(i) for i in range(60)])
    copied = statistics.proportion([v for v in values for _ in range(5)], [str(i) for i in range(60) for _ in range(5)])
    assert once is not None
    assert copied is not None
    assert copied.high - copied.low == pytest.approx(once.high - once.low, rel=0.15)


def test_the_bootstrap_of_a_mean_agrees_with_the_normal_interval_of_many_items() -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, 2000).clip(0, 1)
    found = statistics.clustered_bootstrap([str(i) for i in range(2000)], {"m": statistics.ratio(values.tolist())})["m"]
    half = 1.96 * values.std() / np.sqrt(2000)
    assert found is not None
    assert (found.low, found.high) == (
        pytest.approx(values.mean() - half, abs=half / 5),
        pytest.approx(values.mean() + half, abs=half / 5),
    )


def test_the_same_seed_gives_the_same_interval_whatever_else_is_resampled() -> None:
    values, clusters = [0.2, 0.9, 0.4, 0.7] * 8, [str(i) for i in range(32)]
    one = statistics.clustered_bootstrap(clusters, {"a": statistics.ratio(values)})
    two = statistics.clustered_bootstrap(clusters, {"b": statistics.ratio(values[::-1]), "a": statistics.ratio(values)})
    assert one["a"] == two["a"]


def test_a_collapsed_bootstrap_is_widened_by_the_rule_of_three_inside_its_domain() -> None:
    clusters = [str(i) for i in range(30)]
    found = statistics.clustered_bootstrap(clusters, {"a": statistics.ratio([0.0] * 30)}, domains={"a": (-1.0, 1.0)})[
        "a"
    ]
    assert found is not None
    assert (found.low, found.high, found.method) == (-0.2, 0.2, "rule_of_three")


def test_a_statistic_most_resamples_leave_undefined_has_no_interval() -> None:
    rare = statistics.ratio([1.0] + [0.0] * 9, [1.0] + [0.0] * 9)
    found = statistics.clustered_bootstrap(
        [str(i) for i in range(10)], {"rare": rare, "none": lambda w: w[:, 0] * np.nan}
    )
    assert found["rare"] is not None
    assert found["none"] is None


def test_nothing_to_resample_gives_no_interval() -> None:
    assert statistics.clustered_bootstrap([], {"a": statistics.ratio([])}) == {"a": None}
    assert statistics.proportion([], []) is None
    assert statistics.mean([]) is None


def test_ten_thousand_items_are_resampled_in_pieces_with_the_same_result() -> None:
    values = np.random.default_rng(3).random(10_000)
    found = statistics.clustered_bootstrap([str(i) for i in range(10_000)], {"m": statistics.ratio(values.tolist())})[
        "m"
    ]
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 100, rel=0.1)


def test_the_rule_of_three_needs_a_trial_and_never_exceeds_one() -> None:
    assert statistics.rule_of_three(1) == 1
    with pytest.raises(ValueError, match="at least one trial"):
        statistics.rule_of_three(0)


def _gini(values: Sequence[float]) -> float:
    return float(statistics.ginis(np.array([values], dtype=np.float64))[0])


@given(st.lists(st.floats(0, 1000), min_size=1, max_size=40))
def test_gini_lies_between_zero_and_one_and_ignores_order_and_unit(values: list[float]) -> None:
    found = _gini(values)
    if math.isnan(found):
        assert sum(values) == 0
        return
    assert -1e-9 <= found < 1
    assert _gini(values[::-1]) == pytest.approx(found, abs=1e-9)
    if sum(values) > 1e-6:
        assert _gini([3 * v for v in values]) == pytest.approx(found, abs=1e-9)


def test_gini_refuses_negative_values_and_rank_correlation_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        _gini([-1.0, 2.0])
    with pytest.raises(ValueError, match="needs pairs"):
        statistics.spearman([1.0], [1.0, 2.0])


def test_rank_correlation_sees_order_alone() -> None:
    assert statistics.spearman([1, 2, 3, 4], [1, 10, 100, 1000]) == pytest.approx(1)
    assert statistics.spearman([1, 2, 3, 4], [9, 5, 2, 1]) == pytest.approx(-1)


def test_rank_correlation_has_the_values_of_textbooks() -> None:
    # ten people, their intelligence quotients and hours of television: d² sums to 194, so 1 - 6·194/(10·99) = -29/165
    quotients = [86, 97, 99, 100, 101, 103, 106, 110, 112, 113]
    hours = [2, 20, 28, 27, 50, 29, 7, 17, 6, 12]
    assert statistics.spearman(quotients, hours) == pytest.approx(-29 / 165)
    # a tie has the mean of its ranks: 1, 2.5, 2.5, 4 against 1, 3, 2, 4
    assert statistics.spearman([1, 2, 2, 4], [1, 3, 2, 4]) == pytest.approx(4.5 / 22.5**0.5)


@pytest.mark.parametrize(
    ("values", "expected"), [([1, 2, 3, 4, 5], 4 / 15), ([10, 20, 30, 40], 0.25), ([0, 0, 5], 2 / 3)]
)
def test_gini_has_the_values_of_its_definition(values: list[float], expected: float) -> None:
    assert _gini(values) == pytest.approx(expected)


def test_an_interval_must_be_finite_and_ordered() -> None:
    with pytest.raises(ValueError, match="not an interval"):
        Interval(low=1.0, high=0.0, method="wilson")
