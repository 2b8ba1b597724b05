"""What tests of running evaluations share: a home with a registered fake model, worker processes, and waiting."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.runs import Run
from domain.settings import Settings
from jobs.context import Context, open_context

ROOT = Path(__file__).parents[2]
CAN = (
    Capability.CHAT,
    Capability.COMPLETIONS,
    Capability.SYSTEM_PROMPT,
    Capability.STOP_STRINGS,
    Capability.ECHO_LOGPROBS,
    Capability.TOP_LOGPROBS,
    Capability.TOKENIZE,
)
_T = TypeVar("_T")


def context(home: Path, *, database_url: str | None = None) -> Context:
    """A context with a home of its own."""
    return open_context(Settings(home=home, database_url=database_url))


def register(
    context: Context,
    base_url: str,
    *,
    name: str = "fake",
    api_key_ref: str | None = None,
    in_flight: int = 4,
    can: tuple[Capability, ...] = CAN,
    per_minute: int | None = None,
    queue: str | None = None,
) -> Endpoint:
    """A model that was registered and probed, without asking its server."""
    now = datetime.now(UTC)
    endpoint = Endpoint(
        id=f"id-{name}",
        name=name,
        base_url=base_url,
        model="fake-model",
        api_key_ref=api_key_ref,
        max_in_flight=in_flight,
        timeout_s=60.0,
        requests_per_minute=per_minute,
        queue=queue,
        created_at=now,
    )
    context.store.add_endpoint(endpoint)
    findings = tuple(Finding(capability=c, available=True, asked="?", answered="!", reason="Told.") for c in can)
    context.store.save_capabilities(
        Capabilities(endpoint_id=endpoint.id, probed_at=now, findings=findings, requests_per_s=20.0)
    )
    return endpoint


def move(context: Context, endpoint: Endpoint, base_url: str) -> None:
    """The same model at another address."""
    context.store.update_endpoint(replace(endpoint, base_url=base_url))


def environment(context: Context, **more: str) -> dict[str, str]:
    """Environment of a VERA process that works on this context's home."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("VERA_")}
    clean |= {"VERA_HOME": str(context.settings.home), "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    if context.settings.database_url:
        clean["VERA_DATABASE_URL"] = context.settings.database_url
    return clean | more


def command(context: Context, *arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    """A `vera` command from start to end."""
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        env=environment(context, **more),
        cwd=context.settings.home,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


def start(context: Context, *arguments: str, module: str = "app.cli", **more: str) -> "subprocess.Popen[str]":
    """A `vera` command under way, in a process group of its own as a terminal would give it."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env=environment(context, **more),
        cwd=context.settings.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


@contextmanager
def worker(
    context: Context, *arguments: str, module: str = "app.cli", **more: str
) -> Iterator["subprocess.Popen[str]"]:
    """A worker process, ended with the block."""
    known = {worker.id for worker in context.store.workers()}
    process = start(context, "worker", *arguments, module=module, **more)
    try:
        wait_for(lambda: {w.id for w in context.store.workers()} - known or _died(process))
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)


def wait_for(condition: Callable[[], _T], *, seconds: float = 120.0) -> _T:
    """What the condition gives once it is true; the deadline only ends a test that would never end."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing came of it within {seconds:.0f} s")


@contextmanager
def worker_elsewhere(
    context: Context, *arguments: str, host: str = "", version: str = ""
) -> Iterator["subprocess.Popen[str]"]:
    """A worker that believes itself on another machine, or of another version."""
    pretended = {"PRETENDED_HOST": host, "PRETENDED_VERSION": version}
    with worker(context, *arguments, module="fakes.elsewhere", **pretended) as process:
        yield process


def finished(context: Context, run_id: str) -> Run:
    """The run once it is over."""

    def over() -> Run | None:
        run = context.store.run(run_id)
        return run if run.state.is_final else None

    run = wait_for(over)
    assert run is not None
    return run


def _died(process: "subprocess.Popen[str]") -> bool:
    if process.poll() is not None:
        raise AssertionError(f"the worker ended: {process.communicate()}")
    return False
