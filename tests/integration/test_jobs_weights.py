"""Answers of different weights are never mixed: neither within a run that is gone on with nor within an assessment."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import records, running

from domain.benchmarks import Tick
from domain.errors import UserError
from domain.runs import BenchmarkRun, Run, RunState
from jobs import assessments, child, runs
from jobs.context import Context
from jobs.plans import plan_run

OLD, NEW = {"served_model": "m", "fingerprint": "old"}, {"served_model": "m", "fingerprint": "new"}


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    running.register(opened, "http://127.0.0.1:1/v1")
    yield opened
    opened.store.dispose()


def tell(context: Context, **told: str) -> None:
    """Another probe, which was told this."""
    known = context.store.capabilities("id-fake")
    assert known is not None
    context.store.save_capabilities(replace(known, probed_at=known.probed_at + timedelta(minutes=1), **told))


def start(context: Context) -> Run:
    plan = runs.plan_run(context, model="fake", tasks=["starter_arithmetic"], limit=3)
    return runs.start_run(context, plan, created_by="test")


def test_the_same_weights_probed_again_go_on_with_the_same_run(context: Context) -> None:
    tell(context, **OLD)
    first = start(context)
    context.store.set_run_state(first.id, RunState.CANCELLED)
    tell(context, **OLD)
    assert start(context).id == first.id


def test_after_a_swap_the_same_command_starts_a_new_run(context: Context) -> None:
    tell(context, **OLD)
    first = start(context)
    context.store.set_run_state(first.id, RunState.CANCELLED)
    tell(context, **NEW)
    second = start(context)
    assert second.id != first.id
    assert (first.spec.weights, second.spec.weights) == ("m · old", "m · new")
    # Still the same questions: a schedule compares the runs before and after a swap.
    assert second.spec.identity == first.spec.identity


@pytest.mark.parametrize(
    ("action", "state"), [(runs.resume_run, RunState.CANCELLED), (runs.retry_run, RunState.FAILED)]
)
def test_a_run_of_other_weights_is_not_gone_on_with(context: Context, action: Any, state: RunState) -> None:
    tell(context, **OLD)
    run = start(context)
    context.store.end_benchmark(run.id, "starter_arithmetic", state, "Ended.")
    context.store.set_run_state(run.id, state)
    tell(context, **NEW)
    with pytest.raises(UserError, match=r"told of m · old; now it tells of m · new\. Start the evaluation again"):
        action(context, run.id)


def test_an_interrupted_benchmark_is_not_gone_on_with_after_a_swap(context: Context) -> None:
    tell(context, **OLD)
    run = start(context)
    tell(context, **NEW)
    found = context.store.capabilities("id-fake")
    assert found is not None
    child.refuse_swap(run, "starter_arithmetic", found)  # nothing is answered yet
    context.store.tick(run.id, "starter_arithmetic", Tick(done=1, total=3))
    with pytest.raises(UserError, match=r"begun when the server told of m · old; now it tells of m · new\."):
        child.refuse_swap(context.store.run(run.id), "starter_arithmetic", found)


def test_results_of_other_weights_are_left_out_of_an_assessment_which_says_so(context: Context) -> None:
    tell(context, **OLD)
    store, plan = context.store, runs.plan_run(context, model="fake", limit=3)
    for number, (key, told) in enumerate(
        [("starter_knowledge", OLD), ("starter_hijack", OLD), ("starter_hijack", NEW)]
    ):
        moment = records.MOMENT + timedelta(hours=number)
        run = Run(
            id=f"run-{number}",
            spec=replace(plan.spec, benchmarks=(key,)),
            state=RunState.RUNNING,
            created_by="test",
            created_at=moment,
        )
        store.create_run(run)
        raw = records.raw_result(records.sample(), benchmark=key, provenance=told, finished_at=moment)
        store.finish_benchmark(run.id, raw, None)
    tell(context, fingerprint="newer still")

    made = assessments.assess_run(context, "run-2")

    assert list(made.evidence) == ["starter_hijack"]
    assert (made.run_ids, made.fingerprint) == (("run-2",), "new")
    assert made.limitations[0] == (
        "An earlier result of starter_knowledge is left out: the server told of another model or other weights when it "
        "was asked."
    )


def part(run_id: str, key: str, told: dict[str, str], *, hours: int = 0, **changes: Any) -> BenchmarkRun:
    at = records.MOMENT + timedelta(hours=hours)
    usual = {"state": RunState.DONE, "provenance": told, "finished_at": at}
    return BenchmarkRun(run_id=run_id, benchmark=key, **(usual | changes))


def test_the_latest_benchmark_of_a_mixed_run_decides_whose_weights_count() -> None:
    mixed = records.run("e", "a", "b", benchmarks=(part("r", "a", OLD), part("r", "b", NEW, hours=1)))
    kept, weights, left_out = assessments.of_same_weights([mixed])
    assert [b.benchmark for b in kept[0].benchmarks] == ["b"]
    assert weights == assessments.Weights(**NEW)
    assert left_out is not None
    assert "a is left out" in left_out


def test_nothing_is_said_of_an_earlier_result_that_a_later_one_replaces() -> None:
    earlier = records.run("e", "a", benchmarks=(part("r1", "a", OLD),))
    later = records.run("e", "a", benchmarks=(part("r2", "a", NEW, hours=1),))
    kept, _, left_out = assessments.of_same_weights([earlier, later])
    assert ([len(run.benchmarks) for run in kept], left_out) == ([0, 1], None)


def test_without_any_result_nothing_is_left_out() -> None:
    run = records.run("e", "a", benchmarks=(part("r", "a", {}, state=RunState.FAILED, finished_at=None),))
    assert assessments.of_same_weights([run]) == ([run], None, None)


def test_a_run_that_is_gone_on_with_counts_what_passed_it_meanwhile(context: Context) -> None:
    suite = plan_run(context, model="fake", suite="screening").spec
    for name, key, created, finished in (("passed", "xstest_refusals", 0, 9), ("passing", "advbench_refusals", 2, 3)):
        run = Run(
            id=name,
            spec=replace(suite, benchmarks=(key,)),
            state=RunState.RUNNING,
            created_by="test",
            created_at=records.MOMENT + timedelta(hours=created),
        )
        context.store.create_run(run)
        over = records.MOMENT + timedelta(hours=finished)
        raw = records.raw_result(records.sample(), benchmark=key, finished_at=over, provenance={})
        context.store.finish_benchmark(name, raw, None)
        context.store.save_measurements(name, key, ())
    assert set(assessments.assess_run(context, "passing").evidence) == {"advbench_refusals"}
    assert set(assessments.assess_run(context, "passed").evidence) == {"advbench_refusals", "xstest_refusals"}
