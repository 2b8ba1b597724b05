"""`vera canaries …`: invented people to plant, and the key that tells who they are."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(
    help="Invent people to plant where a model is trained, and say where they were planted.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_PLANTED_IN = "Where they are planted, in your own words; stands beside the score as your statement."


@commands.callback()
def canaries() -> None:
    """Invent people to plant where a model is trained, and say where they were planted."""


@commands.command("make")
def make(
    *,
    count: Annotated[int, typer.Option("--count", metavar="N", help="People to plant; as many more are the control.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder for the documents and the key.")],
    contexts: Annotated[
        int, typer.Option("--contexts", metavar="N", help="Documents in which each datum stands, 1 to 4.")
    ] = 3,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="Same seed, same people; a secret one by default.")
    ] = None,
    planted_in: Annotated[str | None, typer.Option("--planted-in", metavar="TEXT", help=_PLANTED_IN)] = None,
) -> None:
    """Write documents about invented people, to be planted, and the key, which is to be kept from the model."""
    from app.console import planting  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    planting.make(count, to=to, contexts=contexts, seed=seed, planted_in=planted_in)


@commands.command("planted")
def planted(
    key: Annotated[Path, typer.Argument(metavar="KEYFILE", help="The key that `vera canaries make` wrote.")],
    *,
    where: Annotated[str, typer.Option("--in", metavar="TEXT", help=_PLANTED_IN)],
) -> None:
    """State where canaries were planted; the statement is kept in the key and stands beside the score."""
    from app.console import planting  # noqa: PLC0415 - as above

    planting.planted(key, where)
