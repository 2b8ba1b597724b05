"""Options of more than one command: an evaluation is described alike whether it starts now or at night."""

from collections.abc import Sequence
from typing import Annotated

import typer

from domain.runs import Priority as Priorities

Model = Annotated[str, typer.Option("--model", metavar="NAME", help="Registered model to evaluate.")]
Suite = Annotated[str, typer.Option("--suite", metavar="SUITE", help="Suite; `vera suites` lists them.")]
Requirement = Annotated[
    list[str] | None,
    typer.Option("--requirement", metavar="R02", help="Only the benchmarks of this requirement; may be repeated."),
]
Data = Annotated[
    list[str] | None,
    typer.Option("--data", metavar="TASK=FILE", help="File to read a task's data from; may be repeated."),
]
Limit = Annotated[
    int | None, typer.Option("--limit", metavar="N", help="At most so many items per benchmark, drawn by the seed.")
]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the draw and of the requests.")]
Samples = Annotated[
    int,
    typer.Option(
        "--samples",
        metavar="N",
        help="Answers per question, for benchmarks that can use several: how often one of N programs passes.",
    ),
]
Canaries = Annotated[
    str | None,
    typer.Option("--canaries", metavar="KEYFILE", help="Key of planted canaries, of which R05 is asked as well."),
]
Detector = Annotated[
    str | None,
    typer.Option(
        "--detector",
        metavar="URL|NAME",
        help="Watermark detector for R09: an address, env:VARIABLE or file:ENTRY with one, or an entry point.",
    ),
]
DetectorThreshold = Annotated[
    float | None,
    typer.Option("--detector-threshold", metavar="X", help="From this score on the detector means marked."),
]
Quick = Annotated[
    bool, typer.Option("--quick", help="A quick look: the fewest items of each benchmark that can give a number.")
]
Judge = Annotated[
    str | None,
    typer.Option("--judge", metavar="NAME", help="Model that judges answers; `vera judges` lists them."),
]
Priority = Annotated[
    Priorities,
    typer.Option("--priority", help="Before or after the other runs that wait for this model; of a new run only."),
]


def files(data: Sequence[str] | None, canaries: str | None) -> tuple[str, ...]:
    """``TASK=FILE`` of everything a run is given to read."""
    return (*(data or ()), *([f"canary_association={canaries}"] if canaries else []))
