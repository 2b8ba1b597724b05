"""`vera demo` and `vera demo-model serve`: the embedded model."""

from pathlib import Path
from typing import Annotated

import typer

commands = typer.Typer(help="The small real model that comes with VERA.", no_args_is_help=True, rich_markup_mode=None)


@commands.callback()
def _group() -> None:
    """The small real model that comes with VERA."""


@commands.command("serve")
def serve_model(
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="P", min=1, max=65535, help="Port on loopback; a free one if not given."),
    ] = None,
) -> None:
    """Fetch the embedded model once and serve it on loopback until stopped."""
    from app.console import serving  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    serving.demo_model(port=port)


def demo(
    *,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.pdf", help="Where to write the report.")] = Path(
        "vera-demo.pdf"
    ),
    dashboard: Annotated[
        bool, typer.Option("--dashboard/--no-dashboard", help="Leave the dashboard running at the end.")
    ] = True,
) -> int:
    """Evaluate the embedded model, print its scorecard, write the report, and leave the dashboard running."""
    from app.console import showcase  # noqa: PLC0415 - as above

    return showcase.demo(out=out, dashboard=dashboard)
