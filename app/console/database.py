"""`vera db …`: what is kept for how long, and copies."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(
    help="Remove old runs, give space back, and copy the database.", no_args_is_help=True, rich_markup_mode=None
)


@commands.command("prune")
def prune(
    *,
    keep_days: Annotated[
        int | None, typer.Option("--keep-days", metavar="N", help="Keep the runs of the last N days.")
    ] = None,
    keep_runs: Annotated[
        int | None, typer.Option("--keep-runs", metavar="N", help="Keep the last N runs of each model.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be removed.")] = False,
) -> None:
    """Remove old runs with their answers; never one on which a model's latest assessment stands."""
    from app.console import upkeep  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    upkeep.prune(keep_days=keep_days, keep_runs=keep_runs, dry_run=dry_run)


@commands.command("vacuum")
def vacuum() -> None:
    """Give the space of removed runs back to the disk."""
    from app.console import upkeep  # noqa: PLC0415 - as above

    upkeep.vacuum()


@commands.command("backup")
def backup(file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that does not exist yet.")]) -> None:
    """Copy a SQLite database while it is in use; a server's database is for pg_dump."""
    from app.console import upkeep  # noqa: PLC0415 - as above

    upkeep.backup(file)
