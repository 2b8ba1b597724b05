"""What `vera runs --watch` does: runs as they go on, until none moves any more."""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.live import Live

from app.components import run_progress
from app.console import card, tables
from app.console.start import open_here
from domain.errors import UserError
from domain.runs import BenchmarkRun, Run, RunState
from jobs import replans
from jobs import runs as verbs
from jobs.context import Context

_LOOK_SECONDS = 1.0
_HEADERS = ("Run", "Model", "State", "Answered", "Rate", "Time left", "Tokens read/written", "Failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """A run at one look."""

    run: Run
    model: str
    pace: run_progress.Pace


def runs(*, model: str | None, limit: int, as_json: bool) -> None:
    """Follow the runs: a table that is drawn anew at a terminal, elsewhere a line (or a JSON object) per change."""
    if limit < 1:
        raise UserError(f"A limit of {limit} runs shows nothing; give a number of at least 1.")
    context = open_here()
    endpoint_id = context.store.endpoint(model).id if model else None
    looks = _looks(context, endpoint_id=endpoint_id, limit=limit)
    if as_json or not sys.stdout.isatty():
        _lines(looks, as_json=as_json)
        return
    with Live(console=tables.console(), auto_refresh=False) as live:
        for seen in looks:
            live.update(tables.table_of(_HEADERS, (row for one in seen for row in _rows(one))), refresh=True)


def _looks(context: Context, *, endpoint_id: str | None, limit: int) -> Iterator[list[_Seen]]:
    """The runs about once a second; ends when none of them moves by itself."""
    planned: dict[str, Mapping[str, int]] = {}
    while True:
        verbs.settle_orphans(context)
        found = context.store.runs(limit=limit, endpoint_id=endpoint_id)
        for run in found:
            if run.id not in planned and not run.state.is_final:
                planned[run.id] = replans.requests_of(replans.replanned(context, run))
        yield [_seen(context, run, planned.get(run.id, {})) for run in found]
        if all(run.state.is_at_rest for run in found):
            return
        time.sleep(_LOOK_SECONDS)


def _seen(context: Context, run: Run, planned: Mapping[str, int]) -> _Seen:
    now = datetime.now(UTC)
    rate = context.store.answer_rate(run.id, now=now.timestamp()) if run.state is RunState.RUNNING else None
    pace = run_progress.pace(run, now=now, planned=planned, recent_rate=rate)
    return _Seen(run=run, model=context.store.endpoint(run.spec.endpoint_id).name, pace=pace)


def _lines(looks: Iterator[list[_Seen]], *, as_json: bool) -> None:
    told: dict[str, Run] = {}
    for seen in looks:
        for one in seen:
            if told.get(one.run.id) != one.run:
                told[one.run.id] = one.run
                print(_json(one) if as_json else _line(one), flush=True)


def _line(seen: _Seen) -> str:
    sign, word, _tone = run_progress.STATE_WORDS[seen.run.state]
    return f"{seen.run.id}  {seen.model}  {sign} {word}: {run_progress.headline(seen.run, seen.pace)}"


def _json(seen: _Seen) -> str:
    speed = {"requests_per_s": seen.pace.requests_per_s, "seconds_left": seen.pace.seconds_left}
    return json.dumps(card.plain_run(seen.run) | {"model": seen.model} | speed, ensure_ascii=False)


def _rows(seen: _Seen) -> Iterator[tuple[str, ...]]:
    """A run, and below it the benchmarks that were begun and are not finished."""
    run, pace = seen.run, seen.pace
    rate = f"{pace.requests_per_s:.1f}/s" if pace.requests_per_s and run.state is RunState.RUNNING else ""
    left = run_progress.spoken_duration(pace.seconds_left) if pace.seconds_left is not None else ""
    read, written = sum(b.prompt_tokens for b in run.benchmarks), sum(b.completion_tokens for b in run.benchmarks)
    yield (
        run.id, seen.model, _state(run.state), _counted(run.done, pace.total), rate, left,
        f"{read:,} / {written:,}", _failed(run.errors),
    )  # fmt: skip
    if not run.state.is_final:
        for part in run.benchmarks:
            if part.state is not RunState.QUEUED and not part.state.is_final:
                yield _part(part)


def _part(part: BenchmarkRun) -> tuple[str, ...]:
    tokens = f"{part.prompt_tokens:,} / {part.completion_tokens:,}"
    counted = _counted(part.done, part.total)
    return ("", f"  {part.benchmark}", _state(part.state), counted, "", "", tokens, _failed(part.errors))


def _state(state: RunState) -> str:
    sign, word, _tone = run_progress.STATE_WORDS[state]
    return f"{sign} {word}"


def _counted(done: int, total: int) -> str:
    return f"{done:,} of {total:,}" if total else "–"


def _failed(errors: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in sorted(errors.items()))
