"""Runs: planned, started or picked up again, cancelled, watched."""

import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime

from domain.errors import CapabilityMissing, UserError
from domain.runs import BenchmarkRun, Run, RunState
from jobs import queue
from jobs.context import Context
from jobs.plans import Plan, PlannedBenchmark, plan_run
from jobs.workers import live_workers

__all__ = ["Plan", "PlannedBenchmark", "cancel_run", "plan_run", "settle_orphans", "start_run", "watch"]

#: A run of the same identity in one of these states is gone on with; one that is done is history.
_TO_GO_ON = frozenset(RunState) - {RunState.DONE, RunState.SKIPPED}
_MOVING = frozenset({RunState.QUEUED, RunState.RUNNING})


def start_run(context: Context, plan: Plan, *, created_by: str, fresh: bool = False, run_id: str | None = None) -> Run:
    """Queue a run, or go on with the unfinished one of the same identity; calling it twice starts nothing twice.

    A fresh run with an id of the caller's own is made once, however often it is asked for.
    """
    refuse_empty(plan)
    run = None if fresh else context.store.unfinished_run(plan.spec.identity, states=_TO_GO_ON)
    if run is None:
        run = _new_run(plan, created_by, run_id or uuid.uuid4().hex[:12])
        context.store.create_run(run)
    elif run.state is RunState.CANCELLING:
        raise UserError(f"Run {run.id} is being cancelled; start it again in a few seconds.")
    elif run.state not in _MOVING:
        _queue_again(context, run, plan)
    queue.enqueue(context.settings, run)
    return context.store.run(run.id)


def cancel_run(context: Context, run_id: str) -> Run:
    """Ask for a run to stop; what was answered is kept. A run that is over already is returned as it is."""
    run = context.store.run(run_id)
    if not context.store.request_cancel(run.id):
        return run
    nobody_runs_it = not live_workers(context)
    if queue.withdraw(context.settings, run.id, started_too=nobody_runs_it) or nobody_runs_it:
        confirm_cancelled(context, run.id)
    return context.store.run(run.id)


def confirm_cancelled(context: Context, run_id: str) -> None:
    """Mark a run and what it had not finished as cancelled, saying how far it came."""
    run = context.store.run(run_id)
    for benchmark in run.benchmarks:
        if not benchmark.state.is_final:
            reason = (
                f"Cancelled after {benchmark.done} of {benchmark.total} requests." if benchmark.total else "Cancelled."
            )
            context.store.end_benchmark(run.id, benchmark.benchmark, RunState.CANCELLED, reason)
    finished = sum(b.state is RunState.DONE for b in run.benchmarks)
    reason = f"Cancelled with {finished} of {len(run.benchmarks)} benchmarks finished and {run.done} requests answered."
    context.store.set_run_state(run.id, RunState.CANCELLED, reason=reason)


def settle_orphans(context: Context) -> None:
    """Show runs as interrupted when no worker is left that could be at work on them."""
    if live_workers(context):
        return
    for run in context.store.runs(states={RunState.RUNNING, RunState.CANCELLING}, limit=1000):
        if run.state is RunState.CANCELLING:
            confirm_cancelled(context, run.id)
        else:
            interrupt(context, run)


def interrupt(context: Context, run: Run) -> None:
    """Mark a run whose worker is gone; it goes on from the last stored answer when a worker is back."""
    for benchmark in run.benchmarks:
        if benchmark.state is RunState.RUNNING:
            context.store.end_benchmark(run.id, benchmark.benchmark, RunState.INTERRUPTED, None)
    reason = "Its worker stopped; it goes on from the last stored answer when a worker runs."
    context.store.set_run_state(run.id, RunState.INTERRUPTED, reason=reason)


def watch(context: Context, run_id: str, *, every_s: float = 0.5, also_unchanged: bool = False) -> Iterator[Run]:
    """The run as it is now and after each change, until it is over; at every look where that is asked for."""
    last: Run | None = None
    while True:
        run = context.store.run(run_id)
        if also_unchanged or run != last:
            yield run
            last = run
        if run.state.is_final:
            return
        time.sleep(every_s)


def refuse_empty(plan: Plan) -> None:
    """CapabilityMissing, with the reasons, where nothing of a plan can run."""
    if not plan.runnable:
        reasons = " ".join(dict.fromkeys(b.blocked for b in plan.blocked if b.blocked))
        raise CapabilityMissing(f"Nothing of this can run on {plan.endpoint.name}. {reasons}")


def _new_run(plan: Plan, created_by: str, run_id: str) -> Run:
    return Run(
        id=run_id,
        spec=plan.spec,
        state=RunState.QUEUED,
        created_by=created_by,
        created_at=datetime.now(UTC),
        benchmarks=tuple(
            BenchmarkRun(run_id=run_id, benchmark=b.key, state=_first_state(b), reason=b.blocked)
            for b in plan.benchmarks
        ),
    )


def _queue_again(context: Context, run: Run, plan: Plan) -> None:
    """Everything that did not finish is queued once more; a probe since then may have unblocked a benchmark."""
    finished = {b.benchmark for b in run.benchmarks if b.state is RunState.DONE}
    for planned in plan.benchmarks:
        if planned.key not in finished:
            context.store.end_benchmark(run.id, planned.key, _first_state(planned), planned.blocked)
    context.store.set_run_state(run.id, RunState.QUEUED)


def _first_state(planned: PlannedBenchmark) -> RunState:
    return RunState.QUEUED if planned.blocked is None else RunState.SKIPPED
