"""One benchmark of one run, in a process of its own: ask, meter, measure, store.

The process leads a process group, so that it can be ended with all it started, and ends itself when its worker is gone.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from multiprocessing.connection import Connection

import evaluators
from db.store import open_store
from domain.answers import ErrorClass
from domain.benchmarks import RunOptions, ServedJudge, Tick
from domain.endpoints import Capabilities, Endpoint
from domain.energy import EnergyReading
from domain.errors import CapabilityMissing, DatabaseUnusable, EndpointUnreachable, UserError, VeraError
from domain.evidence import Evidence
from domain.runs import Run, RunState
from domain.settings import Settings
from evaluators.energy.meter import Meter
from jobs import judges, logs

#: Between two looks at whether the run is to stop, and two reports of progress.
LOOK_SECONDS = 1.0
#: After that, requests under way get this long before the process ends without them.
_STOP_SECONDS = 1.5

#: Failures that say something of the endpoint and nothing of the question.
_OUTAGE = frozenset(
    {
        ErrorClass.CONNECTION,
        ErrorClass.TIMEOUT,
        ErrorClass.TLS,
        ErrorClass.UNAUTHORISED,
        ErrorClass.NOT_FOUND,
        ErrorClass.RATE_LIMITED,
        ErrorClass.SERVER,
    }
)
#: More than what a valid score bears (the map's limit of errors).
_OUTAGE_SHARE = 0.02
_FAILED_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What a worker hands to the process of one benchmark, through a pipe and never through a file or an argument."""

    run_id: str
    benchmark: str
    settings: Settings
    api_key: str | None = field(repr=False)
    worker_id: str
    #: The operator's detector, its address with what of it is secret.
    detector: str | None = field(default=None, repr=False)
    #: Of the model that judges the answers, where the benchmark needs one.
    judge_api_key: str | None = field(default=None, repr=False)

    @property
    def secrets(self) -> tuple[str | None, ...]:
        """What must not be told or logged."""
        return (self.api_key, self.detector, self.judge_api_key)


class RunStopped(VeraError):
    """The run was cancelled or paused; what was already answered is kept."""


