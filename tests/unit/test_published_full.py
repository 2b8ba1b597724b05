"""What the full suite asks beyond a screening takes no number from an endpoint that cannot run it."""

import pytest

from domain.measurements import Interval, Measurement, Rates
from domain.scores import RequirementId, RequirementScore, Status
from requirements_map import catalogue, scoring
from requirements_map.outcomes import BenchmarkOutcome

MAP = catalogue.load()
KEYS = {suite: [b.key for b in MAP.benchmarks(suite)] for suite in ("screening", "full")}
OPTIONAL = ("humaneval_sandboxed", "lm_eval:truthfulqa_mc2")


def good(key: str, metric: str) -> BenchmarkOutcome:
    rates = Rates(error=0.0, empty=0.0, truncated=0.0, parse_ok=1.0)
    headline = Measurement(
        benchmark=key,
        metric=metric,
        value=0.9,
        interval=Interval(low=0.85, high=0.95, method="wilson"),
        n=500,
        n_scored=500,
        rates=rates,
    )
    return BenchmarkOutcome.measured(key, (headline,))


def capability(suite: str, *, blocked: tuple[str, ...]) -> RequirementScore:
    entries = [b for b in MAP.benchmarks(suite) if b.requirement is RequirementId.R06]
    outcomes = {
        b.key: BenchmarkOutcome.blocked(b.key, "Not here.") if b.key in blocked else good(b.key, b.metric)
        for b in entries
    }
    return next(s for s in scoring.score(MAP, suite, outcomes) if s.requirement is RequirementId.R06)


@pytest.mark.parametrize("suite", ["screening", "full"])
def test_what_only_some_endpoints_or_operators_can_run_leaves_the_score_of_the_others_whole(suite: str) -> None:
    score = capability(suite, blocked=OPTIONAL)
    assert (score.status, score.coverage) == (Status.MEASURED, 1.0)
    assert {b.benchmark for b in score.benchmarks if not b.valid} == set(OPTIONAL) & set(KEYS[suite])


def test_where_they_can_be_run_they_count() -> None:
    keys = {b.benchmark for b in capability("full", blocked=()).benchmarks if b.valid}
    assert {*OPTIONAL, "ifeval_strict", "mmlu_letters", "arc_letters", "gsm8k_number"} <= keys


def test_the_full_suite_has_all_of_the_screening_and_more() -> None:
    assert set(KEYS["screening"]) < set(KEYS["full"])
    assert {"ifeval_strict", "lm_eval:truthfulqa_mc2"} <= set(KEYS["full"]) - set(KEYS["screening"])
