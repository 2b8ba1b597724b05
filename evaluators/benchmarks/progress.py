"""How far a benchmark is, counted from the answers as they come."""

import time
from collections import Counter
from collections.abc import Callable, Sequence

from domain.answers import Answer, AnswerStore, Request
from domain.benchmarks import Progress, Tick
from domain.endpoints import Endpoint
from evaluators.endpoints.client import Check, Client

_EVERY_S = 1.0


class Counting:
    """Tells a Progress about once a second; whatever that raises stops the asking."""

    def __init__(self, progress: Progress, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._progress = progress
        self._clock = clock
        self._told_at = float("-inf")
        self._done = self._total = self._reused = 0
        self._prompt_tokens = self._completion_tokens = 0
        self._errors: Counter[str] = Counter()

    def plan(self, requests: int) -> None:
        """So many more requests are going to be asked."""
        self._total += requests
        self.tell()

    def on_answer(self, answer: Answer, reused: bool) -> None:  # noqa: FBT001 - the client's callback
        """Count one answer."""
        self._done += 1
        self._reused += reused
        if answer.error_class is not None and not answer.is_answer:
            self._errors[answer.error_class.value] += 1
        if not reused:
            self._prompt_tokens += answer.prompt_tokens or 0
            self._completion_tokens += answer.completion_tokens or 0
        if self._clock() - self._told_at >= _EVERY_S:
            self.tell()

    def tell(self) -> None:
        """Report now."""
        self._told_at = self._clock()
        self._progress(
            Tick(
                done=self._done,
                total=max(self._total, self._done),
                errors=dict(self._errors),
                prompt_tokens=self._prompt_tokens,
                completion_tokens=self._completion_tokens,
                reused=self._reused,
            )
        )


class CountedClient(Client):
    """A client whose every request is part of the benchmark's total as soon as it is known."""

    def __init__(self, endpoint: Endpoint, *, api_key: str | None, answers: AnswerStore, counting: Counting) -> None:
        super().__init__(endpoint, api_key=api_key, answers=answers, on_answer=counting.on_answer)
        self._counting = counting
        self._foreseen = 0

    def tell(self) -> None:
        """Report now, where something else than an answer took its time; what a Progress raises stops the run."""
        self._counting.tell()

    def foresee(self, requests: int) -> None:
        """So many requests will come, though not all are known yet; they are in the total from now on."""
        self._counting.plan(requests)
        self._foreseen += requests

    def forgo(self) -> None:
        """What was foreseen and has not come will not come."""
        self._counting.plan(-self._foreseen)
        self._foreseen = 0

    def ask(self, requests: Sequence[Request], *, check: Check | None = None) -> list[Answer]:
        """See Client."""
        foreseen = min(self._foreseen, len(requests))
        self._foreseen -= foreseen
        self._counting.plan(len(requests) - foreseen)
        return super().ask(requests, check=check)
