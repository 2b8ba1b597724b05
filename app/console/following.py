"""What `vera evaluate` does: plan, start or go on, follow to the end, print."""

import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import TYPE_CHECKING

from app.components.run_progress import spoken_duration
from app.console import listing, progress
from app.console.start import open_here
from domain import words
from domain.errors import RunFailed, UserError
from domain.runs import Priority, Run, RunState
from jobs import endpoints, judges, plans, processes, runs
from jobs.context import Context
from jobs.workers import live_workers, serving

if TYPE_CHECKING:
    from jobs.worker import Worker

INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The arguments of `vera evaluate`."""

    model: str
    suite: str = "starter"
    requirements: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    #: ``TASK=FILE`` each.
    data: tuple[str, ...] = ()
    limit: int | None = None
    seed: int | None = None
    fresh: bool = False
    quick: bool = False
    #: Name of the model that judges the answers of benchmarks which need one.
    judge: str | None = None
    priority: Priority = Priority.NORMAL
    detector: str | None = None
    detector_threshold: float | None = None
    #: Answers to each question of the benchmarks that can use several.
    samples: int = 1


def evaluate(wanted: Wanted, *, as_json: bool) -> int:
    """Evaluate a model; exit code 0, 1 when something of the run failed, 130 when it was stopped."""
    context = open_here()
    wanted = replace(wanted, judge=wanted.judge or usual_judge(context, wanted.model))
    run = run_to_end(context, plan(context, wanted), fresh=wanted.fresh, priority=wanted.priority)
    if run is None:
        return INTERRUPTED
    listing.print_run(context, run, as_json=as_json)
    if run.state is RunState.DONE:
        return 0
    raise RunFailed(f"Run {run.id} is {run.state.value.replace('_', ' ')}: {why(run)}")


def usual_judge(context: Context, model: str) -> str | None:
    """The judge of the settings, but for its own evaluation."""
    usual = context.settings.judge
    if usual is None or judges.is_same_model(context.store.endpoint(usual), context.store.endpoint(model)):
        return None
    return usual


def plan(context: Context, wanted: Wanted) -> plans.Plan:
    """The plan of a run; a model that was never probed is probed first."""
    if wanted.tasks and wanted.requirements:
        raise UserError("Benchmarks are named either by --requirement or by --task, not by both.")
    endpoint = context.store.endpoint(wanted.model)
    if context.store.capabilities(endpoint.id) is None:
        print(f"Asking {endpoint.name} what it can do …", file=sys.stderr)
        endpoints.probe_endpoint(context, endpoint.id)
    else:
        endpoints.refuse_unreachable(context, endpoint)
    planned = plans.plan_run(
        context,
        model=endpoint.id,
        suite=wanted.suite,
        requirements=wanted.requirements,
        tasks=wanted.tasks,
        limit=wanted.limit,
        data_files=data_files(wanted.data),
        seed=wanted.seed,
        quick=wanted.quick,
        detector=wanted.detector,
        detector_threshold=wanted.detector_threshold,
        judge=wanted.judge,
        samples=wanted.samples,
    )
    _tell(planned)
    return planned


def run_to_end(
    context: Context, planned: plans.Plan, *, fresh: bool, priority: Priority = Priority.NORMAL
) -> Run | None:
    """Start or go on with a run and follow it; None when the person stopped it, after saying how to go on."""
    run = started = runs.start_run(context, planned, created_by=processes.account(), fresh=fresh, priority=priority)
    if answered := context.store.answer_count(run.id):
        print(f"Going on with run {run.id}: {answered:,} requests are answered already.", file=sys.stderr)
    own: Worker | None = None
    try:
        with _terminate_as_interrupt(), ExitStack() as stack, progress.bars(planned) as show:
            for run in runs.watch(context, started.id, every_s=0.3, also_unchanged=True):
                show(run)
                if own is None and not serving(context, run):
                    own = stack.enter_context(_worker(context))
                if own is not None and own.problem:
                    raise RunFailed(own.problem)
    except KeyboardInterrupt:
        _say_goodbye(context, run, own_worker=own is not None)
        return None
    return run


def _worker(context: Context) -> "Worker":
    """A worker in this process, for the time this command runs."""
    from jobs.worker import Worker  # noqa: PLC0415 - loads the queue, which commands that follow another worker do without

    return Worker(context, parallel=context.settings.worker_parallel)


def _tell(planned: plans.Plan) -> None:
    benchmarks = words.count_text(len(planned.runnable), "benchmark")
    known = planned.requests is not None
    requests = words.count_text(planned.requests or 0, "request") if known else "an unknown number of requests"
    takes = "" if planned.seconds is None else f", {spoken_duration(planned.seconds)} at the speed the probe saw"
    print(f"{benchmarks}, {requests}{takes}.", file=sys.stderr)
    for benchmark in planned.blocked:
        print(f"Cannot run here: {benchmark.blocked}", file=sys.stderr)


def data_files(given: Sequence[str]) -> dict[str, str]:
    """Task → file of each ``TASK=FILE``."""
    files = {}
    for pair in given:
        task, sign, file = pair.partition("=")
        if not (task and sign and file):
            raise UserError(f"--data takes TASK=FILE, for example arc_challenge=/data/arc.jsonl, not {pair!r}.")
        files[task] = file
    return files


def why(run: Run) -> str:
    """Why a run or parts of it failed, in sentences, each of them once."""
    own = run.reason or ""
    reasons = [b.reason for b in run.benchmarks if b.state is RunState.FAILED and b.reason and b.reason not in own]
    return " ".join(dict.fromkeys([own, *reasons])).strip() or "no reason was recorded."


def _say_goodbye(context: Context, run: Run, *, own_worker: bool) -> None:
    answered = context.store.answer_count(run.id)
    if own_worker or not live_workers(context):
        sentence = f"Stopped. {answered:,} answers of run {run.id} are kept; the same command goes on from there."
    else:
        sentence = f"Run {run.id} goes on in its worker; `vera cancel {shlex.quote(run.id)}` stops it."
    print(f"\nvera: {sentence}", file=sys.stderr)


@contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """SIGTERM inside the block is treated as Ctrl-C: the worker's processes are ended and the run can go on."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
