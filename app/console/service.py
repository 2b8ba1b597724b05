"""`vera worker`, `vera serve` and `vera version`."""

from typing import Annotated

import typer

Host = Annotated[str | None, typer.Option("--host", metavar="H", help="Address to listen on; VERA_HOST if not given.")]
Port = Annotated[
    int | None,
    typer.Option("--port", metavar="P", min=1, max=65535, help="Port to listen on; VERA_PORT if not given."),
]


def worker(
    parallel: Annotated[
        int | None,
        typer.Option("--parallel", metavar="N", help="Runs at the same time; VERA_WORKER_PARALLEL if not given."),
    ] = None,
    queues: Annotated[
        str | None,
        typer.Option(
            "--queues",
            metavar="QUEUE,…",
            help="Only the models of these queues (`vera models add --queue`); `default` is that of all other models.",
        ),
    ] = None,
) -> int:
    """Run queued evaluations until stopped; any number of workers may share one database."""
    from app.console import serving  # noqa: PLC0415 - `vera --help` loads nothing it does not need

    return serving.worker(parallel=parallel, queues=tuple(queues.split(",")) if queues is not None else ())


def serve(
    *,
    host: Host = None,
    port: Port = None,
    worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Keep a worker beside it where none is running.")
    ] = True,
) -> int:
    """Serve the dashboard, with a worker beside it where none is running."""
    from app.console import serving  # noqa: PLC0415 - as above

    return serving.serve(host=host, port=port, with_worker=worker)


def version() -> None:
    """Print the version."""
    from jobs import processes  # noqa: PLC0415 - as above

    print(f"vera {processes.version()}")
