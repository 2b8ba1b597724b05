"""What is kept for how long: old runs removed, space given back, a copy of the database."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from db import retention
from domain.errors import UserError
from jobs import logs, queue
from jobs.context import Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What was removed, or would be."""

    run_ids: tuple[str, ...]
    #: Old enough, and kept: the latest assessment of their model stands on them.
    kept: tuple[str, ...]


def prune(context: Context, *, keep_days: int | None, keep_runs: int | None, dry_run: bool) -> Pruned:
    """Remove runs that are over and that neither rule keeps, with their questions and answers.

    Their assessments stay. A run on which the latest assessment of a model and suite stands is never removed.
    """
    if keep_days is None and keep_runs is None:
        raise UserError("Say what to keep: --keep-days, --keep-runs, or both; a run that either rule keeps stays.")
    for name, value in (("--keep-days", keep_days), ("--keep-runs", keep_runs)):
        if value is not None and value < 0:
            raise UserError(f"{name} {value} cannot be used; give 0 or more.")
    before = None if keep_days is None else datetime.now(UTC) - timedelta(days=keep_days)
    old = context.store.runs_to_remove(before=before, beyond=keep_runs)
    needed = context.store.runs_under_assessments()
    found = Pruned(
        run_ids=tuple(run_id for run_id in old if run_id not in needed),
        kept=tuple(run_id for run_id in old if run_id in needed),
    )
    if not dry_run:
        found = replace(found, run_ids=tuple(context.store.remove_runs(found.run_ids)))
        for run_id in found.run_ids:
            queue.forget(context.settings, run_id)
            (logs.folder(context.settings) / f"run-{run_id}.log").unlink(missing_ok=True)
    return found


def vacuum(context: Context) -> None:
    """Give the space of what was removed back to the disk, that of the job queue included."""
    context.store.vacuum()
    queue_file = context.settings.home / "jobs.db"
    if not context.settings.is_postgres and queue_file.exists():
        retention.vacuum_file(queue_file)


def backup(context: Context, file: Path) -> Path:
    """A copy of the database in a new file, made while others go on writing; the job queue is not part of it."""
    target = file.expanduser().resolve()
    if not target.parent.is_dir():
        raise UserError(f"There is no folder {target.parent}; name a file in a folder that exists.")
    context.store.backup(target)
    return target
