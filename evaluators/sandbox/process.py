"""Starts the process of one program, waits for its verdict and ends it; asks first whether isolation can be had."""

import contextlib
import json
import os
import secrets
import select
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from domain.errors import CapabilityMissing
from domain.executions import Execution, ExecutionOutcome

#: Of what a program may do and of how its end is judged; kept beside every outcome.
VERSION = "landlock+seccomp 2"
_GUARD = Path(__file__).with_name("guard.py")
#: What the guard says before it looks at a program, and of one that it could not shut in and did not run.
_SHUT_IN, _UNSAFE = b"shut in\n", "unsafe"
#: What a pipe takes at once, so that handing a program over cannot block.
_MOST_PROGRAM_BYTES = 60_000
_MOST_VERDICT_BYTES = 4096
_LOOK_S = 0.05
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one program may use."""

    #: Seconds of computing.
    cpu_s: int = 5
    #: Seconds in all, waiting included; so many that a busy machine decides nothing.
    wall_s: float = 60.0
    memory_bytes: int = 1 << 30
    #: Of one file, and of all that is in its folder.
    file_bytes: int = 1 << 20
    folder_bytes: int = 8 << 20
    folder_files: int = 100


#: Passes where everything a program must not do fails.
_PROBE = """
import os, socket
def fails(what):
    try:
        what()
    except OSError:
        return
    raise AssertionError(what.__name__)
def network(): socket.socket(socket.AF_INET, socket.SOCK_STREAM)
def local_network(): socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
def writing(): open({outside!r}, "a")
def reading(): open({secret!r}).read()
def listing(): os.listdir({home!r})
def processes(): os._exit(0) if os.fork() == 0 else None
def programs(): os.execv({python!r}, ["python", "-c", ""])
def signals(): os.kill(os.getppid(), 0)
for what in (network, local_network, writing, reading, listing, processes, programs, signals):
    fails(what)
