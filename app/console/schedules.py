"""`vera schedule …` and `vera compare`."""

from enum import StrEnum
from typing import Annotated

import typer

from app.console import options
from domain.runs import Priority

commands = typer.Typer(
    help="Evaluate again and again: add, list, pause, resume, run and remove schedules.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the schedule.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


class MissedChoice(StrEnum):
    """What becomes of a time at which no worker ran."""

    RUN_ONCE = "run-once"
    SKIP = "skip"


class OverlapChoice(StrEnum):
    """What becomes of a time at which the run before is not over."""

    SKIP = "skip"
    QUEUE = "queue"


@commands.command("add")
def add(
    *,
    name: Name,
    model: options.Model,
    cron: Annotated[
        str, typer.Option("--cron", metavar="TEXT", help="When: minute hour day month weekday, e.g. '0 2 * * *'.")
    ],
    timezone: Annotated[
        str, typer.Option("--timezone", metavar="ZONE", help="Time zone of the cron text, e.g. Europe/Madrid.")
    ] = "UTC",
    suite: options.Suite = "starter",
    requirement: options.Requirement = None,
    data: options.Data = None,
    limit: options.Limit = None,
    seed: options.Seed = None,
    samples: options.Samples = 1,
    canaries: options.Canaries = None,
    detector: options.Detector = None,
    detector_threshold: options.DetectorThreshold = None,
    quick: options.Quick = False,
    judge: options.Judge = None,
    priority: options.Priority = Priority.NORMAL,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="FILE", help="Policy that judges regressions; VERA_POLICY_FILE if not given."),
    ] = None,
    missed: Annotated[
        MissedChoice, typer.Option("--missed", help="A time at which no worker ran: make up for the latest, or skip.")
    ] = MissedChoice.RUN_ONCE,
    overlap: Annotated[
        OverlapChoice, typer.Option("--overlap", help="A time at which the run before is not over: skip, or queue one.")
    ] = OverlapChoice.SKIP,
    webhook: Annotated[
        list[str] | None, typer.Option("--webhook", metavar="URL", help="Address that is told; may be repeated.")
    ] = None,
    webhook_secret: Annotated[
        str | None,
        typer.Option(
            "--webhook-secret", metavar="REF", help="Where the signing secret is found: env:VARIABLE or file:ENTRY."
        ),
    ] = None,
    email: Annotated[
        list[str] | None, typer.Option("--email", metavar="ADDRESS", help="Mailbox that is told; may be repeated.")
    ] = None,
) -> None:
    """Evaluate a model at certain times and compare each run with the one before."""
    from app.console import scheduling  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    scheduling.add(
        name=name,
        model=model,
        cron=cron,
        timezone=timezone,
        suite=suite,
        requirements=tuple(requirement or ()),
        policy=policy,
        missed=missed.value.replace("-", "_"),
        overlap=overlap.value,
        targets=scheduling.targets(webhook or (), webhook_secret, email or ()),
        priority=priority,
        choices=scheduling.choices(
            options.files(data, canaries),
            limit=limit,
            seed=seed,
            samples=samples,
            quick=quick,
            judge=judge,
            detector=detector,
            detector_threshold=detector_threshold,
        ),
    )


@commands.command("list")
def list_schedules(*, json: AsJson = False) -> None:
    """List the schedules: how the last run of each went, when the next is due, and alerts that did not arrive."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    scheduling.show_all(as_json=json)


@commands.command("pause")
def pause(name: Name) -> None:
    """Start no further runs until the schedule is resumed."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    scheduling.pause(name)


@commands.command("resume")
def resume(name: Name) -> None:
    """Go on with the next time; what fell due during the pause is not made up for."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    scheduling.resume(name)


@commands.command("run")
def run(
    *,
    name: Name,
    wait: Annotated[
        bool, typer.Option("--wait", help="Follow the run to its end; exit code 1 when it fails or found a regression.")
    ] = False,
) -> int:
    """Start the run of a schedule at once."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    return scheduling.run(name, wait=wait)


@commands.command("remove")
def remove(name: Name) -> None:
    """Remove a schedule; its runs and alerts stay."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    scheduling.remove(name)


def compare(
    *,
    earlier: Annotated[str, typer.Argument(metavar="RUN_A", help="Id of the earlier run, or the beginning of it.")],
    later: Annotated[str, typer.Argument(metavar="RUN_B", help="Id of the later run, or the beginning of it.")],
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="FILE", help="Policy that judges regressions; VERA_POLICY_FILE if not given."),
    ] = None,
    override: Annotated[
        bool, typer.Option("--override", help="Compare also runs that asked differently, with a warning.")
    ] = False,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit code 1 where something got worse beyond the policy.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Compare two finished runs, benchmark by benchmark and requirement by requirement."""
    from app.console import scheduling  # noqa: PLC0415 - as above

    return scheduling.compare(
        earlier, later, policy=policy, override=override, fail_on_regression=fail_on_regression, as_json=json
    )
