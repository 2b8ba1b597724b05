"""What `vera db …` does."""

import sys
from pathlib import Path

from app.console.start import open_here
from domain import words
from jobs import housekeeping


def prune(*, keep_days: int | None, keep_runs: int | None, dry_run: bool) -> None:
    """Remove old runs, or name them."""
    found = housekeeping.prune(open_here(), keep_days=keep_days, keep_runs=keep_runs, dry_run=dry_run)
    for run_id in found.run_ids:
        print(run_id)
    done = "would be removed" if dry_run else "removed"
    print(f"{words.count_text(len(found.run_ids), 'run')} {done}; assessments stay.", file=sys.stderr)
    if found.kept:
        kept = words.count_text(len(found.kept), "run")
        print(f"{kept} kept all the same: the latest assessment of a model stands on it.", file=sys.stderr)


def vacuum() -> None:
    """Give space back."""
    housekeeping.vacuum(open_here())
    print("The space of what was removed is given back.")


def backup(file: Path) -> None:
    """Copy the database."""
    print(housekeeping.backup(open_here(), file))
