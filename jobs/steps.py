"""The steps of a run as a worker carries them out; each can be repeated, because what it did is in the store."""

import logging
import threading
from collections.abc import Callable
from typing import NoReturn, TypeVar

from domain.errors import DatabaseUnusable, UserError
from domain.runs import BenchmarkRun, Run, RunState
from jobs import assessments, child, detectors, logs, runs, secrets
from jobs.context import Context
from jobs.launcher import Ended, Launcher

LOG = logging.getLogger("vera.worker")
#: A process that dies this often without getting further is not started again.
_DEATHS = 3
#: Before a process that died is started again; its machine may recover.
_PAUSE_SECONDS = 1.0
#: Between two attempts to reach a database server.
_OUTAGE_SECONDS = 1.0

_T = TypeVar("_T")


class WorkerStops(BaseException):
    """Leaves a step without a result. Not an Exception: DBOS would record it as the outcome of the run."""


class RunSteps:
    """Carries out the steps of a run; while the worker stops, steps leave without a result."""

    def __init__(
        self,
        context: Context,
        *,
        worker_id: str,
        parallel: int,
        stopping: threading.Event,
        on_problem: Callable[[str], None],
    ) -> None:
        self._context = context
        self._worker_id = worker_id
        self._stopping = stopping
        self._on_problem = on_problem
        self.launcher = Launcher(parallel=parallel)

    def begin(self, run_id: str) -> list[str]:
        """Mark the run as running; the keys of its benchmarks, none of them for a run that is to stop."""
        return self._guarded(run_id, lambda: self._begin(run_id), [])

    def benchmark(self, run_id: str, key: str) -> str:
        """Run one benchmark until it is over; the state it ended in. A process that died goes on where it was."""
        return self._guarded(run_id, lambda: self._benchmark(run_id, key), RunState.FAILED, benchmark=key)

    def finish(self, run_id: str) -> str:
        """Score and assess what there is; the state of the run follows from those of its benchmarks."""
        return self._guarded(run_id, lambda: self._finish(run_id), RunState.FAILED)

    def _begin(self, run_id: str) -> list[str]:
        store = self._context.store
        if not store.start_run(run_id):
            return []
        return [b.benchmark for b in store.run(run_id).benchmarks]

    def _benchmark(self, run_id: str, key: str) -> RunState:
        store, deaths, reached = self._context.store, 0, 0
        while True:
            run = store.run(run_id)
            part = next(b for b in run.benchmarks if b.benchmark == key)
            # Taken over, a run is marked as running here: the step that did so is not repeated.
            if part.state.is_final or not store.start_run(run_id):
                return part.state
            ended = self._one_process(run, key)
            if ended is None or ended.death is None:
                continue
            answered = store.answer_count(run_id)
            deaths, reached = (1, answered) if answered > reached else (deaths + 1, reached)
            if deaths >= _DEATHS:
                store.end_benchmark(run_id, key, RunState.FAILED, self._why_dead(run_id, key, ended, deaths))
            self._stopping.wait(_PAUSE_SECONDS)

    def _why_dead(self, run_id: str, key: str, ended: Ended, deaths: int) -> str:
        """One sentence with what the process said last; what it said before goes to the run's log."""
        reason = f"Its process {ended.death} {deaths} times without getting further"
        if not ended.said:
            return f"{reason}; is there enough memory?"
        file = logs.record_text(self._context.settings, run_id, key, ended.said)
        last = ended.said.splitlines()[-1].strip()[:300]
        return f"{reason}; it said last: {last} (details in {file})"

    def _one_process(self, run: Run, key: str) -> Ended | None:
        """One process of a benchmark and how it ended; None where none could be started for want of its key."""
        settings, store = self._context.settings, self._context.store
        try:
            api_key = self._key_of(run.spec.endpoint_id)
            judge = run.spec.options.judge
            judge_api_key = self._key_of(judge.endpoint_id) if judge and child.needs_judge(key) else None
            detector = detectors.resolved(
                run.spec.options, key, environ=self._context.environ, secrets_file=settings.secrets_file
            )
        except UserError as error:
            store.end_benchmark(run.id, key, RunState.FAILED, error.sentence)
            return None
        ended = self.launcher.run(
            child.Assignment(
                run_id=run.id,
                benchmark=key,
                settings=settings,
                api_key=api_key,
                worker_id=self._worker_id,
                detector=detector,
                judge_api_key=judge_api_key,
            )
        )
        if self._stopping.is_set():
            raise WorkerStops
        if ended.problem:
            raise DatabaseUnusable(ended.problem)
        return ended

    def _key_of(self, endpoint_id: str) -> str | None:
        return secrets.resolve(
            self._context.store.endpoint(endpoint_id).api_key_ref,
            environ=self._context.environ,
            secrets_file=self._context.settings.secrets_file,
        )

    def _finish(self, run_id: str) -> RunState:
        store = self._context.store
        if asked := store.stop_requested(run_id):
            return runs.confirm_stop(self._context, run_id, asked)
        run = store.run(run_id)
        state, reason = outcome(run.benchmarks)
        if assessments.is_assessed(run):
            assessments.assess_run(self._context, run_id)
        store.set_run_state(run_id, state, reason=reason)
        return state

    def _guarded(self, run_id: str, step: Callable[[], _T], failed: _T, *, benchmark: str | None = None) -> _T:
        """A step whose failures end the run with a sentence, or the worker where they are the machine's."""
        try:
            return self._through_outages(step)
        except UserError as error:
            reason = error.sentence
        except Exception as error:  # noqa: BLE001 - a bug in one run must not stay without a trace, nor end others
            file = logs.record_failure(self._context.settings, run_id, "run", error)
            reason = f"{type(error).__name__}: {logs.first_line(error)} (details in {file})"
        self._through_outages(lambda: self._fail(run_id, benchmark, reason))
        return failed

    def _fail(self, run_id: str, benchmark: str | None, reason: str) -> None:
        """What could not be carried out is over: a benchmark left waiting would look like one that was spared."""
        if benchmark is not None:
            self._context.store.end_benchmark(run_id, benchmark, RunState.FAILED, reason)
        else:
            self._context.store.set_run_state(run_id, RunState.FAILED, reason=reason)

    def _through_outages(self, step: Callable[[], _T]) -> _T:
        """A step, repeated when a database server that could not be reached is back; a file's problem stays."""
        while True:
            try:
                return step()
            except DatabaseUnusable as error:
                if not self._context.settings.is_postgres:
                    self._give_up(error.sentence)
                LOG.warning("waiting for the database: %s", error.sentence)
                # Not for ever: a worker that cannot report for long is stopped by its other thread.
                if self._stopping.wait(_OUTAGE_SECONDS):
                    raise WorkerStops from error

    def _give_up(self, sentence: str) -> NoReturn:
        self._on_problem(sentence)
        raise WorkerStops


def outcome(benchmarks: tuple[BenchmarkRun, ...]) -> tuple[RunState, str | None]:
    """State of a run whose benchmarks are over, and its reason in one sentence."""
    failed = [b for b in benchmarks if b.state not in {RunState.DONE, RunState.SKIPPED}]
    done = [b for b in benchmarks if b.state is RunState.DONE]
    if not failed and done:
        return RunState.DONE, None
    if done:
        # How many failed is said wherever the state is shown.
        return RunState.DONE_WITH_FAILURES, "The same evaluation, started again, asks what they lack."
    if failed:
        return RunState.FAILED, f"Every benchmark that was started failed. {failed[0].reason}"
    return RunState.FAILED, "No benchmark of this run could be started on this endpoint."
