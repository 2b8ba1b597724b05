"""`vera suites` and `vera evaluate`."""

from typing import Annotated

import typer

from app.console import options
from domain.runs import Priority


def suites() -> None:
    """List the suites with the requirements they measure and the benchmarks they ask."""
    from app.console import listing  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    listing.suites()


def evaluate(
    *,
    model: options.Model,
    suite: options.Suite = "starter",
    requirement: options.Requirement = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="TASK", help="A benchmark, an lm-eval task or a task file; may be repeated."),
    ] = None,
    data: options.Data = None,
    limit: options.Limit = None,
    seed: options.Seed = None,
    samples: options.Samples = 1,
    canaries: options.Canaries = None,
    detector: options.Detector = None,
    detector_threshold: options.DetectorThreshold = None,
    quick: options.Quick = False,
    judge: options.Judge = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start a new run, even where an unfinished one could go on.")
    ] = False,
    priority: options.Priority = Priority.NORMAL,
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
            data=options.files(data, canaries),
            limit=limit,
            seed=seed,
            samples=samples,
            fresh=fresh,
            quick=quick,
            judge=judge,
            priority=priority,
            detector=detector,
            detector_threshold=detector_threshold,
        ),
        as_json=json,
    )
