"""`vera models …`: register, probe, list and remove served models."""

from typing import Annotated

import typer

commands = typer.Typer(
    help="Register, probe, list and remove served models.", no_args_is_help=True, rich_markup_mode=None
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name under which the model was registered.")]


@commands.command("add")
def add(
    *,
    url: Annotated[str, typer.Argument(metavar="URL", help="Address of an OpenAI-compatible server.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Name of your choice for the model.")],
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="ID", help="Model id at the server; not needed where it serves one model."),
    ] = None,
    api_key_env: Annotated[
        str | None,
        typer.Option("--api-key-env", metavar="VAR", help="Environment variable that holds the API key."),
    ] = None,
    api_key_entry: Annotated[
        str | None,
        typer.Option("--api-key-entry", metavar="ENTRY", help="Entry of the secrets file that holds the API key."),
    ] = None,
    in_flight: Annotated[int, typer.Option("--in-flight", metavar="N", help="Requests at the same time.")] = 8,
    per_minute: Annotated[
        int | None,
        typer.Option("--per-minute", metavar="N", help="At most so many requests a minute; no limit if none."),
    ] = None,
    queue: Annotated[
        str | None,
        typer.Option(
            "--queue",
            metavar="QUEUE",
            help="Queue its runs wait in, for workers started with --queues; default if none.",
        ),
    ] = None,
) -> None:
    """Register a served model; only the name of its key is stored, never the key."""
    from app.console import registry  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    registry.add(
        url=url,
        name=name,
        model=model,
        api_key_env=api_key_env,
        api_key_entry=api_key_entry,
        in_flight=in_flight,
        per_minute=per_minute,
        queue=queue,
    )


@commands.command("probe")
def probe(name: Name) -> None:
    """Find out by asking what a registered model can do."""
    from app.console import registry  # noqa: PLC0415 - as above

    registry.probe(name)


@commands.command("list")
def list_models() -> None:
    """List the registered models."""
    from app.console import registry  # noqa: PLC0415 - as above

    registry.list_models()


@commands.command("remove")
def remove(name: Name) -> None:
    """Take a model off the list; its runs and assessments stay."""
    from app.console import registry  # noqa: PLC0415 - as above

    registry.remove(name)
