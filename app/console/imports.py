"""`vera import …`: results that another tool wrote."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(help="Take over results that another tool wrote.", no_args_is_help=True, rich_markup_mode=None)


@commands.callback()
def imports() -> None:
    """Take over results that another tool wrote."""


@commands.command("results")
def results(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder with lm-eval's results or Inspect's logs.")],
    *,
    model: Annotated[
        str | None, typer.Option("--model", metavar="NAME", help="Name of the model; the files' own name if none.")
    ] = None,
) -> None:
    """Keep the results of lm-eval (results_*.json, samples_*.jsonl) and Inspect (.json, .eval) as runs."""
    from app.console import importing  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    importing.results(folder, model=model)
