"""How the state of a run follows from its benchmarks, and when an outage is more than an error rate."""

import pytest
from fakes import records

from app.console import following
from domain.benchmarks import Tick
from domain.errors import EndpointUnreachable
from domain.runs import BenchmarkRun, RunState
from jobs.child import refuse_outage
from jobs.steps import outcome


def parts(*states: RunState) -> tuple[BenchmarkRun, ...]:
    return tuple(
        BenchmarkRun(run_id="r", benchmark=f"b{i}", state=s, reason="Because." if s is RunState.FAILED else None)
        for i, s in enumerate(states)
    )


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ((RunState.DONE, RunState.DONE), RunState.DONE),
        ((RunState.DONE, RunState.SKIPPED), RunState.DONE),
        ((RunState.DONE, RunState.FAILED), RunState.DONE_WITH_FAILURES),
        ((RunState.FAILED, RunState.FAILED), RunState.FAILED),
        ((RunState.FAILED, RunState.SKIPPED), RunState.FAILED),
        ((RunState.DONE, RunState.QUEUED), RunState.DONE_WITH_FAILURES),
        ((RunState.SKIPPED,), RunState.FAILED),
    ],
)
def test_a_run_is_as_good_as_what_was_started_of_it(states: tuple[RunState, ...], expected: RunState) -> None:
    state, reason = outcome(parts(*states))
    assert state is expected
    assert (reason is None) == (expected is RunState.DONE)


def test_a_failed_run_says_why_its_first_benchmark_failed() -> None:
    assert "Because." in (outcome(parts(RunState.FAILED, RunState.FAILED))[1] or "")


def test_the_command_line_says_each_cause_of_a_failed_run_once() -> None:
    state, reason = outcome(parts(RunState.FAILED, RunState.FAILED))
    run = records.run("endpoint", state=state, reason=reason, benchmarks=parts(RunState.FAILED, RunState.FAILED))
    assert following.why(run) == "Every benchmark that was started failed. Because."


def test_a_few_lost_requests_are_part_of_a_result() -> None:
    refuse_outage(Tick(done=100, total=100, errors={"timeout": 2}))
    refuse_outage(Tick(done=100, total=100, errors={"malformed": 50}))


@pytest.mark.parametrize("errors", [{"connection": 3}, {"malformed": 51}, {"server": 2, "timeout": 1}])
def test_an_outage_is_no_result_and_says_what_happens_next(errors: dict[str, int]) -> None:
    with pytest.raises(EndpointUnreachable, match="same command") as raised:
        refuse_outage(Tick(done=100, total=100, errors=errors))
    for kind, count in errors.items():
        assert f"{kind}: {count}" in raised.value.sentence
