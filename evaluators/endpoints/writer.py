"""Group commit: one thread stores everything that has arrived since its last commit."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from domain.answers import Answer, AnswerStore


class Writer:
    """Stores answers in batches; whoever handed one in is told when it is durable."""

    def __init__(self, answers: AnswerStore) -> None:
        self._answers = answers
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="answers")
        self._loop = asyncio.get_running_loop()
        self._pending: list[tuple[Answer, asyncio.Future[None]]] = []
        self._commit: asyncio.Task[None] | None = None

    async def keep(self, answer: Answer) -> None:
        """Return when the answer is stored; raises what the store raised."""
        stored: asyncio.Future[None] = self._loop.create_future()
        self._pending.append((answer, stored))
        if self._commit is None:
            self._commit = self._loop.create_task(self._commit_all())
        await stored

    async def _commit_all(self) -> None:
        """Commit until nothing is left. A failure of the store is told to everybody who waits for it."""
        while self._pending:
            batch, self._pending = self._pending, []
            job = self._thread.submit(self._store, [answer for answer, _ in batch])
            done = asyncio.wrap_future(job)
            await asyncio.wait([done])
            error = done.exception()
            for _, stored in batch:
                if stored.done():  # its asker was cancelled
                    continue
                if error:
                    stored.set_exception(error)
                else:
                    stored.set_result(None)
        self._commit = None

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
