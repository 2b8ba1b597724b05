"""A benchmark that breaks in its process: a sentence for the reader, the traceback in the log, nothing else lost."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import running

import evaluators
from domain.benchmarks import Benchmark
from domain.errors import CapabilityMissing, InvalidTask
from domain.runs import Run, RunState
from jobs import child, runs
from jobs.context import Context

KEY = "sk-quite-secret-0123456789"


@dataclass(frozen=True, slots=True)
class Breaking:
    """An evaluator whose one benchmark breaks."""

    error: Exception
    name: str = "breaking"

    def benchmarks(self) -> tuple[Benchmark, ...]:
        return (
            Benchmark(
                key="breaks", evaluator=self.name, title="Breaks", description="Breaks.", version="1", task="breaks",
                needs=(frozenset(),), scorer="none", source="own", licence="none",
            ),
        )  # fmt: skip

    def find(self, key: str) -> Benchmark | None:
        return self.benchmarks()[0] if key == "breaks" else None

    def warm(self) -> None:
        return None

    def run(self, benchmark: Benchmark, **options: Any) -> Any:  # noqa: ARG002 - the contract's arguments
        raise self.error

    def measure(self, benchmark: Benchmark, raw: Any) -> tuple[()]:  # noqa: ARG002 - as above
        return ()


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    running.register(opened, "http://127.0.0.1:1/v1")
    yield opened
    opened.store.dispose()


def carried_out(context: Context, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Any:
    monkeypatch.setattr(evaluators, "EVALUATORS", (Breaking(error),))
    plan = runs.plan_run(context, model="fake", tasks=("breaks",))
    run = Run(id="r1", spec=plan.spec, state=RunState.QUEUED, created_by="test", created_at=datetime.now(UTC))
    context.store.create_run(run)
    task = child.Assignment(run_id=run.id, benchmark="breaks", settings=context.settings, api_key=KEY, worker_id="w")
    child._Benchmark(task).carry_out()
    return context.store.run(run.id).benchmarks[0]


def test_an_unforeseen_error_fails_the_benchmark_and_leaves_its_traceback_in_the_log(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = carried_out(context, monkeypatch, ZeroDivisionError(f"division by zero with {KEY}\nsecond line"))
    assert part.state is RunState.FAILED
    assert part.reason.startswith("ZeroDivisionError: division by zero with [hidden]")
    log = next((context.settings.home / "logs").glob("run-*.log"))
    assert str(log) in part.reason
    assert "Traceback" in log.read_text()
    assert KEY not in log.read_text()


def test_what_a_person_can_put_right_is_its_own_sentence(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    part = carried_out(context, monkeypatch, InvalidTask("Line 3 of items.jsonl is not JSON."))
    assert (part.state, part.reason) == (RunState.FAILED, "Line 3 of items.jsonl is not JSON.")


def test_what_the_endpoint_lacks_is_skipped_and_not_failed(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    part = carried_out(context, monkeypatch, CapabilityMissing("It needs images."))
    assert (part.state, part.reason) == (RunState.SKIPPED, "It needs images.")
