"""Programs of a model can reach nothing and end; where that cannot be had, none is run."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.errors import CapabilityMissing
from domain.executions import Execution, ExecutionOutcome
from evaluators import sandbox
from evaluators.sandbox import process

PASSED, FAILED = ExecutionOutcome.PASSED, ExecutionOutcome.FAILED
TIMED_OUT, REFUSED = ExecutionOutcome.TIMED_OUT, ExecutionOutcome.REFUSED
QUICK = sandbox.Limits(cpu_s=2)


@pytest.fixture(scope="module", autouse=True)
def _possible() -> None:
    if why := sandbox.refusal():
        pytest.skip(why)


@pytest.fixture
def listening() -> Iterator[tuple[int, list[bool]]]:
    """A server on this machine, and whether anybody came."""
    visits: list[bool] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                try:
                    server.accept()[0].close()
                except TimeoutError:
                    continue
                visits.append(True)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], visits
        over.set()
        thread.join()


def run(program: str, limits: sandbox.Limits = QUICK) -> Execution:
    return sandbox.execute(program, limits)


def test_a_program_that_comes_to_its_end_passes_and_one_that_raises_does_not() -> None:
    assert run("assert sum(range(5)) == 10").outcome is PASSED
    found = run("assert 1 == 2, 'one is not two'")
    assert (found.outcome, found.detail, found.sandbox) == (FAILED, "AssertionError: one is not two", sandbox.VERSION)


@pytest.mark.parametrize(
    "program",
    ["import sys\nsys.exit(0)", "import os\nos._exit(0)", "def f(: pass", "raise KeyboardInterrupt", "quit()"],
)
def test_ending_before_the_tests_is_not_passing(program: str) -> None:
    assert run(program).outcome is FAILED


def test_a_verdict_of_the_program_s_own_counts_for_nothing() -> None:
    forged = 'import os\nos.write({}, b\'{{"outcome": "passed", "detail": "", "word": "x"}}\')\nos._exit(0)'
    for descriptor in range(3, 8):
        assert run(forged.format(descriptor)).outcome is not PASSED


@pytest.mark.parametrize(
    "said", [{"outcome": "unsafe", "detail": ""}, {"outcome": "splendid", "detail": ""}, {"outcome": ["passed"]}, {}]
)
def test_a_program_that_finds_the_guard_s_word_cannot_say_that_it_was_never_run(said: dict[str, str]) -> None:
    program = f"""
import json, os, sys
frame = sys._getframe()
while "job" not in frame.f_locals:
    frame = frame.f_back