def carry_out(assignment: Assignment, report: Connection) -> None:
    """Body of the process; tells the worker only what could not be written into the database."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs.to_file(assignment.settings, "worker")
    try:
        _Benchmark(assignment).carry_out()
    except DatabaseUnusable as error:
        report.send(error.sentence)


def refuse_outage(tick: Tick) -> None:
    """EndpointUnreachable where so many requests failed that the benchmark says more of the outage than of the model.

    Single failures are part of a result, which counts them; a benchmark that failed is asked again for what is missing.
    """
    failed = sum(tick.errors.values())
    outage = sum(count for kind, count in tick.errors.items() if kind in _OUTAGE)
    if outage <= _OUTAGE_SHARE * tick.total and failed <= _FAILED_SHARE * tick.total:
        return
    kinds = ", ".join(f"{kind.replace('_', ' ')}: {count}" for kind, count in sorted(tick.errors.items()))
    raise EndpointUnreachable(
        f"{failed} of {tick.total} requests got no usable answer ({kinds}); what was answered is kept, and running the "
        "same command again asks only the rest."
    )


def refuse_swap(run: Run, benchmark: str, capabilities: Capabilities) -> None:
    """UserError where a benchmark that was interrupted has answers of other weights than those the server now tells of.

    One that has no answers yet is asked: its result records what answers it.
    """
    answered = any(part.done for part in run.benchmarks if part.benchmark == benchmark)
    if answered and capabilities.weights != run.spec.weights:
        raise UserError(
            f"It was begun when the server told of {run.spec.weights or 'no weights'}; now it tells of "
            f"{capabilities.weights or 'none'}. Start the evaluation again, which asks all of what is served now."
        )


def needs_judge(key: str) -> bool:
    """Whether the answers of a benchmark are judged by another model."""
    return evaluators.find(key)[1].evidence is Evidence.JUDGE


class _Benchmark:
    """A benchmark under way."""

    def __init__(self, assignment: Assignment) -> None:
        self._task = assignment
        self._store = open_store(assignment.settings.store_url, migrate=False)
        self._stop = threading.Event()
        self._last = Tick(done=0, total=0)
        self._told_at = 0.0

    def carry_out(self) -> None:
        watch = threading.Thread(target=self._watch, daemon=True, name="watch")
        watch.start()
        run = self._store.run(self._task.run_id)
        endpoint = self._store.endpoint(run.spec.endpoint_id)
        try:
            self._ask_measure_store(run, endpoint)
        except RunStopped:
            self._stopped()
        except DatabaseUnusable:
            raise
        except UserError as error:
            state = RunState.SKIPPED if isinstance(error, CapabilityMissing) else RunState.FAILED
            self._end(state, logs.scrub(error.sentence, *self._task.secrets))
        except Exception as error:  # noqa: BLE001 - a bug in one benchmark must not end the others of the run
            self._end(RunState.FAILED, self._recorded(error))

    def _ask_measure_store(self, run: Run, endpoint: Endpoint) -> None:
        run_id, key = self._task.run_id, self._task.benchmark
        capabilities = self._store.capabilities(endpoint.id)
        if capabilities is None:
            raise CapabilityMissing(
                f"What {endpoint.name} can do is not known; run `vera models probe {endpoint.name}`."
            )
        refuse_swap(run, key, capabilities)
        judge = self._judge(run)
        self._store.start_benchmark(run_id, key)
        with Meter(same_host=endpoint.is_local, country=self._task.settings.country) as meter:
            raw = evaluators.run(
                key,
                endpoint=endpoint,
                api_key=self._task.api_key,
                capabilities=capabilities,
                options=self._options(run),
                answers=self._store.answers(run_id, key),
                progress=self._note,
                judge=judge,
            )
        refuse_outage(self._last)
        self._store.tick(run_id, key, self._last)
        # Measurements first: what is marked as done has them.
        self._store.save_measurements(run_id, key, evaluators.measure(raw))
        self._store.finish_benchmark(run_id, raw, self._energy(meter.reading))

    def _options(self, run: Run) -> RunOptions:
        """Those of the run, with the detector itself that it names by reference; the worker too must allow programs."""
        options, named = run.spec.options, self._task.detector
        allowed = options.allow_code and self._task.settings.allow_code
        return replace(options, allow_code=allowed, detector=options.detector if named is None else named)

    def _judge(self, run: Run) -> ServedJudge | None:
        chosen = run.spec.options.judge
        if chosen is None or not needs_judge(self._task.benchmark):
            return None
        return judges.served(self._store, chosen, self._task.judge_api_key)

    def _energy(self, reading: Callable[..., EnergyReading]) -> EnergyReading:
        """The meter's reading; answers that an earlier process of this benchmark got are time it did not cover."""
        own = self._last.done - self._last.reused
        return reading(
            prompt_tokens=self._last.prompt_tokens,
            completion_tokens=self._last.completion_tokens,
            share=own / self._last.done if self._last.done else 1.0,
        )

    def _note(self, tick: Tick) -> None:
        """Progress of the benchmark; raising stops it."""
        self._last = tick
        if self._stop.is_set():
            raise RunStopped
        now = time.monotonic()
        if now - self._told_at >= LOOK_SECONDS:
            self._told_at = now
            self._store.tick(self._task.run_id, self._task.benchmark, tick)

    def _stopped(self) -> None:
        reason = f"after {self._last.done} of {self._last.total} requests."
        if self._store.stop_requested(self._task.run_id) is RunState.PAUSING:
            self._end(RunState.PAUSED, f"Paused {reason}")
        else:
            self._end(RunState.CANCELLED, f"Cancelled {reason}")

    def _end(self, state: RunState, reason: str) -> None:
        self._store.tick(self._task.run_id, self._task.benchmark, self._last)
        self._store.end_benchmark(self._task.run_id, self._task.benchmark, state, reason)

    def _recorded(self, error: Exception) -> str:
        keys = self._task.secrets
        file = logs.record_failure(self._task.settings, self._task.run_id, self._task.benchmark, error, *keys)
        return f"{type(error).__name__}: {logs.first_line(error, *keys)} (details in {file})"

    def _watch(self) -> None:
        """End this process group when its worker is gone or replaced, or when its run is to stop and does not."""
        parent = multiprocessing.parent_process()
        if parent is None:
            # Carried out in somebody's own process, which is not ours to end.
            return
        sentinels = [parent.sentinel]
        while not self._stop.is_set():
            if connection.wait(sentinels, timeout=LOOK_SECONDS):
                os.killpg(0, signal.SIGKILL)
            try:
                if not self._store.is_known_worker(self._task.worker_id):
                    # Cut off for too long: another worker asks the rest.
                    os.killpg(0, signal.SIGKILL)
                if self._store.stop_requested(self._task.run_id):
                    self._stop.set()
            except DatabaseUnusable:
                # The next write of an answer says so in the main thread, which can report it.
                continue
        connection.wait(sentinels, timeout=_STOP_SECONDS)
        os.killpg(0, signal.SIGKILL)
