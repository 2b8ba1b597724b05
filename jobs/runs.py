"""Runs: planned, started or picked up again, paused, cancelled, retried, watched."""

import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import evaluators
from domain.errors import CapabilityMissing, UserError
from domain.hashing import sha256_of
from domain.runs import BenchmarkRun, Priority, Run, RunState
from jobs import queue
from jobs.context import Context
from jobs.plans import Plan, PlannedBenchmark, plan_run, why_blocked
from jobs.workers import live_workers

__all__ = ["Plan", "PlannedBenchmark", "cancel_run", "pause_run", "plan_run", "resume_run", "retry_run", "start_run"]

#: A run of the same identity in one of these states is gone on with; one that is done is history.
_TO_GO_ON = frozenset(RunState) - {RunState.DONE, RunState.SKIPPED}
_MOVING = frozenset({RunState.QUEUED, RunState.RUNNING})
_STOPPING = frozenset({RunState.CANCELLING, RunState.PAUSING})
#: What was asked for → the state that confirms it, and the word for it.
_STOPPED = {RunState.CANCELLING: (RunState.CANCELLED, "Cancelled"), RunState.PAUSING: (RunState.PAUSED, "Paused")}


def start_run(
    context: Context,
    plan: Plan,
    *,
    created_by: str,
    fresh: bool = False,
    run_id: str | None = None,
    priority: Priority = Priority.NORMAL,
) -> Run:
    """Queue a run, or go on with the unfinished one of the same identity and weights; calling it twice is no harm.

    A fresh run with an id of the caller's own is made once, however often it is asked for. The priority is that of a
    new run; one that is gone on with keeps its own.
    """
    refuse_empty(plan)
    next_id = run_id or _next_id(context, plan)  # before the look for a run that another caller may be making
    run = None if fresh else context.store.unfinished_run(plan.spec.identity, states=_TO_GO_ON)
    if run is None or run.spec.weights != plan.spec.weights:  # answers of other weights are not gone on with
        run = _new_run(plan, created_by, next_id, priority)
        context.store.create_run(run)
        queue.enqueue_new(context.settings, run, plan.endpoint)
        return run if run_id is None else context.store.run(run.id)
    if run.state in _STOPPING:
        raise UserError(f"Run {run.id} is {run.state.value}; start it again in a few seconds.")
    if run.state not in _MOVING:
        _queue_again(context, run, {b.key: b.blocked for b in plan.benchmarks})
    queue.enqueue(context, run)
    return context.store.run(run.id)


def _next_id(context: Context, plan: Plan) -> str:
    """Id of the run after the latest of this identity: two callers at the same time make the same run."""
    identity = plan.spec.identity
    return sha256_of([identity, context.store.latest_run_id(identity)])[:12]


def cancel_run(context: Context, run_id: str) -> Run:
    """Ask for a run to stop; what was answered is kept. A run that is over already is returned as it is."""
    run = context.store.run(run_id)
    return _stop(context, run, RunState.CANCELLING) if context.store.request_cancel(run.id) else run


def pause_run(context: Context, run_id: str) -> Run:
    """Ask for a run to leave its place at the endpoint to others; what was answered is kept."""
    run = context.store.run(run_id)
    if run.state is RunState.PAUSED:
        return run
    if not context.store.request_pause(run.id):
        state = context.store.run(run.id).state
        raise UserError(f"Run {run.id} cannot be paused: it is {_words(state)}.")
    return _stop(context, run, RunState.PAUSING)


def resume_run(context: Context, run_id: str) -> Run:
    """Go on with a run that was paused or cancelled, from its stored answers, behind the others of its endpoint."""
    run = context.store.run(run_id)
    _refuse_imported(run)
    if run.state in _MOVING or run.state is RunState.INTERRUPTED:
        return run
    if run.state in {RunState.FAILED, RunState.DONE_WITH_FAILURES}:
        raise UserError(f"Run {run.id} is {_words(run.state)}; `vera retry {run.id}` asks what failed once more.")
    if run.state not in {RunState.PAUSED, RunState.CANCELLED}:
        raise UserError(f"Run {run.id} cannot be resumed: it is {_words(run.state)}.")
    _refuse_other_weights(context, run)
    unfinished = [b for b in run.benchmarks if b.state in {RunState.PAUSED, RunState.CANCELLED, RunState.QUEUED}]
    return _go_on(context, run, {b.benchmark: None for b in unfinished})


def retry_run(context: Context, run_id: str) -> Run:
    """Ask once more what failed or could not run; what is answered is not asked again, finished benchmarks stay."""
    run = context.store.run(run_id)
    _refuse_imported(run)
    if not run.state.is_final:
        raise UserError(f"Run {run.id} is {_words(run.state)}; only what is over can be retried.")
    failed = [b.benchmark for b in run.benchmarks if b.state in {RunState.FAILED, RunState.SKIPPED}]
    if not failed:
        raise UserError(f"Nothing of run {run.id} failed; it is {_words(run.state)}.")
    _refuse_other_weights(context, run)
    blocked = {key: _blocked(context, run, key) for key in failed}
    if all(blocked.values()):
        raise CapabilityMissing(" ".join(dict.fromkeys(reason for reason in blocked.values() if reason)))
    return _go_on(context, run, blocked)


