"""What is stored, what is made of it, and the runs that go on: `vera runs`, `show`, `cancel`, `report` and others."""

from pathlib import Path
from typing import Annotated

import typer

RunId = Annotated[str, typer.Argument(metavar="RUN", help="Id of a run, or the beginning of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def runs(
    *,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="Only the runs of this model.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most so many runs.")] = 20,
    watch: Annotated[
        bool, typer.Option("--watch", help="Follow them until none goes on or waits any more; Ctrl-C stops looking.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List the runs, latest first."""
    from app.console import listing, watching  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    if watch:
        watching.runs(model=model, limit=limit, as_json=json)
    else:
        listing.runs(model=model, limit=limit, as_json=json)


def show(*, run: RunId, json: AsJson = False) -> None:
    """Show one run: its benchmarks and the scorecard that was made of it."""
    from app.console import listing  # noqa: PLC0415 - as above

    listing.show(run, as_json=json)


def cancel(run: RunId) -> int:
    """Stop a run; what was already answered is kept."""
    from app.console import steering  # noqa: PLC0415 - as above

    return steering.cancel(run)


def pause(run: RunId) -> int:
    """Let a run leave its model to other runs; what was already answered is kept."""
    from app.console import steering  # noqa: PLC0415 - as above

    return steering.pause(run)


def resume(run: RunId) -> None:
    """Go on with a run that was paused or cancelled, from what is already answered."""
    from app.console import steering  # noqa: PLC0415 - as above

    steering.resume(run)


def retry(run: RunId) -> None:
    """Ask again what failed of a run, and only the requests that have no answer."""
    from app.console import steering  # noqa: PLC0415 - as above

    steering.retry(run)


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