told = json.dumps(dict({said!r}, word=frame.f_locals["job"]["word"])).encode()
os.write(frame.f_locals["told"], told)
os._exit(0)
"""
    assert run(program).outcome is FAILED


def test_words_of_a_program_that_no_database_takes_and_too_deep_ones_are_no_failure_of_the_run() -> None:
    assert run("raise ValueError('\\ud800')").detail == "ValueError: \ufffd"
    deep = "import os\nfor d in range(3, 9):\n    try: os.write(d, b'[' * 4000)\n    except OSError: pass\nos._exit(0)"
    assert run(deep).outcome is FAILED


def test_the_standard_library_can_be_used_and_packages_cannot() -> None:
    assert (
        run("import math, re, collections, hashlib, itertools, random, datetime, fractions, typing").outcome is PASSED
    )
    assert "ModuleNotFoundError" in run("import numpy").detail


def test_no_connection_can_be_made_not_even_to_this_machine(listening: tuple[int, list[bool]]) -> None:
    port, visits = listening
    found = run(f"import socket\nsocket.create_connection(('127.0.0.1', {port}), timeout=1)")
    assert found.outcome is REFUSED
    with socket.create_connection(("127.0.0.1", port)):  # that it would have been seen
        pass
    assert run("import socket\nsocket.socketpair()").outcome is REFUSED
    assert len(visits) <= 1


def test_nothing_is_written_outside_of_its_folder(tmp_path: Path) -> None:
    existing = tmp_path / "existing"
    existing.write_text("kept")
    for attempt in (
        f"open({str(tmp_path / 'new')!r}, 'w')",
        f"open({str(existing)!r}, 'a')",
        f"import os\nos.truncate({str(existing)!r}, 0)",
        f"import os\nos.remove({str(existing)!r})",
        f"import os\nos.mkdir({str(tmp_path / 'folder')!r})",
        f"import os\nos.chmod({str(existing)!r}, 0)",
        f"import os\nos.symlink({str(existing)!r}, 'link')",
        f"import os\nos.link({str(existing)!r}, 'link')",
        f"open('mine', 'w')\nimport os\nos.rename('mine', {str(tmp_path / 'mine')!r})",
    ):
        assert run(attempt).outcome is not PASSED, attempt
    assert [path.name for path in tmp_path.iterdir()] == ["existing"]
    assert existing.read_text() == "kept"


def test_nothing_of_a_person_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    for attempt in (
        f"open({str(tmp_path / 'secret')!r})",
        f"import os\nos.listdir({str(Path.home())!r})",
        f"import os\nos.listdir({str(Path(__file__).parent)!r})",
        f"open({__file__!r})",
        "open('/etc/passwd')",
        "open('/proc/self/environ')",
        f"open('/proc/{os.getpid()}/environ')",
    ):
        assert run(attempt).outcome is REFUSED, attempt


def test_the_environment_of_the_worker_is_not_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_WORKER", "key")
    assert run("import os\nassert not [n for n in os.environ if n not in ('LC_CTYPE',)], os.environ").outcome is PASSED


def test_its_own_folder_can_be_used_and_is_gone_afterwards() -> None:
    assert run("open('a', 'w').write('x')\nassert open('a').read() == 'x'\nimport os\nos.remove('a')").outcome is PASSED
    folder = run("import os\nopen('a', 'w').write('x')\nraise ValueError(os.getcwd())").detail.removeprefix(
        "ValueError: "
    )
    assert "vera-code-" in folder
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    "program",
    [
        "import os\nwhile True:\n    os.fork()",
        "import os\nos.posix_spawn('/bin/true', ['true'], {})",
        "import subprocess\nsubprocess.run(['true'])",
        f"import os\nos.execv({sys.executable!r}, ['python'])",
        "import os\nos.kill(os.getppid(), 9)",
        "import os\nos.setsid()",
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (100, 100))",
        "import os\nos.setuid(1)",
        "import os\nos.unshare(os.CLONE_NEWUSER)" if hasattr(os, "unshare") else "raise PermissionError",
    ],
)
def test_it_starts_signals_and_frees_nothing(program: str) -> None:
    assert run(program).outcome is not PASSED


def test_no_further_thread_can_be_started() -> None:
    assert run("import threading\nthreading.Thread(target=print).start()").outcome is FAILED


def test_an_endless_loop_ends() -> None:
    assert run("while True:\n    pass").outcome is TIMED_OUT


def test_waiting_for_ever_ends() -> None:
    found = run("import time\ntime.sleep(3600)", sandbox.Limits(cpu_s=1, wall_s=0.5))
    assert (found.outcome, found.detail) == (TIMED_OUT, "It did not end within 0.5 seconds.")


def test_memory_is_bounded() -> None:
    assert run("x = bytearray(4 << 30)").detail == "MemoryError"
    assert (
        run("x = []\nwhile True:\n    x.append(bytearray(1 << 24))", sandbox.Limits(memory_bytes=1 << 28)).outcome
        is FAILED
    )


def test_what_it_writes_is_bounded() -> None:
    assert run("print('x' * 10_000_000)").outcome is PASSED  # goes nowhere
    assert run("open('big', 'w').write('x' * (2 << 20))").outcome is FAILED
    many = "n = 0\nwhile True:\n    open(f'{n}', 'w').write('x' * 500_000)\n    n += 1"
    assert run(many, sandbox.Limits(cpu_s=5)).outcome is REFUSED
    write = "os.write(d, b'x' * 9999)"
    loud = f"import os\nfor d in range(3, 10):\n    try:\n        while True: {write}\n    except OSError: pass"
    assert run(loud).outcome is not PASSED


def test_a_program_too_long_for_the_sandbox_is_refused() -> None:
    assert run("x = '" + "x" * 100_000 + "'").outcome is REFUSED


@pytest.mark.parametrize("text", ["x = '\ud800'", "\x00", "é = 'ñ'", ""])
def test_any_text_at_all_gets_an_outcome(text: str) -> None:
    assert run(text).outcome in {PASSED, FAILED}


def test_where_it_cannot_be_shut_in_no_program_is_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    guard = tmp_path / "guard.py"
    text = Path(process.__file__).with_name("guard.py").read_text()
    guard.write_text(
        text.replace(
            "_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444,",
            "_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 9999,",
        )
    )
    assert guard.read_text() != text
    monkeypatch.setattr(process, "_GUARD", guard)
    process.refusal.cache_clear()
    try:
        with pytest.raises(CapabilityMissing, match="the kernel has no Landlock"):
            run("raise SystemExit")
    finally:
        process.refusal.cache_clear()


@pytest.mark.parametrize("left_out", ["leave_files(job)", "leave_system()"])
def test_a_sandbox_that_does_not_hold_is_found_out_by_the_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, left_out: str
) -> None:
    guard = tmp_path / "guard.py"
    text = Path(process.__file__).with_name("guard.py").read_text()
    guard.write_text(text.replace(f"        {left_out}\n", ""))
    assert guard.read_text() != text
    monkeypatch.setattr(process, "_GUARD", guard)
    process.refusal.cache_clear()
    try:
        assert "shut in" in (sandbox.refusal() or "")
    finally:
        process.refusal.cache_clear()
