"""Two stored runs compared: refused where they asked differently, and the exit codes and alerts of a regression."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from fakes import running, scheduling, seeded

from app import cli
from domain.benchmarks import Method, RunOptions
from domain.comparison import ChangeTest
from domain.errors import UserError
from domain.runs import Run, RunState
from domain.schedules import AlertKind, AlertState, Health
from domain.scores import RequirementId
from jobs import comparisons, firings, schedules
from jobs.context import Context

NIGHT = scheduling.last_night()
GOOD = {"starter_knowledge": [True] * 90 + [False] * 10}
WORSE = {"starter_knowledge": [True] * 60 + [False] * 40}


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    opened.store.add_endpoint(seeded.endpoint())
    yield opened
    opened.store.dispose()


def run(name: str, *, age_days: int = 0, options: RunOptions | None = None, **spec: object) -> Run:
    made = seeded.run(
        seeded.endpoint(), run_id=name, created_at=NIGHT - timedelta(days=age_days), keys=("starter_knowledge",)
    )
    return replace(made, spec=replace(made.spec, options=options or RunOptions(limit=100), **spec))


@pytest.fixture
def two(context: Context) -> Context:
    """A good run and a worse one of the night after."""
    scheduling.measured_run(context.store, run("aaa", age_days=1), GOOD)
    scheduling.measured_run(context.store, run("bbb"), WORSE)
    return context


def test_a_stored_regression_is_found_with_its_paired_test(two: Context) -> None:
    made = comparisons.compare_runs(two, "aa", "bb")
    (change,) = made.benchmarks
    assert (change.test, change.n_common, change.better, change.worse) == (ChangeTest.MCNEMAR, 100, 0, 30)
    assert change.p_value == pytest.approx(2 * 0.5**30)
    (worse,) = made.regressions
    assert worse.requirement is RequirementId.R06
    assert worse.difference == pytest.approx(-0.3 / 0.75)  # corrected for the chance of one in four
    assert made.warnings == ()


def test_the_same_answers_twice_are_no_change(context: Context) -> None:
    for name, age in (("aaa", 1), ("bbb", 0)):
        scheduling.measured_run(context.store, run(name, age_days=age), GOOD)
    made = comparisons.compare_runs(context, "aaa", "bbb")
    assert made.benchmarks[0].p_adjusted == 1.0
    assert made.regressions == ()
    assert made.headline == "Nothing changed beyond chance in 1 benchmark."


@pytest.mark.parametrize(
    ("changed", "facts", "said"),
    [
        ({"suite": "tasks"}, {}, "the suites differ"),
        ({"map_sha256": "f" * 64}, {}, "the requirements map is another version"),
        ({"options": RunOptions(limit=50)}, {}, "the limits of items differ (100 and 50)"),
        ({"options": RunOptions(limit=100, seed=1)}, {}, "the seeds differ"),
        ({"options": RunOptions(limit=100, system_prompt="Be kind.")}, {}, "the system prompts differ"),
        ({}, {"benchmark_version": "2"}, "starter_knowledge differs in its version (1 and 2)"),
        ({}, {"method": Method.LETTERS_TOP_LOGPROBS}, "the method (generate and letters_top_logprobs)"),
        ({}, {"provenance": {"scorer": "knowledge", "task_sha256": "1" * 64}}, "its task definition"),
    ],
)
def test_runs_that_asked_differently_are_refused_unless_that_is_overridden(
    context: Context, changed: dict[str, object], facts: dict[str, object], said: str
) -> None:
    scheduling.measured_run(context.store, run("aaa", age_days=1), GOOD)
    scheduling.measured_run(context.store, run("bbb", **changed), GOOD, **facts)
    with pytest.raises(comparisons.NotComparable) as refused:
        comparisons.compare_runs(context, "aaa", "bbb")
    assert said in refused.value.sentence
    assert "--override" in refused.value.sentence
    made = comparisons.compare_runs(context, "aaa", "bbb", override=True)
    assert any(said in warning and warning.startswith("Compared although") for warning in made.warnings)


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ({"judge": {"endpoint_id": "j1"}}, {"judge": {"endpoint_id": "j2"}}, "the judge of its answers"),
        ({"detector_threshold": 2.0}, {"detector_threshold": 4.0}, "the threshold of the detector"),
        (
            {"judge": {"endpoint_id": "j1", "name": "justice", "agreement": {"harm": {"low": 0.8}}}},
            {"judge": {"endpoint_id": "j1", "name": "themis", "agreement": {"harm": {"low": 0.9}}}},
            None,
        ),
    ],
)
def test_results_that_another_judge_or_threshold_decided_are_no_change_of_the_model(
    context: Context, one: dict[str, object], two: dict[str, object], said: str | None
) -> None:
    scheduling.measured_run(context.store, run("aaa", age_days=1), GOOD, provenance=one)
    scheduling.measured_run(context.store, run("bbb"), WORSE, provenance=two)
    if said is None:
        assert comparisons.compare_runs(context, "aaa", "bbb").warnings == ()
        return
    with pytest.raises(comparisons.NotComparable, match=said):
        comparisons.compare_runs(context, "aaa", "bbb")


def test_a_run_that_is_not_over_or_is_given_twice_is_refused(two: Context) -> None:
    two.store.set_run_state("bbb", RunState.RUNNING)
    with pytest.raises(UserError, match="Run bbb is running; only finished runs can be compared"):
        comparisons.compare_runs(two, "aaa", "bbb")
    with pytest.raises(UserError, match="given twice"):
        comparisons.compare_runs(two, "aaa", "aa")


def test_two_models_are_compared_with_a_note(context: Context) -> None:
    other = seeded.endpoint("other", number=2)
    context.store.add_endpoint(other)
    scheduling.measured_run(context.store, run("aaa", age_days=1), GOOD)
    scheduling.measured_run(context.store, run("bbb", endpoint_id=other.id), WORSE)
    made = comparisons.compare_runs(context, "aaa", "bbb")
    assert made.warnings == ("Two models are compared: smollm2-135m first, other second.",)


def test_a_policy_may_allow_the_drop(two: Context, tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text('schema: 1\nname: lax\nversion: "1"\nmax_drop: 0.9\nthresholds: {}\n')
    made = comparisons.compare_runs(two, "aaa", "bbb", policy_file=policy)
    assert (made.policy_name, made.max_drop, made.regressions) == ("lax", 0.9, ())
    policy.write_text('schema: 1\nname: lax\nversion: "1"\nmax_drop: 5\nthresholds: {}\n')
    with pytest.raises(UserError, match=r"max_drop is 5, which cannot be used"):
        comparisons.compare_runs(two, "aaa", "bbb", policy_file=policy)


def test_the_command_fails_on_a_regression_only_where_it_was_asked_to(
    two: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["compare", "aaa", "bbb"]) == 0
    shown = capsys.readouterr().out
    assert "▼ " in shown
    assert "exact McNemar test" in shown
    assert cli.main(["compare", "aaa", "bbb", "--fail-on-regression"]) == 1
    assert cli.main(["compare", "bbb", "aaa", "--fail-on-regression"]) == 0
    capsys.readouterr()
    assert cli.main(["compare", "aaa", "bbb", "--fail-on-regression", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["regressions"] == ["R06"]
    assert told["benchmarks"][0]["test"] == "mcnemar_exact"


def test_a_scheduled_run_that_got_worse_is_compared_alerted_and_red(two: Context) -> None:
    of = scheduling.schedule(targets=(scheduling.HOOK,))
    two.store.add_schedule(of)
    two.store.claim_firing(scheduling.firing(of, NIGHT, run_id="bbb", settled_at=None, not_compared=None))
    (open_one,) = firings.to_settle(two)
    assert firings.settle(two, of.id, open_one.due_at) == "done"
    assert firings.settle(two, of.id, open_one.due_at) == "nothing to do"
    (alert,) = two.store.alerts()
    assert (alert.kind, alert.state, alert.target) == (AlertKind.REGRESSION, AlertState.PENDING, scheduling.HOOK)
    assert alert.headline == "The schedule Nightly found a regression: R06."
    status = schedules.status(two, of)
    assert status.health is Health.REGRESSED
    assert status.reason == "Worse than the run before: R06."
    assert status.alerts == (alert,)


def test_a_night_without_usable_answers_is_a_regression_and_not_nothing_to_compare(context: Context) -> None:
    for name, age, right in (("aaa", 1, [True] * 90), ("bbb", 0, [True] * 3)):
        made = run(name, age_days=age, benchmarks=("starter_harm",))
        made = replace(made, benchmarks=())
        scheduling.measured_run(context.store, made, {"starter_harm": right})
    (worse,) = comparisons.compare_runs(context, "aaa", "bbb").regressions
    assert worse.regression == "R12 had the score 100 and can no longer be measured."
