"""What `vera worker`, `vera serve` and `vera demo-model serve` do."""

import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from types import FrameType

from app import serve_options
from app.console.start import open_here
from domain.errors import RunFailed, UserError
from domain.settings import Settings
from jobs import embedded_model
from jobs.context import Context
from jobs.workers import check_queue, live_workers

#: Between two looks at whether a worker is running beside the dashboard.
_RESTART_SECONDS = 5.0
_STOP_SECONDS = 15.0


def worker(*, parallel: int | None, queues: Sequence[str] = ()) -> int:
    """Run queued evaluations until SIGTERM or Ctrl-C; runs under way are left to go on elsewhere or later."""
    from jobs.worker import Worker  # noqa: PLC0415 - loads the queue, which the dashboard's process does without

    context = open_here()
    if parallel is not None and parallel < 1:
        raise UserError(f"{parallel} runs at the same time cannot be used; give a number of at least 1.")
    served = [check_queue(name.strip()) for name in queues]
    with Worker(context, parallel=parallel or context.settings.worker_parallel, queues=served) as running:
        _on_signals(running.stop)
        print(f"Worker {running.id} takes runs from the queue; Ctrl-C stops it.", file=sys.stderr, flush=True)
        running.wait()
    if running.problem:
        raise RunFailed(running.problem)
    print("Stopped; runs under way go on when a worker runs again.", file=sys.stderr)
    return 0


def serve(*, host: str | None, port: int | None, with_worker: bool = True) -> int:
    """Serve the dashboard until stopped; where no worker is, keep one running beside it unless told not to."""
    context = open_here()
    where = host or context.settings.host, port or context.settings.port
    dashboard = subprocess.Popen(_streamlit(*where), stdin=subprocess.DEVNULL)
    _on_signals(dashboard.terminate)
    beside = _WorkerBeside(context, wanted=with_worker)
    try:
        beside.keep_running()
        print(
            f"The dashboard is on http://{_shown(where[0])}:{where[1]}; Ctrl-C stops it.", file=sys.stderr, flush=True
        )
        while (code := _wait(dashboard, _RESTART_SECONDS)) is None:
            beside.keep_running()
    finally:
        dashboard.terminate()  # does nothing to one that has ended
        beside.stop()
        dashboard.wait()
    if code not in {0, -signal.SIGTERM, -signal.SIGINT}:
        raise RunFailed(f"The dashboard ended with exit code {code}; is the port {where[1]} taken?")
    return 0


def demo_model(*, port: int | None) -> None:
    """Serve the embedded model until stopped."""
    settings = Settings.load()
    embedded_model.serve(settings.model_cache, port=port)


class _WorkerBeside:
    """A worker process of the dashboard's, started where no worker is alive and started again when it ended."""

    def __init__(self, context: Context, *, wanted: bool) -> None:
        self._context = context
        self._wanted = wanted
        self._process: subprocess.Popen[bytes] | None = None

    def keep_running(self) -> None:
        """Start a worker where there is none."""
        ended = self._process is None or self._process.poll() is not None
        if self._wanted and ended and not live_workers(self._context):
            self._process = subprocess.Popen([sys.executable, "-m", "app.cli", "worker"], stdin=subprocess.DEVNULL)

    def stop(self) -> None:
        """Stop the worker that was started here."""
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        if _wait(self._process, _STOP_SECONDS) is None:
            self._process.kill()


def _streamlit(host: str, port: int) -> Sequence[str]:
    command = [sys.executable, "-m", "streamlit", "run", str(serve_options.MAIN)]
    return [*command, *serve_options.flags(host=host, port=port)]


def _shown(host: str) -> str:
    return "localhost" if host in {"127.0.0.1", "0.0.0.0", "::1", "::"} else host  # noqa: S104 - compared, not bound


def _wait(process: "subprocess.Popen[bytes]", seconds: float) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _on_signals(stop: Callable[[], None]) -> None:
    def handle(_number: int, _frame: FrameType | None) -> None:
        stop()

    signal.signal(signal.SIGTERM, handle)
    signal.signal(signal.SIGINT, handle)
