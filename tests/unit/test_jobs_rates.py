"""How long a run takes is told from the model's own runs where there are some, else from its probe."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.endpoints import Capabilities
from domain.runs import BenchmarkRun, Run, RunSpec, RunState
from jobs.rates import rates_of

START = datetime(2026, 11, 1, tzinfo=UTC)
PROBED = Capabilities(
    endpoint_id="e1", probed_at=START, findings=(), prompt_tokens_per_s=100.0, completion_tokens_per_s=10.0
)
PART = BenchmarkRun(
    run_id="r1", benchmark="a", state=RunState.DONE, done=100, total=100, prompt_tokens=900, completion_tokens=100,
    started_at=START, finished_at=START + timedelta(seconds=20),
)  # fmt: skip


def run(*parts: BenchmarkRun) -> Run:
    spec = RunSpec(endpoint_id="e1", suite="starter", benchmarks=("a", "b"), map_sha256="0")
    return Run(id="r1", spec=spec, state=RunState.DONE, created_by="test", created_at=START, benchmarks=parts)


def test_a_benchmark_takes_what_it_took_last_time() -> None:
    slower = replace(PART, finished_at=START + timedelta(seconds=200))
    assert rates_of([run(PART), run(slower)], PROBED).seconds("a", 50, 1, 1) == pytest.approx(10.0)


def test_another_benchmark_takes_what_its_tokens_took_in_others() -> None:
    assert rates_of([run(PART)], PROBED).seconds("b", 1, 400, 100) == pytest.approx(10.0)


@pytest.mark.parametrize(
    "part",
    [
        replace(PART, state=RunState.FAILED),
        replace(PART, reused=5),
        replace(PART, finished_at=None),
        replace(PART, done=3),
    ],
)
def test_without_a_run_that_tells_the_rates_of_the_probe_hold(part: BenchmarkRun) -> None:
    assert rates_of([run(part)], PROBED).seconds("a", 1, 100, 10) == pytest.approx(2.0)


def test_what_nothing_tells_is_not_guessed() -> None:
    assert rates_of([run(PART)], PROBED).seconds("a", None, None, None) is None
    unknown = replace(PROBED, prompt_tokens_per_s=None)
    assert rates_of([], unknown).seconds("a", 1, 1, 1) is None
