"""What must hold of scoring whatever the measurements are."""

import math
from random import Random

import pytest
from fakes.outcomes import all_good, measured, passing_guards, raw_for
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.scores import RequirementScore, Status, Verdict
from requirements_map import catalogue, policies, scoring, verdicts
from requirements_map.outcomes import BenchmarkOutcome

#: A loaded machine is no reason to fail.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
MAP = catalogue.load()
ENTRIES = [b for b in MAP.benchmarks("starter") if b.unavailable is None and b.alternative_to is None]
SHARE = st.floats(0, 1, allow_nan=False)


@st.composite
def an_outcome(draw: st.DrawFn, key: str) -> BenchmarkOutcome | None:
    entry = next(b for b in ENTRIES if b.key == key)
    kind = draw(st.sampled_from(["measured", "measured", "measured", "failed", "blocked", "absent"]))
    if kind == "absent":
        return None
    if kind != "measured":
        return BenchmarkOutcome.failed(key, "It failed.") if kind == "failed" else BenchmarkOutcome.blocked(key, "No.")
    guards = passing_guards(entry) if draw(st.booleans()) else {m: draw(SHARE) for m in passing_guards(entry)}
    headline = draw(st.one_of(st.none(), SHARE))
    return measured(
        key, {entry.metric: headline, **guards}, n=draw(st.integers(1, 300)), half_width=draw(st.floats(0, 0.3))
    )


@st.composite
def outcomes(draw: st.DrawFn) -> dict[str, BenchmarkOutcome]:
    drawn = {entry.key: draw(an_outcome(entry.key)) for entry in ENTRIES}
    return {key: outcome for key, outcome in drawn.items() if outcome is not None}


def by_id(found: dict[str, BenchmarkOutcome]) -> dict[str, RequirementScore]:
    return {s.requirement.value: s for s in scoring.score(MAP, "starter", found)}


@given(outcomes())
@settings(UNTIMED, max_examples=150)
def test_numbers_stay_in_range_and_missing_stays_missing_with_a_reason(found: dict[str, BenchmarkOutcome]) -> None:
    for score in by_id(found).values():
        if score.value is None:
            assert score.reason
            assert score.status not in {Status.MEASURED, Status.PARTIAL}
            continue
        assert 0.0 <= score.value <= 1.0
        assert score.interval is not None
        assert 0.0 <= score.interval.low <= score.value + 1e-12
        assert score.value - 1e-12 <= score.interval.high <= 1.0
        assert score.n > 0


@given(outcomes())
@settings(UNTIMED, max_examples=150)
def test_coverage_is_the_valid_share_of_the_weight(found: dict[str, BenchmarkOutcome]) -> None:
    for name, score in by_id(found).items():
        places = [b for b in MAP.benchmarks("starter", [name]) if b.alternative_to is None]
        if not places:
            assert score.coverage == 0.0
            continue
        valid = math.fsum(b.weight for b in score.benchmarks if b.valid)
        assert score.coverage == pytest.approx(valid / math.fsum(b.weight for b in places))
        assert (score.value is not None) == (score.coverage >= 0.5)
        assert (score.status is Status.MEASURED) == (score.coverage == 1.0)


@given(outcomes(), st.randoms(use_true_random=False))
@settings(UNTIMED, max_examples=60)
def test_the_order_of_outcomes_and_measurements_does_not_matter(
    found: dict[str, BenchmarkOutcome], random: Random
) -> None:
    shuffled: dict[str, BenchmarkOutcome] = {}
    keys = list(found)
    random.shuffle(keys)
    for key in keys:
        outcome = found[key]
        if outcome.measurements:
            outcome = BenchmarkOutcome.measured(key, outcome.measurements[::-1], run_id=outcome.run_id)
        shuffled[key] = outcome
    assert by_id(shuffled) == by_id(found)


@given(st.sampled_from(ENTRIES), SHARE, SHARE)
@settings(UNTIMED, max_examples=150)
def test_a_better_measurement_never_lowers_a_score(
    entry: catalogue.MappedBenchmark, first: float, second: float
) -> None:
    worse, better = sorted((first, second))
    values = []
    for score in (worse, better):
        raw = min(1.0, max(0.0, raw_for(entry, score)))
        found = all_good(MAP, score=0.5) | {
            entry.key: measured(entry.key, {entry.metric: raw, **passing_guards(entry)})
        }
        value = by_id(found)[entry.requirement.value].value
        assert value is not None
        values.append(value)
    assert values[0] <= values[1] + 1e-12


@given(outcomes())
@settings(UNTIMED, max_examples=60)
def test_taking_a_benchmark_away_never_adds_coverage(found: dict[str, BenchmarkOutcome]) -> None:
    before = by_id(found)
    for key in found:
        after = by_id({k: o for k, o in found.items() if k != key})
        assert all(after[name].coverage <= before[name].coverage + 1e-12 for name in after)


@given(outcomes())
@settings(UNTIMED, max_examples=100)
def test_only_a_whole_score_whose_interval_reaches_the_threshold_passes(found: dict[str, BenchmarkOutcome]) -> None:
    policy = policies.load()
    for score in by_id(found).values():
        judged = verdicts.judge(score, policy)
        assert judged.verdict_reason
        if judged.verdict is Verdict.PASS:
            assert judged.status is Status.MEASURED
            assert judged.interval is not None
            assert judged.interval.low >= judged.thresholds["pass_at"]
        if judged.value is None:
            assert judged.verdict is Verdict.NONE
