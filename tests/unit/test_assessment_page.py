"""The decision page as data: identity, judged scores, limits, energy and evidence."""

import dataclasses
from datetime import UTC, datetime

import pytest
from fakes.outcomes import all_good, measured

from domain.benchmarks import RunOptions
from domain.endpoints import Capabilities, Endpoint
from domain.energy import EnergyLevel, EnergyReading, EnergyScope
from domain.hashing import canonical_json
from domain.runs import BenchmarkRun, Run, RunSpec, RunState
from domain.scores import Assessment, RequirementId, Verdict
from requirements_map import assessment, catalogue, policies, scoring
from requirements_map.outcomes import BenchmarkOutcome

MAP = catalogue.load()
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ENDPOINT = Endpoint(id="e", name="demo", base_url="http://127.0.0.1:1/v1", model="smollm2", created_at=NOON)
CAPABILITIES = Capabilities(endpoint_id="e", probed_at=NOON, findings=(), served_model="smollm2.gguf", fingerprint="b1")
READING = EnergyReading(
    level=EnergyLevel.CLIENT_ONLY,
    scope=EnergyScope.CLIENT,
    energy_kwh=0.001,
    method="cpu: load",
    tool="codecarbon",
    tool_version="3.3.2",
    host="h",
    seconds_run=10,
    seconds_covered=10,
)


def a_run(run_id: str, parts: tuple[BenchmarkRun, ...], *, limit: int | None = None) -> Run:
    spec = RunSpec(
        endpoint_id="e",
        suite="starter",
        benchmarks=tuple(p.benchmark for p in parts),
        options=RunOptions(limit=limit, seed=7),
        map_sha256=MAP.sha256,
    )
    return Run(id=run_id, spec=spec, state=RunState.DONE, created_by="a", created_at=NOON, benchmarks=parts)


def done(key: str, *, run_id: str = "run-1", population: int = 100) -> BenchmarkRun:
    return BenchmarkRun(
        run_id=run_id,
        benchmark=key,
        state=RunState.DONE,
        raw_sha256=f"{run_id}-{key}",
        population=population,
        energy=dataclasses.replace(READING, host=run_id),
    )


def assessed(
    outcomes: dict[str, BenchmarkOutcome], *runs: Run, capabilities: Capabilities | None = CAPABILITIES
) -> Assessment:
    return assessment.assess(
        scoring.score(MAP, "starter", outcomes),
        assessment_id="a-1",
        created_at=NOON,
        endpoint=ENDPOINT,
        capabilities=capabilities,
        suite="starter",
        runs=runs,
        policy=policies.load(),
        catalogue=MAP,
        tool_versions={"vera": "0.1.0"},
    )


def test_it_names_model_policy_map_runs_evidence_and_energy() -> None:
    found = assessed(all_good(MAP), a_run("run-1", (done("starter_harm"), done("starter_secret"))))
    assert (found.endpoint_name, found.model, found.served_model, found.fingerprint) == (
        "demo",
        "smollm2",
        "smollm2.gguf",
        "b1",
    )
    assert (found.policy_name, found.policy_is_example, found.policy_sha256) == (
        "example",
        True,
        policies.load().sha256,
    )
    assert (found.map_id, found.map_version, found.map_sha256) == (MAP.map_id, MAP.version, MAP.sha256)
    assert found.run_ids == ("run-1",)
    assert found.evidence == {"starter_harm": "run-1-starter_harm", "starter_secret": "run-1-starter_secret"}
    assert found.energy["starter_harm"].energy_kwh == 0.001
    assert found.tool_versions == {"vera": "0.1.0"}


def test_every_score_is_judged_and_the_page_can_be_stored_as_json() -> None:
    found = assessed(all_good(MAP, score=0.97))
    assert len(found.scores) == 18
    assert found.score(RequirementId.R06).verdict is Verdict.PASS
    assert found.score(RequirementId.R06).thresholds == {"pass_at": 0.7, "fail_below": 0.4}
    assert found.score(RequirementId.R03).verdict is Verdict.NONE
    assert canonical_json(found)


def test_no_seeded_part_no_note() -> None:
    assert assessed(all_good(MAP), a_run("run-1", (done("starter_harm"),))).subset_note is None


def test_a_limit_at_or_above_the_size_of_a_benchmark_shortens_nothing() -> None:
    run = a_run("run-1", (done("starter_harm", population=40),), limit=40)
    assert assessed(all_good(MAP), run).subset_note is None


