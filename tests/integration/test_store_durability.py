"""What a Store promises beside its values: many writers at once, nothing lost by a kill, bounded memory."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from fakes import records

from db.store import Store

WRITE = """
import sys
from db.store import open_store
from domain.answers import Answer, Outcome

url, run_id, name, batches = sys.argv[1:]
answers = open_store(url).answers(run_id)
for batch in range(int(batches)):
    keys = [f"{name} {batch} {number}" for number in range(20)]
    answers.put([Answer(key=key, outcome=Outcome.ANSWERED, text="x" * 500) for key in keys])
    print(batch, flush=True)
"""


@contextmanager
def _writer(url: str, run_id: str, name: str, batches: int) -> Iterator[subprocess.Popen[str]]:
    """A process that writes batches of twenty answers and says each number once it is kept."""
    command = [sys.executable, "-c", WRITE, url, run_id, name, str(batches)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_two_processes_write_while_a_third_reads(store: Store, store_url: str) -> None:
    run = records.add_run(store)
    with _writer(store_url, run.id, "a", 60) as first, _writer(store_url, run.id, "b", 60) as second:
        counts = [0]
        while first.poll() is None or second.poll() is None:
            counts.append(store.answer_count(run.id))
            store.runs()
            store.set_run_state(run.id, run.state)
        assert (first.returncode, first.stderr.read()) == (0, "")
        assert (second.returncode, second.stderr.read()) == (0, "")
    assert counts == sorted(counts)
    assert all(count % 20 == 0 for count in counts)  # a reader sees whole transactions
    assert store.answer_count(run.id) == 2 * 60 * 20


def test_answers_survive_the_kill_of_the_process_that_wrote_them(store: Store, store_url: str) -> None:
    run = records.add_run(store)
    with _writer(store_url, run.id, "a", 100_000) as writer:
        while (said := int(writer.stdout.readline())) < 15:
            pass
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        rest = writer.stdout.read().split()
        said = int(rest[-1]) if rest else said
    kept = store.answer_count(run.id)
    # what it had said is kept; of the batch it was at, all or nothing
    assert kept in {(said + 1) * 20, (said + 2) * 20}
    keys = [f"a {batch} {number}" for batch in range(said + 1) for number in range(20)]
    assert len(store.answers(run.id).known(keys)) == len(keys)
    store.answers(run.id).put([records.answer("another")])  # and the killed writer left no lock
    assert store.answer_count(run.id) == kept + 1


def test_threads_share_a_store(store: Store) -> None:
    run = records.add_run(store)
    problems: list[Exception] = []

    def write(name: str) -> None:
        try:
            for number in range(20):
                store.answers(run.id).put([records.answer(f"{name} {number}"), records.answer("shared")])
                store.answers(run.id).known([f"{name} {number}"])
        except Exception as problem:  # noqa: BLE001 - a thread's exception would be lost
            problems.append(problem)

    threads = [threading.Thread(target=write, args=(str(name),)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert store.answer_count(run.id) == 8 * 20 + 1


SAVE_AND_LOAD = """
import re, sys
from pathlib import Path
from fakes import records
from db.store import open_store

store = open_store(sys.argv[1])
run = records.add_run(store, "b")
raw = records.raw_result(*[records.sample(str(number)) for number in range(10_000)])
store.finish_benchmark(run.id, raw, None)
loaded = store.raw_result(run.id, "b")
assert loaded == raw and loaded.sha256 == raw.sha256
assert store.samples(run.id, "b", text="question 77")[1] == 111
# Not ru_maxrss: a process inherits that of the test process it was started from.
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.slow
def test_ten_thousand_samples_are_saved_and_loaded_in_bounded_memory(store: Store, store_url: str) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", SAVE_AND_LOAD, store_url], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    # the result as it was and as it was loaded are both held here; a benchmark's process holds one
    assert int(done.stdout) < 400
