"""What `vera cancel`, `pause`, `resume` and `retry` do."""

import sys
import time

from app.console.start import open_here
from domain.errors import RunFailed, UserError
from domain.runs import Run, RunState
from jobs import runs
from jobs.context import Context
from jobs.workers import serving

#: A worker looks once a second whether a run is to stop, and ends its requests two seconds later.
_CONFIRM_SECONDS = 15.0


def cancel(run_id: str) -> int:
    """Ask for a run to stop, and wait until it has."""
    context = open_here()
    run = _confirmed(context, runs.cancel_run(context, run_id))
    if run.state is not RunState.CANCELLED:
        raise UserError(f"Run {run.id} is already over: {run.state.value.replace('_', ' ')}.")
    print(f"Run {run.id} is cancelled. {run.reason}")
    return 0


def pause(run_id: str) -> int:
    """Ask for a run to pause, and wait until it has."""
    context = open_here()
    run = _confirmed(context, runs.pause_run(context, run_id))
    if run.state is not RunState.PAUSED:
        raise UserError(f"Run {run.id} was over before it could pause: {run.state.value.replace('_', ' ')}.")
    print(f"Run {run.id} is paused. {run.reason} Next: vera resume {run.id}")
    return 0


def resume(run_id: str) -> None:
    """Queue a paused or cancelled run again."""
    context = open_here()
    _tell(context, runs.resume_run(context, run_id), "goes on")


def retry(run_id: str) -> None:
    """Queue what failed of a run again."""
    context = open_here()
    _tell(context, runs.retry_run(context, run_id), "asks again what failed")


def _tell(context: Context, run: Run, what: str) -> None:
    answered = context.store.answer_count(run.id)
    print(f"Run {run.id} {what}; {answered:,} requests are answered already.")
    if not serving(context, run):
        print("No worker is running; it waits until `vera worker` or `vera serve` does.", file=sys.stderr)


def _confirmed(context: Context, run: Run) -> Run:
    """The run once its worker has confirmed."""
    deadline = time.monotonic() + _CONFIRM_SECONDS
    while run.state in {RunState.CANCELLING, RunState.PAUSING}:
        if time.monotonic() > deadline:
            raise RunFailed(
                f"Run {run.id} is {run.state.value} for {_CONFIRM_SECONDS:.0f} s already; is its worker alive?"
            )
        time.sleep(0.2)
        run = context.store.run(run.id)
    return run
