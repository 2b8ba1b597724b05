"""`vera corpus …`: scan a sample of the data a model was trained on."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(
    help="Scan a sample of the data a model was trained on.", no_args_is_help=True, rich_markup_mode=None
)


@commands.callback()
def corpus() -> None:
    """Scan a sample of the data a model was trained on."""


@commands.command("scan")
def scan(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSONL with a text per line, .txt (both also .gz) or .parquet.")
    ],
    *,
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="Model that was trained on it, as you say.")],
    suite: Annotated[
        str, typer.Option("--suite", metavar="SUITE", help="Suite in whose assessment the score stands.")
    ] = "starter",
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help="At most so many documents, drawn by the seed.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the draw.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> int:
    """Scan a corpus for toxic documents and for how evenly groups of people are spoken of; asks the model nothing."""
    from app.console import scanning  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    return scanning.scan(file, model=model, suite=suite, limit=limit, seed=seed, as_json=json)
