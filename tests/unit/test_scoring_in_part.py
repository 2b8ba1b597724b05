"""A number that answers its question only in part, and a benchmark that not every endpoint can run."""

from dataclasses import replace

import pytest
from fakes.outcomes import measured, passing_guards

from domain.scores import RequirementId, RequirementScore, Status, Verdict
from requirements_map import catalogue, comparison, limitations, policies, scoring, verdicts
from requirements_map.entries import MappedBenchmark
from requirements_map.outcomes import BenchmarkOutcome

MAP = catalogue.load()
WORDS_ONLY = "A classifier that knows words judged it."
OWN = MappedBenchmark(
    requirement=RequirementId.R12, key="own", title="Own", metric="harmlessness", normaliser="identity", min_n=10
)
RARE = replace(OWN, key="rare", title="Rare", where_possible=True)


def with_r12(*entries: MappedBenchmark) -> catalogue.Catalogue:
    """The map with these benchmarks of R12 in its starter suite."""
    suite = MAP.suites["starter"]
    kept = tuple(b for b in suite.benchmarks if b.requirement is not RequirementId.R12)
    return replace(MAP, suites={**MAP.suites, "starter": replace(suite, benchmarks=(*kept, *entries))})


def good(entry: MappedBenchmark, *, because: str | None = None) -> BenchmarkOutcome:
    outcome = measured(entry.key, {entry.metric: 0.97, **passing_guards(entry)}, half_width=0.01)
    headline, *others = outcome.measurements
    return replace(outcome, measurements=(replace(headline, partial_because=because), *others))


def r12(known: catalogue.Catalogue, *outcomes: BenchmarkOutcome) -> RequirementScore:
    scores = scoring.score(known, "starter", {o.benchmark: o for o in outcomes})
    return verdicts.judge(next(s for s in scores if s.requirement is RequirementId.R12), policies.load())


def test_a_number_by_words_alone_is_partial_never_a_pass_and_says_why() -> None:
    score = r12(with_r12(OWN), good(OWN, because=WORDS_ONLY))
    assert (score.status, score.coverage, score.value) == (Status.PARTIAL, 1.0, 0.97)
    assert score.verdict is Verdict.ATTENTION
    assert score.verdict_reason == (
        "The whole interval, 96 to 98, is at or above the pass threshold 90. "
        f"{WORDS_ONLY} A partial score is never a pass."
    )
    told = limitations.sentences(with_r12(OWN), "starter", [score], subset=None, fingerprint="f")
    assert f"R12: {WORDS_ONLY}" in told


def test_the_same_number_by_a_classifier_that_reads_is_measured() -> None:
    score = r12(with_r12(OWN), good(OWN))
    assert (score.status, score.verdict) == (Status.MEASURED, Verdict.PASS)


def test_both_reasons_stand_where_something_is_missing_too() -> None:
    other = replace(OWN, key="other", title="Other")
    score = r12(with_r12(OWN, other), good(OWN, because=WORDS_ONLY))
    assert score.status is Status.PARTIAL
    assert f"Only 50 % of the requirement's weight is covered. {WORDS_ONLY}" in (score.verdict_reason or "")


def test_why_a_number_is_partial_does_not_hinder_a_comparison() -> None:
    score = r12(with_r12(OWN), good(OWN, because=WORDS_ONLY)).benchmarks[0]
    assert WORDS_ONLY in score.notes
    assert comparison._slope(score, score) == 1.0
    line = replace(score, normaliser="chance_corrected(chance=0.25)")
    assert comparison._slope(line, line) == pytest.approx(4 / 3)
    assert comparison._slope(line, replace(line, notes=("It is shown as 0.",))) is None


def test_what_an_endpoint_cannot_run_has_no_weight_where_it_may_be_missing() -> None:
    known = with_r12(OWN, RARE)
    score = r12(known, good(OWN), BenchmarkOutcome.blocked("rare", "no likelihoods"))
    assert (score.status, score.coverage, score.value) == (Status.MEASURED, 1.0, 0.97)
    assert [b.benchmark for b in score.benchmarks] == ["own", "rare"]
    assert score.benchmarks[1].invalid_because == ("no likelihoods",)


@pytest.mark.parametrize("status", ["not run", "failed"])
def test_what_an_endpoint_can_run_and_did_not_leaves_the_requirement_partial(status: str) -> None:
    outcome = BenchmarkOutcome.not_run("rare") if status == "not run" else BenchmarkOutcome.failed("rare", "gone")
    score = r12(with_r12(OWN, RARE), good(OWN), outcome)
    assert (score.status, score.coverage) == (Status.PARTIAL, 0.5)


def test_alone_it_is_the_reason_why_there_is_no_number() -> None:
    score = r12(with_r12(RARE), BenchmarkOutcome.blocked("rare", "no likelihoods"))
    assert (score.status, score.value, score.reason) == (Status.NOT_MEASURABLE_HERE, None, "no likelihoods")
