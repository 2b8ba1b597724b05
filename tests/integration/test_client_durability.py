"""What was answered is kept and not asked again, however the asking ends."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.asking import client, question, sum_of
from fakes.openai_server import FakeServer

from domain.answers import Answer, MemoryAnswers

ROOT = Path(__file__).resolve().parents[2]


class SlowAnswers(MemoryAnswers):
    """A store whose commits take a while; knows how many it made."""

    commits: list[int]

    def __init__(self, pause_s: float) -> None:
        super().__init__()
        self.commits, self._pause_s = [], pause_s

    def put(self, answers: Sequence[Answer]) -> None:
        time.sleep(self._pause_s)
        self.commits.append(len(answers))
        super().put(answers)


class FullDisk(MemoryAnswers):
    """A store that fails after a few answers."""

    def put(self, answers: Sequence[Answer]) -> None:
        if len(self.answers) >= 5:
            raise OSError("No space left on device")
        super().put(answers)


def test_answers_of_an_earlier_run_are_reused_and_not_asked_again() -> None:
    kept, told = MemoryAnswers(), []
    with FakeServer("ok") as server:
        client(server.base_url, answers=kept).ask([question(i) for i in range(10)])
        again = client(server.base_url, answers=kept, on_answer=lambda _answer, reused: told.append(reused))
        answers = again.ask([question(i) for i in range(15)])
    assert [answer.text for answer in answers] == [sum_of(i) for i in range(15)]
    assert len(server.requests) == 15
    assert sorted(told) == [False] * 5 + [True] * 10


def test_failures_are_asked_again() -> None:
    kept = MemoryAnswers()
    with FakeServer("unauthorised") as server:
        client(server.base_url, answers=kept).ask([question(1)])
    with FakeServer("ok") as server:
        (answer,) = client(server.base_url, answers=kept).ask([question(1)])
    assert answer.text == "5"


def test_equal_questions_are_asked_once_and_repeats_each_time() -> None:
    told: list[bool] = []
    requests = [question(1), question(2), question(1), question(1)]
    with FakeServer("ok") as server:
        asked = client(server.base_url, on_answer=lambda _answer, reused: told.append(reused))
        answers = asked.ask(requests)
        assert [answer.text for answer in answers] == ["5", "6", "5", "5"]
        assert len(server.requests) == 2
        assert sorted(told) == [False, False, True, True]
        client(server.base_url).ask([replace(question(1), repeat=repeat) for repeat in range(3)])
        assert len(server.requests) == 5


def test_nothing_to_ask_needs_no_server() -> None:
    assert client("http://127.0.0.1:9/v1").ask([]) == []


def test_a_slot_is_free_only_when_its_answer_is_stored() -> None:
    kept = SlowAnswers(0.05)
    unstored: list[int] = []
    with FakeServer("ok") as server:

        def look(_answer: Answer, _reused: bool) -> None:  # noqa: FBT001 - the client's callback
            unstored.append(len(server.requests) - len(kept.answers))

        client(server.base_url, answers=kept, max_in_flight=4, on_answer=look).ask([question(i) for i in range(40)])
    assert max(unstored) <= 4
    assert sum(kept.commits) == 40


def test_what_arrives_during_a_commit_is_committed_together() -> None:
    kept = SlowAnswers(0.05)
    with FakeServer("ok") as server:
        client(server.base_url, answers=kept, max_in_flight=16).ask([question(i) for i in range(64)])
    assert sum(kept.commits) == 64
    assert len(kept.commits) <= 16


def test_an_answer_is_told_only_after_it_was_stored() -> None:
    kept = SlowAnswers(0.01)
    seen: list[bool] = []
    with FakeServer("ok") as server:
        look = client(server.base_url, answers=kept, on_answer=lambda a, _reused: seen.append(a.key in kept.answers))
        look.ask([question(i) for i in range(10)])
    assert seen == [True] * 10


def test_raising_from_the_callback_stops_the_asking_and_keeps_what_came() -> None:
    kept = SlowAnswers(0.01)

    def cancel(_answer: Answer, _reused: bool) -> None:  # noqa: FBT001 - the client's callback
        if len(kept.answers) >= 6:
            raise LookupError("cancelled by a person")

    with FakeServer("ok", delay_s=0.01) as server:
        with pytest.raises(LookupError, match="cancelled by a person"):
            client(server.base_url, answers=kept, max_in_flight=3, on_answer=cancel).ask(
                [question(i) for i in range(99)]
            )
        assert 6 <= len(kept.answers) <= 12
        assert len(server.requests) <= len(kept.answers) + 3
        before, known = len(server.requests), len(kept.answers)
        client(server.base_url, answers=kept).ask([question(i) for i in range(20)])
        assert len(server.requests) == before + 20 - known


def test_a_store_that_fails_ends_the_asking_with_its_own_error() -> None:
    kept = FullDisk()
    with FakeServer("ok") as server, pytest.raises(OSError, match="No space left"):
        client(server.base_url, answers=kept, max_in_flight=2).ask([question(i) for i in range(50)])
    assert 5 <= len(kept.answers) <= 6
    assert len(server.requests) <= 10


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals reach the main thread")
def test_control_c_keeps_what_was_answered() -> None:
    kept, pressed = MemoryAnswers(), threading.Event()

    def interrupt(_answer: Answer, _reused: bool) -> None:  # noqa: FBT001 - the client's callback
        if len(kept.answers) >= 10 and not pressed.is_set():  # several may be stored at once
            pressed.set()
            os.kill(os.getpid(), signal.SIGINT)

    with FakeServer("ok", delay_s=0.01) as server:
        with pytest.raises(KeyboardInterrupt):
            client(server.base_url, answers=kept, max_in_flight=2, on_answer=interrupt).ask(
                [question(i) for i in range(500)]
            )
        assert 10 <= len(kept.answers) <= 20
        assert len(server.requests) <= len(kept.answers) + 2


ASK_AND_DIE = """
import os, sys
sys.path[:0] = [{root!r}, {tests!r}]
from fakes.asking import client, question
from domain.answers import MemoryAnswers

class FileAnswers(MemoryAnswers):
    def put(self, answers):
        with open({file!r}, "a") as file:
            file.writelines(answer.key + "\\n" for answer in answers)
            file.flush()
            os.fsync(file.fileno())
        super().put(answers)

client({url!r}, answers=FileAnswers(), max_in_flight=4).ask([question(i) for i in range(2000)])
"""


def test_a_killed_process_repeats_at_most_what_was_in_flight(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    with FakeServer("ok", delay_s=0.005) as server:
        program = ASK_AND_DIE.format(root=str(ROOT), tests=str(ROOT / "tests"), file=str(file), url=server.base_url)
        with subprocess.Popen([sys.executable, "-c", program]) as process:
            while len(server.requests) < 100 and process.poll() is None:
                time.sleep(0.01)
            process.kill()
        stored = set(file.read_text().split())
        kept = MemoryAnswers({key: Answer(key=key, outcome="answered", text="known") for key in stored})
        client(server.base_url, answers=kept).ask([question(i) for i in range(200)])
    repeated = sum(count - 1 for count in server.counts.values())
    assert len(stored) >= 90
    assert repeated <= 4
    assert max(server.counts.values()) <= 2


async def test_it_can_be_awaited_within_a_running_loop() -> None:
    with FakeServer("ok") as server:
        answers = await client(server.base_url).ask_async([question(i) for i in range(3)])
    assert [answer.text for answer in answers] == [sum_of(i) for i in range(3)]
