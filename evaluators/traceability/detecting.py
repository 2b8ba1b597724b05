"""A detector asked about many texts; every answer is kept at once, so that an interrupted run asks only the rest."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from domain.answers import Answer, AnswerStore, ErrorClass, Outcome
from domain.errors import UserError
from domain.hashing import canonical_json, sha256_of
from evaluators.endpoints.writer import Writer
from evaluators.traceability.detectors import Ask, Detector, DetectorFailed

#: Failures in a row after which a detector is asked no more.
_GIVE_UP_AFTER = 20
#: A result says nothing of the watermark where more of the texts got no answer.
_MOST_FAILED = 0.5

#: Told of each answer, and whether it was known before; raising from it stops the asking.
OnAnswer = Callable[[Answer, bool], None]


def detect(
    texts: Sequence[str], detector: Detector, *, named: str, answers: AnswerStore, on_answer: OnAnswer
) -> dict[str, Answer]:
    """Each text with the detector's answer; UserError where it gave none to most of them. Blocks."""
    keys = {sha256_of(["detector", named, text]): text for text in texts}
    known = answers.known(list(keys))
    for answer in known.values():
        on_answer(answer, True)  # noqa: FBT003 - the callback takes it so
    todo = deque((key, text) for key, text in keys.items() if key not in known)
    fresh = asyncio.run(_Asking(detector, answers, on_answer, todo).all()) if todo else {}
    found = {text: known.get(key) or fresh[key] for key, text in keys.items()}
    _refuse_outage(found, detector)
    return found


def _refuse_outage(found: dict[str, Answer], detector: Detector) -> None:
    failed = [answer for answer in found.values() if not answer.is_answer]
    if len(failed) > _MOST_FAILED * len(found):
        raise UserError(
            f"The detector {detector.shown} gave no usable answer to {len(failed)} of {len(found)} texts: "
            f"{failed[0].error}. What was answered is kept; the same command asks the rest."
        )


@dataclass(slots=True)
class _Asking:
    """The texts that were not yet asked about."""

    detector: Detector
    answers: AnswerStore
    on_answer: OnAnswer
    todo: deque[tuple[str, str]]
    found: dict[str, Answer] = field(default_factory=dict)
    #: Failures since the last answer, and the last one's words.
    in_a_row: int = 0
    last: str = ""

    async def all(self) -> dict[str, Answer]:
        """Ask about all of them, several at the same time."""
        writer = Writer(self.answers)
        async with self.detector.opened() as ask:
            slots = [asyncio.create_task(self._slot(ask, writer)) for _ in range(self.detector.in_flight)]
            try:
                await asyncio.gather(*slots)
            finally:
                for slot in slots:
                    slot.cancel()
                await asyncio.gather(*slots, return_exceptions=True)
                writer.close()
        return self.found

    async def _slot(self, ask: Ask, writer: Writer) -> None:
        while self.todo:
            key, text = self.todo.popleft()
            answer = await self._answer(ask, key, text)
            await writer.keep(answer)
            self.found[key] = answer
            self.on_answer(answer, False)  # noqa: FBT003 - the callback takes it so

    async def _answer(self, ask: Ask, key: str, text: str) -> Answer:
        started = time.perf_counter()
        if self.in_a_row >= _GIVE_UP_AFTER:
            why = f"not asked any more after {_GIVE_UP_AFTER} failures in a row: {self.last}"
            return _answer(key, started, error=why)
        try:
            said = canonical_json(await ask(text))
        except DetectorFailed as error:
            self.in_a_row, self.last = self.in_a_row + 1, error.sentence
            return _answer(key, started, error=error.sentence)
        self.in_a_row = 0
        return _answer(key, started, text=said)


def _answer(key: str, started: float, *, text: str = "", error: str | None = None) -> Answer:
    return Answer(
        key=key,
        outcome=Outcome.ANSWERED if error is None else Outcome.ERROR,
        text=text,
        latency_s=time.perf_counter() - started,
        error_class=None if error is None else ErrorClass.MALFORMED,
        error=error,
        answered_at=time.time(),
    )