def _stop(context: Context, run: Run, asked: RunState) -> Run:
    """Confirm a request to stop where no worker is at work on the run; otherwise its worker does."""
    nobody_runs_it = (
        run.state is RunState.PAUSED or not live_workers(context) or not queue.knows(context.settings, run.id)
    )
    if queue.withdraw(context.settings, run.id, started_too=nobody_runs_it) or nobody_runs_it:
        confirm_stop(context, run.id, asked)
    return context.store.run(run.id)


def confirm_stop(context: Context, run_id: str, asked: RunState) -> RunState:
    """Mark a run and what it had not finished as cancelled or paused, saying how far it came."""
    run = context.store.run(run_id)
    state, word = _STOPPED[asked]
    for part in run.benchmarks:
        # What a paused run had not begun goes on waiting.
        if not part.state.is_final and (state is RunState.CANCELLED or part.state is not RunState.QUEUED):
            reason = f"{word} after {part.done} of {part.total} requests." if part.total else f"{word}."
            context.store.end_benchmark(run.id, part.benchmark, state, reason)
    finished = sum(b.state is RunState.DONE for b in run.benchmarks)
    reason = f"{word} with {finished} of {len(run.benchmarks)} benchmarks finished and {run.done} requests answered."
    context.store.set_run_state(run.id, state, reason=reason)
    return state


def settle_orphans(context: Context) -> None:
    """Show runs as interrupted when no worker is left that could be at work on them."""
    if live_workers(context):
        return
    for run in context.store.runs(states={RunState.RUNNING, *_STOPPING}, limit=1000):
        if run.state in _STOPPING:
            confirm_stop(context, run.id, run.state)
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
    """The run as it is now and after each change, until it is over or paused; at every look where that is asked for."""
    last: Run | None = None
    while True:
        run = context.store.run(run_id)
        if also_unchanged or run != last:
            yield run
            last = run
        if run.state.is_at_rest:
            return
        time.sleep(every_s)


def refuse_empty(plan: Plan) -> None:
    """CapabilityMissing, with the reasons, where nothing of a plan can run."""
    if not plan.runnable:
        reasons = " ".join(dict.fromkeys(b.blocked for b in plan.blocked if b.blocked))
        raise CapabilityMissing(f"Nothing of this can run on {plan.endpoint.name}. {reasons}")


def _new_run(plan: Plan, created_by: str, run_id: str, priority: Priority) -> Run:
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
        priority=priority,
    )


def _queue_again(context: Context, run: Run, blocked: Mapping[str, str | None]) -> None:
    """Queue these benchmarks once more, except what is finished; a probe since then may have unblocked one."""
    finished = {b.benchmark for b in run.benchmarks if b.state is RunState.DONE}
    for key, reason in blocked.items():
        if key not in finished:
            state = RunState.QUEUED if reason is None else RunState.SKIPPED
            context.store.end_benchmark(run.id, key, state, reason)
    context.store.set_run_state(run.id, RunState.QUEUED)


def _go_on(context: Context, run: Run, blocked: Mapping[str, str | None]) -> Run:
    _queue_again(context, run, blocked)
    queue.enqueue(context, run)
    return context.store.run(run.id)


def _refuse_imported(run: Run) -> None:
    if run.is_imported:
        raise UserError(f"Run {run.id} was imported: there is no model that could be asked again.")


def _refuse_other_weights(context: Context, run: Run) -> None:
    """UserError where the latest probe was told of other weights than those that gave the run's answers."""
    found = context.store.capabilities(run.spec.endpoint_id)
    if found is not None and found.weights != run.spec.weights:
        raise UserError(
            f"Run {run.id} was planned when the server told of {run.spec.weights or 'no weights'}; now it tells of "
            f"{found.weights or 'none'}. Start the evaluation again, which asks everything of what is served now."
        )


def _blocked(context: Context, run: Run, key: str) -> str | None:
    """Why a benchmark cannot run on the endpoint as it was probed last; None when it can."""
    capabilities = context.store.capabilities(run.spec.endpoint_id)
    if capabilities is None:
        return "What the model can do is not known; probe it first."
    benchmark = evaluators.find(key, tasks_dir=context.settings.tasks_dir)[1]
    return why_blocked(benchmark, capabilities, run.spec.options)


def _words(state: RunState) -> str:
    return state.value.replace("_", " ")


def _first_state(planned: PlannedBenchmark) -> RunState:
    return RunState.QUEUED if planned.blocked is None else RunState.SKIPPED
