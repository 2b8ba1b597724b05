"""What `vera schedule …` and `vera compare` do."""

import json as json_text
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.components import comparison_words, run_progress, schedule_words
from app.console import following, tables
from app.console.start import open_here
from domain import words
from domain.choices import Choices
from domain.comparison import Comparison
from domain.errors import RunFailed, UserError
from domain.hashing import plain
from domain.runs import Run, RunState
from domain.schedules import Firing, Missed, Overlap, ScheduleStatus, Target, TargetKind
from jobs import choices as given
from jobs import comparisons, due, judges, processes, runs, schedules
from jobs.context import Context
from jobs.workers import live_workers

if TYPE_CHECKING:
    from jobs.worker import Worker

REGRESSION, INTERRUPTED = 1, 130


def targets(webhooks: Sequence[str], secret_ref: str | None, mailboxes: Sequence[str]) -> tuple[Target, ...]:
    """Who is told, checked."""
    if secret_ref and not webhooks:
        raise UserError("--webhook-secret signs what a webhook is sent; give --webhook as well.")
    return (
        *(schedules.target(TargetKind.WEBHOOK, url, secret_ref=secret_ref) for url in webhooks),
        *(schedules.target(TargetKind.EMAIL, address) for address in mailboxes),
    )


def choices(data: Sequence[str], **chosen: Any) -> Choices:
    """What was chosen of how a run asks, with the hash of each file."""
    return Choices(data_files=given.given(following.data_files(data)), **chosen)


def add(*, policy: str | None, missed: str, overlap: str, **wanted: Any) -> None:
    """Keep a schedule and say what it leaves out and when it is due."""
    asked = schedules.Wanted(policy_file=policy, missed=Missed(missed), overlap=Overlap(overlap), **wanted)
    context = open_here()
    if asked.choices.judge is None and judges.are_needed(asked.suite, asked.requirements):
        usual = following.usual_judge(context, asked.model)
        asked = replace(asked, choices=replace(asked.choices, judge=usual))
    made = schedules.add_schedule(context, asked, created_by=processes.account())
    print(f"{made.name} is due at:")
    for moment in schedules.next_in_words(made):
        print(f"  {moment}")
    if not live_workers(context):
        print("No worker is running; nothing starts before `vera worker` or `vera serve` does.", file=sys.stderr)


def show_all(*, as_json: bool) -> None:
    """The schedules with their honest state."""
    found = schedules.statuses(open_here())
    if as_json:
        print(json_text.dumps({"schedules": [_plain(s) for s in found]}, indent=2, ensure_ascii=False))
    elif not found:
        print("Nothing is scheduled; add a schedule with `vera schedule add`.", file=sys.stderr)
    else:
        print(schedule_words.summary(found))
        tables.show_rows(("Schedule", "Model", "State", "Last run", "Next", "Because", "Alerts"), map(_row, found))


def pause(name: str) -> None:
    """Pause a schedule."""
    print(f"{schedules.pause_schedule(open_here(), name).name} is paused.")


def resume(name: str) -> None:
    """Resume a schedule."""
    resumed = schedules.resume_schedule(open_here(), name)
    print(f"{resumed.name} is due next on {next(iter(schedules.next_in_words(resumed, count=1)), 'no day')}.")


def remove(name: str) -> None:
    """Remove a schedule."""
    print(f"{schedules.remove_schedule(open_here(), name).name} is removed; its runs stay.")


def run(name: str, *, wait: bool) -> int:
    """Start the run of a schedule; with ``wait`` its outcome is the exit code."""
    context = open_here()
    firing = schedules.run_now(context, name)
    print(f"Run {firing.run_id} is started.", file=sys.stderr, flush=True)
    if not wait:
        if not live_workers(context):
            print("No worker is running; it starts when `vera worker` or `vera serve` does.", file=sys.stderr)
        return 0
    try:
        over = _to_end(context, str(firing.run_id))
    except KeyboardInterrupt:
        print(f"\nvera: Stopped waiting; run {firing.run_id} goes on when a worker runs.", file=sys.stderr)
        return INTERRUPTED
    return _outcome(over, schedules.settle(context, firing))


