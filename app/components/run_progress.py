"""A run as a reader follows it: how far, how fast, how long still, what went wrong and what to do about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from domain import words
from domain.answers import ErrorClass
from domain.runs import BenchmarkRun, Run, RunState

STATE_WORDS: dict[RunState, tuple[str, str, str]] = {
    # sign, word and tone of each state
    RunState.QUEUED: ("…", "waiting", "mute"),
    RunState.RUNNING: ("▶", "running", "open"),
    RunState.CANCELLING: ("■", "cancelling", "warn"),
    RunState.CANCELLED: ("■", "cancelled", "mute"),
    RunState.PAUSING: ("‖", "pausing", "warn"),
    RunState.PAUSED: ("‖", "paused", "mute"),
    RunState.INTERRUPTED: ("◌", "interrupted", "warn"),
    RunState.DONE: ("✔", "done", "good"),
    RunState.DONE_WITH_FAILURES: ("▲", "done, with failures", "warn"),
    RunState.FAILED: ("⚠", "failed", "bad"),
    RunState.SKIPPED: ("⊘", "cannot run here", "mute"),
}

ERROR_WORDS: dict[str, tuple[str, str]] = {
    # what happened, and what a person can do
    ErrorClass.CONNECTION: ("no connection", "Check that the model server is running and can be reached."),
    ErrorClass.TIMEOUT: ("no answer in time", "Raise the time limit of the model or lower its requests at a time."),
    ErrorClass.TLS: ("certificate not accepted", "Have the certificate of the model server checked."),
    ErrorClass.UNAUTHORISED: ("key not accepted", "Check the key that the model's entry names."),
    ErrorClass.NOT_FOUND: ("address or model name not known to the server", "Check both on the Models page."),
    ErrorClass.RATE_LIMITED: ("too many requests for the server", "Lower the requests at a time of the model."),
    ErrorClass.BAD_REQUEST: ("request refused by the server", "Look at one of them; the server says why."),
    ErrorClass.SERVER: ("error of the server", "Look at the log of the model server."),
    ErrorClass.MALFORMED: ("answer without usable content", "Look at one of them, then at the model server."),
    ErrorClass.LOGPROBS: ("probabilities missing or wrong", "Probe the model again on the Models page."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Speed of a run so far and what follows from it."""

    #: Requests counted or estimated so far.
    total: int
    #: Requests asked per second since the start, answers of an earlier attempt not counted; None before the first.
    requests_per_s: float | None
    #: None while not all benchmarks have counted their requests, or before the first answer.
    seconds_left: float | None
    #: Share of the planned requests, in [0, 1].
    share: float


def pace(run: Run, *, now: datetime, planned: Mapping[str, int], recent_rate: float | None = None) -> Pace:
    """How fast the run goes. `planned` holds the requests that were estimated per benchmark before the start.

    Benchmarks count their requests when they start; until then the estimate stands in for the count. A recent rate
    takes the place of that since the start, which counts interruptions as well.
    """
    totals = [_expected(b, planned) for b in run.benchmarks]
    total = sum(t for t in totals if t is not None)
    asked = run.done - sum(b.reused for b in run.benchmarks)
    elapsed = ((run.finished_at or now) - run.started_at).total_seconds() if run.started_at else 0.0
    rate = recent_rate or (asked / elapsed if asked > 0 and elapsed > 0 else None)
    knowable = None not in totals and not run.state.is_at_rest
    return Pace(
        total=max(total, run.done),
        requests_per_s=rate,
        seconds_left=max(total - run.done, 0) / rate if rate and knowable else None,
        share=1.0 if run.state is RunState.DONE else min(run.done / total, 1.0) if total else 0.0,
    )


def _expected(benchmark: BenchmarkRun, planned: Mapping[str, int]) -> int | None:
    """Requests of one benchmark; None while neither it nor the estimate can tell."""
    if benchmark.total or benchmark.state in {RunState.DONE, RunState.SKIPPED}:
        return max(benchmark.total, benchmark.done)
    return planned.get(benchmark.benchmark, benchmark.done if benchmark.state.is_final else None)


def spoken_duration(seconds: float) -> str:
    """A duration as one says it.

    >>> spoken_duration(42), spoken_duration(660), spoken_duration(9000)
    ('less than a minute', '11 min', '2 h 30 min')
    """
    minutes = round(seconds / 60)
    if seconds < 60:
        return "less than a minute"
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def headline(run: Run, speed: Pace) -> str:
    """One line above the bar: counts, speed, time left, errors."""
    about = "" if run.total >= speed.total else "about "
    total = f" of {about}{speed.total:,}" if speed.total else ""
    requests = "request" if (speed.total or run.done) == 1 else "requests"
    parts = [f"{run.done:,}{total} {requests} answered"]
    if speed.requests_per_s is not None:
        parts.append(f"{speed.requests_per_s:.1f} requests/s")
    if speed.seconds_left is not None:
        parts.append(f"about {spoken_duration(speed.seconds_left)} left")
    if run.errors:
        parts.append(words.count_text(sum(run.errors.values()), "failed request"))
    return " · ".join(parts)


def error_sentences(errors: dict[str, int]) -> list[tuple[str, str]]:
    """Per class of error its count in words and the next step, most frequent first."""
    found = []
    for kind, count in sorted(errors.items(), key=lambda item: -item[1]):
        what, step = ERROR_WORDS.get(kind, (kind.replace("_", " "), "Look at one of them."))
        found.append((f"{count:,} × {what}", step))
    return found


def next_step(benchmark: BenchmarkRun) -> str | None:
    """What a person may do about a benchmark that gave no result; None where nothing is to do."""
    if benchmark.state is RunState.FAILED:
        return "Ask again what failed once this is put right: it starts from the answers already kept."
    if benchmark.state is RunState.SKIPPED:
        return "The Models page shows what the probe found; probe again after the server was changed."
    return None


def outcome_sentence(run: Run) -> str:
    """What became of a run, in one sentence."""
    failed = sum(1 for b in run.benchmarks if b.state is RunState.FAILED)
    counted = len(run.benchmarks)
    sentences = {
        RunState.QUEUED: "The run waits for a worker.",
        RunState.RUNNING: "The run is going on; you may close this page.",
        RunState.CANCELLING: "Cancelling: waiting for the worker to confirm.",
        RunState.CANCELLED: "The run was cancelled; what was already answered is kept.",
        RunState.PAUSING: "Pausing: waiting for the worker to confirm.",
        RunState.PAUSED: "The run is paused and keeps its answers; it goes on when it is resumed.",
        RunState.INTERRUPTED: "The worker stopped; the run goes on from the last stored answer when a worker is back.",
        RunState.DONE: _all_done(counted, sum(1 for b in run.benchmarks if b.state is RunState.SKIPPED)),
        RunState.DONE_WITH_FAILURES: f"The run is over; {failed} of {words.count_text(counted, 'benchmark')} failed.",
        RunState.FAILED: "The run failed; what was already answered is kept.",
        RunState.SKIPPED: "Nothing of this run can be asked at this endpoint.",
    }
    reason = f" {run.reason}" if run.reason else ""
    return sentences[run.state] + reason


def _all_done(counted: int, skipped: int) -> str:
    if skipped:
        asked = f"{counted - skipped} of {words.count_text(counted, 'benchmark')}"
        return f"The run is done: {asked}; the rest cannot run here."
    return "The benchmark is done." if counted == 1 else f"All {counted} benchmarks are done."
