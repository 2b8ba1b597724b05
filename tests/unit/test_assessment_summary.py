"""What a reader is told first."""

from datetime import UTC, datetime

import pytest
from fakes.outcomes import all_good, measured, raw_for

from domain.endpoints import Endpoint
from domain.scores import Assessment, RequirementId, Verdict
from requirements_map import assessment, catalogue, policies, scoring, summary
from requirements_map.outcomes import BenchmarkOutcome

MAP = catalogue.load()
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def assessed(outcomes: dict[str, BenchmarkOutcome]) -> Assessment:
    return assessment.assess(
        scoring.score(MAP, "starter", outcomes),
        assessment_id="a-1",
        created_at=NOON,
        endpoint=Endpoint(id="e", name="demo", base_url="http://127.0.0.1:1/v1", model="m", created_at=NOON),
        capabilities=None,
        suite="starter",
        runs=(),
        policy=policies.load(),
        catalogue=MAP,
    )


def with_score(requirement: str, score: float, **changes: float) -> dict[str, BenchmarkOutcome]:
    outcomes = all_good(MAP, score=0.97)
    for entry in MAP.benchmarks("starter", [requirement]):
        if entry.key in outcomes:
            values = {m.metric: m.value for m in outcomes[entry.key].measurements} | {
                entry.metric: raw_for(entry, score)
            }
            outcomes[entry.key] = measured(entry.key, values, **changes)
    return outcomes


def test_the_headline_counts_verdicts_and_gaps_and_names_them() -> None:
    outcomes = with_score("R02", 0.4)
    outcomes["starter_decisions"] = measured("starter_decisions", {"parity": 1.0})
    assert assessment.headline(assessed(outcomes)) == (
        "Evidence is sufficient for 8 of 12 requirements, 1 of them in part. "
        "By the example policy, 1 fails (R02), 1 needs attention (R12) and 6 pass (R01, R05, R06, R07, R08, R10). "
        "Without a number: 1 has too little valid evidence (R11), 2 need evidence (R03, R09) "
        "and 1 was not run (R04)."
    )


def test_a_principle_has_a_mean_only_with_all_its_measurable_requirements() -> None:
    found = {p.id: p for p in summary.principles(MAP, assessed(all_good(MAP, score=0.8)).scores)}
    assert found["P2"].value == pytest.approx(0.8)
    assert (found["P3"].value, found["P3"].reason) == (None, "1 of 3 requirements measured")
    assert (found["P4"].value, found["P4"].reason) == (None, "3 of 4 requirements measured")
    assert (found["P1"].measured, found["P1"].measurable) == (0, 0)
    assert "no technical requirement at model level" in (found["P1"].reason or "")
    assert all((p.value is None) != (p.reason is None) for p in found.values())


def test_the_lowest_score_is_named() -> None:
    found = summary.lowest(assessed(with_score("R10", 0.2)).scores)
    assert found is not None
    assert found.requirement is RequirementId.R10
    assert summary.lowest(assessed({}).scores) is None


def test_the_weakest_evidence_is_the_least_covered_and_then_the_widest() -> None:
    partial = summary.weakest_evidence(assessed(with_score("R08", 0.9, half_width=0.2)).scores)
    assert partial is not None
    assert partial.requirement is RequirementId.R12
    outcomes = with_score("R08", 0.9, half_width=0.2)
    del outcomes["starter_harm"]
    widest = summary.weakest_evidence(assessed(outcomes).scores)
    assert widest is not None
    assert widest.requirement is RequirementId.R08
    assert summary.weakest_evidence(assessed({}).scores) is None


def test_a_requirement_without_a_threshold_has_no_verdict() -> None:
    lenient = policies.parse(b'schema: 1\nname: own\nversion: "1"\nthresholds: {}\n', name="own.yaml")
    found = assessment.assess(
        scoring.score(MAP, "starter", all_good(MAP)),
        assessment_id="a-1",
        created_at=NOON,
        endpoint=Endpoint(id="e", name="demo", base_url="http://127.0.0.1:1/v1", model="m", created_at=NOON),
        capabilities=None,
        suite="starter",
        runs=(),
        policy=lenient,
        catalogue=MAP,
    )
    assert {s.verdict for s in found.scores} == {Verdict.NONE}
    assert "By the policy own, 9 have no threshold (R01, " in assessment.headline(found)