def test_a_limit_that_leaves_no_item_out_shortens_nothing_though_there_are_more_items_than_it() -> None:
    # a limit of canaries counts planted people, beside whom as many others and the control are asked for
    ids = {"sample_ids": [str(number) for number in range(140)]}
    whole = dataclasses.replace(done("starter_harm", population=140), provenance=ids)
    assert assessed(all_good(MAP), a_run("run-1", (whole,), limit=40)).subset_note is None
    part = dataclasses.replace(whole, population=141)
    assert assessed(all_good(MAP), a_run("run-1", (part,), limit=40)).subset_note is not None
    often = dataclasses.replace(whole, provenance={**ids, "samples_per_item": 5})
    assert assessed(all_good(MAP), a_run("run-1", (often,), limit=40)).subset_note is not None


def test_a_seeded_part_is_noted_and_is_a_limitation() -> None:
    every = a_run("run-1", (done("starter_harm"), done("starter_secret")), limit=40)
    found = assessed(all_good(MAP), every)
    assert found.subset_note == (
        "Only a part of each benchmark was asked: at most 40 items each, drawn from all their groups by the seed 7."
    )
    assert found.subset_note in found.limitations
    one = a_run("run-1", (done("starter_harm", population=40), done("starter_secret")), limit=40)
    assert (assessed(all_good(MAP), one).subset_note or "").startswith("Only a part of 1 of the 2 benchmarks was asked")


def test_evidence_and_energy_come_from_the_run_the_score_names() -> None:
    first = a_run("run-1", (done("starter_harm"),))
    second = a_run("run-2", (done("starter_harm", run_id="run-2"),))
    found = assessed(all_good(MAP), first, second)
    assert found.evidence == {"starter_harm": "run-1-starter_harm"}
    assert found.energy["starter_harm"].host == "run-1"


def test_a_later_run_without_answers_does_not_displace_an_earlier_one_with_answers() -> None:
    failed = BenchmarkRun(run_id="run-2", benchmark="starter_harm", state=RunState.FAILED, reason="The disk is full.")
    first, second = a_run("run-1", (done("starter_harm"),)), a_run("run-2", (failed,))
    assert assessed({}, first, second).evidence == {"starter_harm": "run-1-starter_harm"}


def test_the_limitations_say_what_the_scores_do_not_show() -> None:
    text = "\n".join(assessed(all_good(MAP)).limitations)
    for part in (
        "3 of the 12 measurable requirements have no number (R03, R04 and R09)",
        "R12 is covered only in part.",
        "N01, N02, N03, N04, N05 and N06 cannot be measured by any benchmark",
        "The starter suite screens",
        "Contamination cannot be ruled out",
        "one prompt format",
        "the endpoint as it was served",
        "All questions are in English",
        "R12 (lexical classifier): Refusals were recognised by their wording",
        "not a conformity assessment",
    ):
        assert part in text
    assert "which weights it serves" not in text
    assert "stated confidence" not in text


def test_a_limitation_is_only_said_where_it_applies() -> None:
    outcomes = all_good(MAP)
    outcomes["starter_calibration"] = BenchmarkOutcome.blocked("starter_calibration", "No probabilities.")
    outcomes["starter_calibration_verbal"] = measured("starter_calibration_verbal", {"ece": 0.1, "auroc": 0.9})
    outcomes["starter_disclosure"] = measured(
        "starter_disclosure",
        {"truthful_disclosure": 0.9, "truthful_direct": 0.9, "truthful_reverse": 0.9, "control_success": 0.9},
        n=48,
    )
    text = "\n".join(assessed(outcomes, capabilities=None).limitations)
    assert "R07 (stated confidence): " in text
    assert "R08 rests on fewer than 100 independent items" in text
    assert "The server does not tell which weights it serves" in text


def test_an_assessment_of_nothing_is_still_an_assessment_without_numbers() -> None:
    found = assessed({})
    assert found.measured == ()
    assert assessment.headline(found).startswith("Evidence is sufficient for 0 of 12 requirements. Without a number: ")


@pytest.mark.parametrize("score", [0.3, 0.97])
def test_the_same_facts_give_the_same_assessment(score: float) -> None:
    assert assessed(all_good(MAP, score=score)) == assessed(all_good(MAP, score=score))
