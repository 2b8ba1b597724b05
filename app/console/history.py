"""`vera runs`, `show`, `cancel`, `rescore` and `report`: what is stored, and what is made of it."""

from pathlib import Path
from typing import Annotated

import typer

RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run, or the beginning of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def runs(
    *,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="Only the runs of this model.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most so many runs.")] = 20,
    json: AsJson = False,
) -> None:
    """List the runs, latest first."""
    from app.console import listing  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    listing.runs(model=model, limit=limit, as_json=json)


def show(*, run: RunId, json: AsJson = False) -> None:
    """Show one run: its benchmarks and the scorecard that was made of it."""
    from app.console import listing  # noqa: PLC0415 - as above

    listing.show(run, as_json=json)


def cancel(run: RunId) -> int:
    """Stop a run; what was already answered is kept."""
    from app.console import listing  # noqa: PLC0415 - as above

    return listing.cancel(run)


def rescore(*, run: RunId, json: AsJson = False) -> None:
    """Score the stored answers of a run again, without asking the model."""
    from app.console import listing  # noqa: PLC0415 - as above

    listing.rescore(run, as_json=json)


def report(
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="Registered model to report on.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="Where to write the report.")],
    suite: Annotated[
        str | None, typer.Option("--suite", metavar="SUITE", help="Suite; the latest assessed if none.")
    ] = None,
) -> None:
    """Write the latest assessment of a model as an accessible PDF, and its data as JSON beside it."""
    from app.console import listing  # noqa: PLC0415 - as above

    listing.report(model=model, suite=suite, out=out)