def compare(
    earlier: str, later: str, *, policy: str | None, override: bool, fail_on_regression: bool, as_json: bool
) -> int:
    """Compare two runs; exit code 1 only where that was asked for."""
    made = comparisons.compare_runs(
        open_here(), earlier, later, override=override, policy_file=Path(policy) if policy else None
    )
    if as_json:
        whole = plain(made) | {"headline": made.headline, "regressions": [c.requirement for c in made.regressions]}
        print(json_text.dumps(whole, indent=2, ensure_ascii=False))
    else:
        _show(made)
    return REGRESSION if fail_on_regression and made.regressions else 0


def _to_end(context: Context, run_id: str) -> Run:
    """Follow a run to its end, with a worker in this process where there is none."""
    own: Worker | None = None
    with ExitStack() as stack:
        for _ in runs.watch(context, run_id, every_s=0.5, also_unchanged=True):
            if own is None and not live_workers(context):
                from jobs.worker import Worker as InProcess  # noqa: PLC0415 - loads the queue

                own = stack.enter_context(InProcess(context, parallel=context.settings.worker_parallel))
            if own is not None and own.problem:
                raise RunFailed(own.problem)
    return context.store.run(run_id)


def _outcome(over: Run, firing: Firing) -> int:
    if over.state is not RunState.DONE:
        raise RunFailed(f"Run {over.id} is {over.state.value.replace('_', ' ')}: {over.reason or 'no reason known.'}")
    if firing.comparison is None:
        print(f"Run {over.id} is done. {firing.not_compared or ''}".strip())
        return 0
    _show(firing.comparison)
    return REGRESSION if firing.comparison.regressions else 0


def _show(made: Comparison) -> None:
    """A comparison as two tables."""
    print(f"Run {made.later_run} against run {made.earlier_run}. {made.headline}")
    for change in made.regressions:
        print(f"  ▼ {change.regression}")
    tables.show_rows(
        ("Requirement", "Score", "Difference", "95 % interval", "Verdict"),
        [
            (
                change.requirement.value,
                comparison_words.scores(change),
                comparison_words.signed(change.difference),
                comparison_words.span(change.interval),
                comparison_words.verdicts(change),
            )
            for change in made.requirements
        ],
    )
    tables.show_rows(
        ("Benchmark", "Result", "Difference", "95 % interval", "p, corrected", "Items", "Flips", "Test"),
        [
            (
                change.title,
                comparison_words.change_word(change),
                comparison_words.signed(change.difference),
                comparison_words.span(change.interval),
                comparison_words.p_text(change.p_adjusted),
                f"{change.n_common:,}",
                comparison_words.flips(change),
                comparison_words.TESTS[change.test],
            )
            for change in made.benchmarks
        ],
    )
    for warning in made.warnings:
        print(f"Note: {warning}")
    print(comparison_words.method(made))


def _row(status: ScheduleStatus) -> tuple[str, ...]:
    look = schedule_words.HEALTH[status.health]
    last = "never"
    if status.last_run is not None:
        sign, word, _tone = run_progress.STATE_WORDS[status.last_run.state]
        last = f"{sign} {word}, {words.moment_text(status.last_run.created_at)}"
    zone = status.schedule.timezone
    return (
        status.schedule.name,
        status.model or "removed model",
        f"{look.sign} {look.word}",
        last,
        due.in_words(status.next_due, zone) if status.next_due else words.NO_NUMBER,
        status.reason,
        "; ".join(schedule_words.alert_line(alert) for alert in status.alerts) or "none",
    )


def _plain(status: ScheduleStatus) -> dict[str, Any]:
    schedule = status.schedule
    kept = {"name", "suite", "requirements", "priority", "cron", "timezone", "missed", "overlap", "paused"}
    return {
        **{key: plain(value) for key, value in asdict(schedule).items() if key in kept},
        **plain(schedule.choices),
        "model": status.model,
        "health": status.health.value,
        "reason": status.reason,
        "last_run": None
        if status.last_run is None
        else {"id": status.last_run.id, "state": status.last_run.state.value},
        "next_due": None if status.next_due is None else status.next_due.isoformat(),
        "alerts": [
            {"state": a.state.value, "target": a.target and schedule_words.target(a.target), "error": a.error}
            for a in status.alerts
        ],
    }
