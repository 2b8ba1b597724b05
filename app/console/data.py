"""`vera data …`: bring published data sets to this machine, list and verify them."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(
    help="Import, list and verify published data sets; pull them on a connected machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@commands.command("import")
def import_data(
    source: Annotated[Path, typer.Argument(metavar="PATH", help="A folder with MANIFEST.yaml, or one data file.")],
    *,
    task: Annotated[
        str | None, typer.Option("--task", metavar="TASK", help="The lm-eval task or benchmark a single file is for.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option("--licence", metavar="TEXT", help="The licence of a single file, as it is stated.")
    ] = None,
) -> int:
    """Import data sets; one with a file that its manifest does not describe is left out, and the exit code is 1."""
    from app.console import datasets  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    return datasets.import_data(source, task=task, licence=licence)


@commands.command("list")
def list_data(
    *, json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False
) -> None:
    """List the imported data sets with their licence and what they serve."""
    from app.console import datasets  # noqa: PLC0415 - as above

    datasets.list_data(as_json=json)


@commands.command("verify")
def verify() -> int:
    """Compare every imported file with the hash it was imported with; exit code 1 where one differs."""
    from app.console import datasets  # noqa: PLC0415 - as above

    return datasets.verify()


@commands.command("pull")
def pull(
    *,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder to write to, for `vera data import`.")],
    suite: Annotated[
        str | None,
        typer.Option("--suite", metavar="SUITE", help="All public tasks of a suite; `vera suites` lists them."),
    ] = None,
    task: Annotated[
        list[str] | None, typer.Option("--task", metavar="TASK", help="This lm-eval task; may be repeated.")
    ] = None,
) -> None:
    """Fetch the data sets of public tasks from the Hugging Face hub into a folder, on a connected machine."""
    from app.console import datasets  # noqa: PLC0415 - as above

    datasets.pull(suite=suite, tasks=tuple(task or ()), to=to)
