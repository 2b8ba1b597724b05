"""`vera judges` and `vera judges check`."""

from typing import Annotated

import typer

commands = typer.Typer(
    help="List the models that may judge the answers of others, with how far each agrees with people.",
    invoke_without_command=True,
    rich_markup_mode=None,
)


@commands.callback()
def judges(context: typer.Context) -> None:
    """List the registered models with their agreement with people, and whether each may judge."""
    if context.invoked_subcommand is None:
        from app.console import judging  # noqa: PLC0415 - `vera --help` loads nothing it does not need

        judging.show()


@commands.command("check")
def check(
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name under which the judge was registered.")],
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start a new check, even where an unfinished one could go on.")
    ] = False,
) -> int:
    """Measure how far a model agrees with people, on answers that they labelled and on plain ones of our own."""
    from app.console import judging  # noqa: PLC0415 - as above

    return judging.check(name, fresh=fresh)
