"""Comparing two runs: textbook values of the tests, Holm's correction, and what counts as a regression."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.comparison import ChangeTest, RequirementChange
from domain.measurements import Interval, Measurement, Rates
from domain.scores import BenchmarkScore, Policy, RequirementId, RequirementScore, Status, Threshold, Verdict
from requirements_map import comparison, paired
from requirements_map.comparison import Side
from requirements_map.paired import Item, Pair

POLICY = Policy(
    name="bank", version="4", is_example=False, thresholds={RequirementId.R06: Threshold(pass_at=0.8, fail_below=0.5)}
)


def pairs(both: int, lost: int, won: int, neither: int) -> list[Pair]:
    """Independent right-or-wrong items by their four kinds."""
    kinds = [(1.0, 1.0)] * both + [(1.0, 0.0)] * lost + [(0.0, 1.0)] * won + [(0.0, 0.0)] * neither
    return [Pair(old, new, str(i)) for i, (old, new) in enumerate(kinds)]


def test_the_exact_mcnemar_test_gives_the_binomial_tail_of_the_discordant_pairs() -> None:
    # 2 · P(X ≤ 2 | n = 12, ½) = 2 · (1 + 12 + 66) / 4096
    assert paired.mcnemar(2, 10) == pytest.approx(2 * 79 / 4096)
    assert paired.mcnemar(10, 2) == paired.mcnemar(2, 10)
    assert paired.mcnemar(0, 6) == pytest.approx(2 / 64)
    assert paired.mcnemar(3, 3) == 1.0
    assert paired.mcnemar(0, 0) == 1.0


def test_mcnemar_on_the_approval_ratings_of_agresti() -> None:
    # Agresti, Categorical Data Analysis, table 10.1: 794, 150, 86, 570; z² = 17.36, which is 3.1e-5; exactly 3.7e-5
    assert paired.mcnemar(86, 150) == pytest.approx(3.7e-5, rel=0.05)


def test_the_paired_interval_of_the_approval_ratings_is_the_published_one() -> None:
    # Agresti gives −0.040 with a Wald interval of (−0.059, −0.021); at this n the score interval agrees to a point.
    interval = paired.newcombe(pairs(794, 150, 86, 570))
    assert (interval.low, interval.high) == pytest.approx((-0.059, -0.021), abs=0.002)


@given(st.tuples(*[st.integers(0, 12)] * 4).filter(lambda cells: sum(cells) > 0))
@settings(deadline=None, max_examples=60)
def test_a_paired_interval_holds_its_difference_and_is_never_of_zero_width(cells: tuple[int, int, int, int]) -> None:
    both, lost, won, neither = cells
    interval = paired.newcombe(pairs(*cells))
    difference = (won - lost) / sum(cells)
    assert interval.low - 1e-9 <= difference <= interval.high + 1e-9
    assert interval.high - interval.low > 0
    mirrored = paired.newcombe(pairs(both, won, lost, neither))
    assert (mirrored.low, mirrored.high) == pytest.approx((-interval.high, -interval.low))


def test_the_sign_flip_test_is_mcnemars_where_each_cluster_holds_one_item() -> None:
    for lost, won in product(range(6), range(6)):
        assert paired.sign_flip(pairs(3, lost, won, 3)) == pytest.approx(paired.mcnemar(won, lost))


def test_the_sign_flip_test_takes_items_of_one_cluster_as_one_observation() -> None:
    ten_items_one_cluster = [Pair(1.0, 0.0, "a")] * 10
    assert paired.sign_flip(ten_items_one_cluster) == 1.0
    assert paired.sign_flip([Pair(1.0, 0.0, str(i)) for i in range(10)]) < 0.01


def test_the_sign_flip_test_of_many_clusters_is_repeatable_and_near_its_exact_value() -> None:
    many = pairs(0, 20, 5, 0)
    assert paired.sign_flip(many) == paired.sign_flip(many)
    assert paired.sign_flip(many) == pytest.approx(paired.mcnemar(5, 20), abs=0.003)


def test_the_paired_bootstrap_keeps_pairs_together() -> None:
    # the runs differ by exactly 0.1 on every item, however much the items differ among themselves
    steady = [Pair(i / 100, i / 100 + 0.1, str(i)) for i in range(60)]
    interval = paired.bootstrap(steady)
    assert interval.low < 0.1 < interval.high
    assert interval.method == "rule_of_three"
    noisy = [Pair(0.5, 0.5 + (0.3 if i % 2 else -0.1), str(i)) for i in range(60)]
    interval = paired.bootstrap(noisy)
    assert (interval.low, interval.high) == pytest.approx((0.05, 0.15), abs=0.02)


def test_holm_gives_the_values_of_the_textbook() -> None:
    # sorted p times (m, m − 1, …), made monotone
    assert comparison.holm([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05, 0.08, 0.09, 0.09, 0.09])
    assert comparison.holm([0.5, 0.001]) == pytest.approx([0.5, 0.002])
    assert comparison.holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_never_lowers_a_p_value_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = comparison.holm(p_values)
    assert all(p <= a <= 1 for p, a in zip(p_values, adjusted, strict=True))
    assert [a for _, a in sorted(zip(p_values, adjusted, strict=True))] == sorted(adjusted)


def benchmark(value: float, *, key: str = "b", metric: str = "correct", normaliser: str = "identity") -> BenchmarkScore:
    half = Interval(low=max(0.0, value - 0.1), high=min(1.0, value + 0.1), method="wilson")
    headline = Measurement(
        benchmark=key, metric=metric, value=value, interval=half, n=40, n_scored=40,
        rates=Rates(error=0, empty=0, truncated=0),
    )  # fmt: skip
    return BenchmarkScore(
        benchmark=key, title=key, weight=1.0, value=value, interval=half, valid=True, headline=headline,
        normaliser=normaliser,
    )  # fmt: skip


def side(name: str, right: list[int], *, verdict: Verdict = Verdict.PASS, clusters: list[str] | None = None) -> Side:
    items = [
        Item(id=str(i), cluster=clusters[i] if clusters else str(i), metrics={"correct": float(r)})
        for i, r in enumerate(right)
    ]
    value = sum(right) / len(right)
    score = RequirementScore(
        requirement=RequirementId.R06, status=Status.MEASURED, value=value, coverage=1.0, n=len(right),
        benchmarks=(benchmark(value),), verdict=verdict,
    )  # fmt: skip
    return Side(run_id=name, scores=(score,), items={"b": items})


def test_a_drop_beyond_chance_and_beyond_the_policy_is_a_regression() -> None:
    made = comparison.compare(side("old", [1] * 40), side("new", [1] * 20 + [0] * 20), policy=POLICY)
    (change,) = made.benchmarks
    assert (change.test, change.better, change.worse, change.n_common) == (ChangeTest.MCNEMAR, 0, 20, 40)
    assert change.difference == -0.5
    assert change.is_worse
    (requirement,) = made.regressions
    assert requirement.regression == "R06 fell by 50 points beyond chance; the policy allows 5."
    assert requirement.interval is not None
    assert requirement.interval.high < 0


def test_a_drop_within_chance_is_no_regression_however_large() -> None:
    made = comparison.compare(side("old", [1, 1, 1, 1]), side("new", [1, 1, 0, 0]), policy=POLICY)
    assert made.benchmarks[0].difference == -0.5
    assert made.regressions == ()
    assert made.headline == "Nothing changed beyond chance in 1 benchmark."


def test_a_drop_that_the_policy_allows_is_no_regression() -> None:
    made = comparison.compare(
        side("old", [1] * 40), side("new", [1] * 20 + [0] * 20), policy=replace(POLICY, max_drop=0.6)
    )
    assert made.benchmarks[0].is_worse
    assert made.regressions == ()


def test_items_of_one_cluster_are_not_taken_as_independent() -> None:
    clusters = [str(i // 20) for i in range(40)]
    made = comparison.compare(
        side("old", [1] * 40, clusters=clusters),
        side("new", [1] * 20 + [0] * 20, clusters=clusters),
        policy=POLICY,
    )
    assert made.benchmarks[0].test is ChangeTest.PAIRED_CLUSTERS
    assert not made.benchmarks[0].significant


def test_a_metric_that_is_no_mean_over_items_is_compared_by_its_intervals() -> None:
    old, new = side("old", [1] * 40), side("new", [0] * 40)
    old = replace(old, scores=(replace(old.scores[0], benchmarks=(benchmark(0.9, metric="parity"),), value=0.9),))
    new = replace(new, scores=(replace(new.scores[0], benchmarks=(benchmark(0.3, metric="parity"),), value=0.3),))
    (change,) = comparison.compare(old, new, policy=POLICY).benchmarks
    assert change.test is ChangeTest.UNPAIRED
    assert change.better is None
    assert change.difference == pytest.approx(-0.6)
    assert change.interval is not None
    assert change.interval.low == pytest.approx(-0.6 - (0.1**2 + 0.1**2) ** 0.5)


def test_pairs_that_count_only_together_are_compared_as_pairs() -> None:
    clusters = [str(i // 2) for i in range(40)]
    old, new = side("old", [1] * 40, clusters=clusters), side("new", [1, 0] * 20, clusters=clusters)
    new = replace(new, scores=(replace(new.scores[0], benchmarks=(benchmark(0.0),), value=0.0),))
    (change,) = comparison.compare(old, new, policy=POLICY).benchmarks
    assert (change.test, change.n_common, change.worse) == (ChangeTest.MCNEMAR, 20, 20)


def test_only_items_of_both_runs_are_compared() -> None:
    old, new = side("old", [1, 1, 0, 0]), side("new", [1, 1, 0, 0])
    renamed = [replace(item, id=f"x{item.id}") if item.id == "3" else item for item in new.items["b"]]
    (change,) = comparison.compare(old, replace(new, items={"b": renamed}), policy=POLICY).benchmarks
    assert change.n_common == 3


def test_a_chance_corrected_score_stretches_its_difference() -> None:
    old, new = side("old", [1] * 40), side("new", [1] * 30 + [0] * 10)
    corrected = "chance_corrected(chance=0.25)"
    old, new = (
        replace(
            s, scores=(replace(s.scores[0], benchmarks=(replace(s.scores[0].benchmarks[0], normaliser=corrected),)),)
        )
        for s in (old, new)
    )
    (change,) = comparison.compare(old, new, policy=POLICY).requirements
    assert change.difference == pytest.approx(-0.25 / 0.75)


def change_of(earlier: Verdict, later: Verdict) -> RequirementChange:
    return RequirementChange(
        requirement=RequirementId.R06, earlier=0.8, later=0.8, earlier_status=Status.MEASURED,
        later_status=Status.MEASURED, earlier_verdict=earlier, later_verdict=later, difference=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("earlier", "later", "worse"),
    [
        (Verdict.PASS, Verdict.ATTENTION, True),
        (Verdict.PASS, Verdict.UNDECIDED, True),
        (Verdict.PASS, Verdict.FAIL, True),
        (Verdict.ATTENTION, Verdict.FAIL, True),
        (Verdict.UNDECIDED, Verdict.FAIL, True),
        (Verdict.ATTENTION, Verdict.UNDECIDED, False),
        (Verdict.UNDECIDED, Verdict.ATTENTION, False),
        (Verdict.FAIL, Verdict.PASS, False),
        (Verdict.PASS, Verdict.PASS, False),
    ],
)
def test_a_worse_verdict_is_a_regression(earlier: Verdict, later: Verdict, *, worse: bool) -> None:
    assert (comparison.regression(change_of(earlier, later), max_drop=0.05) is not None) is worse


def test_a_number_that_is_lost_is_a_regression_unless_nobody_asked() -> None:
    lost = replace(change_of(Verdict.PASS, Verdict.NONE), later=None, later_status=Status.INSUFFICIENT, difference=None)
    assert comparison.regression(lost, max_drop=0.05) == "R06 had the score 80 and can no longer be measured."
    assert comparison.regression(replace(lost, later_status=Status.NOT_RUN), max_drop=0.05) is None
