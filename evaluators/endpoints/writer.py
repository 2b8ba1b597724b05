"""Group commit: one thread stores everything that has arrived since its last commit."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor

from domain.answers import Answer, AnswerStore

_Waiting = tuple[Answer, "asyncio.Future[None]"]


class Writer:
    """Stores answers in batches; whoever handed one in is told when it is durable."""

    def __init__(self, answers: AnswerStore) -> None:
        self._answers = answers
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="answers")
        self._loop = asyncio.get_running_loop()
        self._pending: list[_Waiting] = []
        self._is_committing = False

    async def keep(self, answer: Answer) -> None:
        """Return when the answer is stored; raises what the store raised."""
        stored: asyncio.Future[None] = self._loop.create_future()
        self._pending.append((answer, stored))
        if not self._is_committing:
            self._is_committing = True
            self._loop.call_soon(self._commit)  # soon, so that what arrives at the same time comes along
        await stored

    def _commit(self) -> None:
        """Hand everything that waits to the thread."""
        batch, self._pending = self._pending, []
        if not batch:
            self._is_committing = False
            return
        job = self._thread.submit(self._store, [answer for answer, _ in batch])
        job.add_done_callback(lambda done: self._loop.call_soon_threadsafe(self._committed, batch, done))

    def _committed(self, batch: list[_Waiting], done: "Future[None]") -> None:
        """Tell everybody who waits, also of a failure of the store, and go on with what came meanwhile."""
        error = done.exception()
        for _, stored in batch:
            if stored.done():  # its asker was cancelled
                continue
            if error:
                stored.set_exception(error)
            else:
                stored.set_result(None)
        self._commit()

    def _store(self, batch: list[Answer]) -> None:
        answers = [answer for answer in batch if answer.is_answer]
        failures = [answer for answer in batch if not answer.is_answer]
        if answers:
            self._answers.put(answers)
        if failures:
            self._answers.failed(failures)

    def close(self) -> None:
        """Store what was received and not yet stored, then end the thread. Blocks for one commit."""
        batch, self._pending = [answer for answer, _ in self._pending], []
        try:
            if batch:
                self._thread.submit(self._store, batch).result()
        finally:
            self._thread.shutdown(wait=True)
