"""Progress at the terminal: one bar per benchmark, with rate, time left and errors."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from app.components import run_progress
from domain import words
from domain.runs import BenchmarkRun, Run, RunState
from jobs.plans import Plan


class Show(Protocol):
    """Told each new state of a run."""

    def __call__(self, run: Run) -> None:
        """Draw it."""


@contextmanager
def bars(plan: Plan) -> Iterator[Show]:
    """Bars on standard error where it is a terminal; elsewhere a line per benchmark that ends."""
    titles = {b.key: b.title for b in plan.benchmarks}
    if not sys.stderr.isatty():
        yield _Lines(titles)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[count]}", markup=False),
        TextColumn("{task.fields[rate]}", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[remark]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=False) as progress:
        yield _Bars(progress, titles, {b.key: b.requests for b in plan.benchmarks})


class _Bars:
    """One bar per benchmark of the run."""

    def __init__(self, progress: Progress, titles: dict[str, str], planned: dict[str, int | None]) -> None:
        self._progress = progress
        self._planned = planned
        self._titles = titles
        self._bars: dict[str, TaskID] = {}

    def __call__(self, run: Run) -> None:
        for part in run.benchmarks:
            if part.benchmark not in self._bars:
                title = self._titles.get(part.benchmark, part.benchmark)
                self._bars[part.benchmark] = self._progress.add_task(title, total=None, count="", rate="", remark="")
            total = part.total or self._planned.get(part.benchmark)
            bar = self._bars[part.benchmark]
            speed = self._progress.tasks[bar].speed if part.state is RunState.RUNNING else None
            self._progress.update(
                bar,
                completed=part.done if part.state is not RunState.DONE else (total or 1),
                total=total or 1,
                count=f"{part.done:,}/{total:,}" if total else "",
                rate=f"{speed:.1f}/s" if speed else "",
                remark=_remark(part),
            )


class _Lines:
    """A line when a benchmark ends, for logs."""

    def __init__(self, titles: dict[str, str]) -> None:
        self._titles = titles
        self._told: set[str] = set()

    def __call__(self, run: Run) -> None:
        for part in run.benchmarks:
            if part.state.is_final and part.benchmark not in self._told:
                self._told.add(part.benchmark)
                title = self._titles.get(part.benchmark, part.benchmark)
                print(f"{title}: {_remark(part)} ({words.count_text(part.done, 'request')})", file=sys.stderr)


def _remark(part: BenchmarkRun) -> str:
    sign, word, _tone = run_progress.STATE_WORDS[part.state]
    errors = sum(part.errors.values())
    failed = f", {errors:,} failed requests" if errors else ""
    reason = f": {part.reason}" if part.reason and part.state.is_final else ""
    return f"{sign} {word}{failed}{reason}"