open("inside", "w").write("x")
assert open("inside").read() == "x"
"""


@lru_cache(maxsize=1)
def refusal() -> str | None:
    """Why no program is run on this machine, in one sentence; None where a trial showed that it can reach nothing."""
    if not sys.platform.startswith("linux"):
        return f"Programs of a model are run on Linux only, where they can be shut in; this is {sys.platform}."
    with tempfile.TemporaryDirectory(prefix="vera-trial-") as folder:
        secret = Path(folder) / "secret"
        secret.write_text("secret")
        probe = _PROBE.format(
            outside=str(Path(folder) / "written"), secret=str(secret), home=str(Path.home()), python=sys.executable
        )
        verdict, _ended = _carry_out(probe, Limits())
    if verdict is not None and verdict["outcome"] == "passed":
        return None
    why = "its process said nothing" if verdict is None else verdict["detail"] or verdict["outcome"]
    return (
        "Programs of a model are run only where they can be shut in, which this machine does not allow "
        f"({why}); a Linux kernel of at least 5.13 with Landlock and seccomp does."
    )


def execute(program: str, limits: Limits | None = None) -> Execution:
    """How a program ended; CapabilityMissing where it cannot be shut in."""
    if why := refusal():
        raise CapabilityMissing(why)
    if len(program.encode(errors="replace")) > _MOST_PROGRAM_BYTES:
        return Execution(outcome=ExecutionOutcome.REFUSED, detail="The program is too long.", sandbox=VERSION)
    verdict, ended = _carry_out(program, limits or Limits())
    if verdict is None:
        return ended
    if verdict["outcome"] == _UNSAFE:
        raise CapabilityMissing(f"A program was not run, since it could not be shut in ({verdict['detail']}).")
    return Execution(outcome=ExecutionOutcome(verdict["outcome"]), detail=verdict["detail"], sandbox=VERSION)


def _carry_out(program: str, limits: Limits) -> tuple[dict[str, str] | None, Execution]:
    """The verdict of the process, where it gave one that counts, and what its end alone says."""
    with tempfile.TemporaryDirectory(prefix="vera-code-") as folder:
        word = secrets.token_hex(16)
        job = {
            "program": program,
            "word": word,
            "folder": folder,
            "readable": _readable(),
            "cpu_s": limits.cpu_s,
            "memory_bytes": limits.memory_bytes,
            "file_bytes": limits.file_bytes,
        }
        with _process(folder) as process:
            _hand_over(process, json.dumps(job).encode())
            said, ended = _wait(process, Path(folder), limits)
    return _verdict(said, word), ended


def _readable() -> list[str]:
    """The interpreter's library and the system's; no packages and nothing of a person."""
    paths = sysconfig.get_paths()
    return sorted({paths["stdlib"], paths["platstdlib"], str(Path(sys.base_prefix) / "lib"), *_LIBRARIES})


@contextlib.contextmanager
def _process(folder: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", str(_GUARD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={},
        start_new_session=True,
    )
    try:
        with process:
            try:
                yield process
            finally:
                process.kill()  # it could not start another, so it is the only one
    finally:
        process.wait()


def _hand_over(process: "subprocess.Popen[bytes]", job: bytes) -> None:
    if process.stdin is None:
        raise ValueError("the process was started without a pipe for its job")
    with contextlib.suppress(BrokenPipeError):  # one that died at once is told by its end
        process.stdin.write(job)
        process.stdin.close()


def _wait(process: "subprocess.Popen[bytes]", folder: Path, limits: Limits) -> tuple[bytes, Execution]:
    """What the process said before it ended or had to be ended."""
    if process.stdout is None:
        raise ValueError("the process was started without a pipe for its verdict")
    said, until = b"", time.monotonic() + limits.wall_s
    while True:
        if select.select([process.stdout], [], [], _LOOK_S)[0]:
            part = os.read(process.stdout.fileno(), _MOST_VERDICT_BYTES)
            said += part
            if not part:
                return said, _ended(process.wait())
            if len(said) > _MOST_VERDICT_BYTES:
                return b"", _of(ExecutionOutcome.REFUSED, "It wrote into the pipe of its verdict.")
        if time.monotonic() > until:
            return b"", _of(ExecutionOutcome.TIMED_OUT, f"It did not end within {limits.wall_s:g} seconds.")
        if _is_too_full(folder, limits):
            return b"", _of(ExecutionOutcome.REFUSED, "It wrote more into its folder than it may.")


def _is_too_full(folder: Path, limits: Limits) -> bool:
    sizes = []
    for place, folders, files in os.walk(folder):
        sizes += [0] * len(folders)
        for name in files:
            with contextlib.suppress(FileNotFoundError):  # it can be gone again
                sizes.append((Path(place) / name).lstat().st_size)
        if len(sizes) > limits.folder_files or sum(sizes) > limits.folder_bytes:
            return True
    return False


def _ended(code: int) -> Execution:
    """A process without a verdict: killed by the limit of computing time, or gone before its tests were."""
    if code in {-9, -24}:  # SIGKILL, SIGXCPU
        return _of(ExecutionOutcome.TIMED_OUT, "It computed for longer than it may.")
    return _of(ExecutionOutcome.FAILED, f"It ended before its tests did (exit code {code}).")


def _of(outcome: ExecutionOutcome, detail: str) -> Execution:
    return Execution(outcome=outcome, detail=detail, sandbox=VERSION)


def _verdict(said: bytes, word: str) -> dict[str, str] | None:
    """What the guard said; anything of another form, or without the word it was given, comes from the program.

    A program that searches the memory it shares with the guard can find the word: it can then say that it passed, which
    it can as well by answers that are equal to everything, and nothing else.
    """
    is_shut_in = said.startswith(_SHUT_IN)
    try:
        verdict = json.loads(said.removeprefix(_SHUT_IN))
    except (ValueError, RecursionError):
        return None
    if not isinstance(verdict, dict) or verdict.get("word") != word:
        return None
    outcome, detail = verdict.get("outcome"), str(verdict.get("detail") or "")
    if outcome not in (tuple(ExecutionOutcome) if is_shut_in else (_UNSAFE,)):
        return None
    return {"outcome": str(outcome), "detail": detail.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}
