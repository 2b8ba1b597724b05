"""`vera suites` and `vera evaluate`."""

from typing import Annotated

import typer

from domain.runs import Priority


def suites() -> None:
    """List the suites with the requirements they measure and the benchmarks they ask."""
    from app.console import listing  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    listing.suites()


def evaluate(
    *,
    model: Annotated[str, typer.Option("--model", metavar="NAME", help="Registered model to evaluate.")],
    suite: Annotated[
        str, typer.Option("--suite", metavar="SUITE", help="Suite; `vera suites` lists them.")
    ] = "starter",
    requirement: Annotated[
        list[str] | None,
        typer.Option("--requirement", metavar="R02", help="Only the benchmarks of this requirement; may be repeated."),
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="TASK", help="A benchmark, an lm-eval task or a task file; may be repeated."),
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", metavar="TASK=FILE", help="File to read a task's data from; may be repeated."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", help="At most so many items per benchmark, drawn by the seed.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of the draw and of the requests.")
    ] = None,
    detector: Annotated[
        str | None,
        typer.Option(
            "--detector",
            metavar="URL|NAME",
            help="Watermark detector for R09: an address, env:VARIABLE or file:ENTRY with one, or an entry point.",
        ),
    ] = None,
    detector_threshold: Annotated[
        float | None,
        typer.Option("--detector-threshold", metavar="X", help="From this score on the detector means marked."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A quick look: the fewest items of each benchmark that can give a number.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="NAME", help="Model that judges answers; `vera judges` lists them."),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start a new run, even where an unfinished one could go on.")
    ] = False,
    priority: Annotated[
        Priority,
        typer.Option("--priority", help="Before or after the other runs that wait for this model; of a new run only."),
    ] = Priority.NORMAL,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> int:
    """Evaluate a model; the same command goes on with a run that did not finish."""
    from app.console import following  # noqa: PLC0415 - as above

    return following.evaluate(
        following.Wanted(
            model=model,
            suite=suite,
            requirements=tuple(requirement or ()),
            tasks=tuple(task or ()),
            data=tuple(data or ()),
            limit=limit,
            seed=seed,
            fresh=fresh,
            quick=quick,
            judge=judge,
            priority=priority,
            detector=detector,
            detector_threshold=detector_threshold,
        ),
        as_json=json,
    )
