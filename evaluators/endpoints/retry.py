"""When a request may be sent, when a failed one is asked again, and when the whole endpoint is given up."""

import asyncio
import random
import time
from dataclasses import dataclass

from domain.answers import Answer, ErrorClass

#: Failures that may pass by themselves.
_PASSING = {ErrorClass.CONNECTION, ErrorClass.RATE_LIMITED, ErrorClass.SERVER}
#: Failures that say something of the endpoint and nothing of the question.
_OUTAGE = {
    ErrorClass.CONNECTION,
    ErrorClass.TIMEOUT,
    ErrorClass.TLS,
    ErrorClass.UNAUTHORISED,
    ErrorClass.NOT_FOUND,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Exponential back-off with full jitter; a server's Retry-After is honoured on top.

    Full jitter (M. Brooker, "Exponential Backoff and Jitter", 2015): wait U(0, min(cap, base · 2^(attempt−1))).
    """

    #: Times a request is sent at most, the first one included.
    attempts: int = 6
    #: The same for requests that ran into the time limit, and for replies that hold no answer.
    timeout_attempts: int = 2
    malformed_attempts: int = 3
    base_s: float = 0.5
    cap_s: float = 30.0
    #: A server that wants a longer pause than this counts as refusing.
    retry_after_cap_s: float = 300.0
    #: Requests in a row that failed for the endpoint's sake before the rest is not asked any more.
    give_up_after: int = 20

    def again(self, answer: Answer, attempt: int, wait_s: float | None) -> bool:
        """Whether this failed attempt is followed by another one."""
        if wait_s is not None and wait_s > self.retry_after_cap_s:
            return False
        if answer.error_class in _PASSING:
            return attempt < self.attempts
        if answer.error_class is ErrorClass.TIMEOUT:
            return attempt < self.timeout_attempts
        return answer.error_class is ErrorClass.MALFORMED and attempt < self.malformed_attempts

    def delay_s(self, attempt: int, wait_s: float | None) -> float:
        """Pause after this attempt."""
        limit = self.base_s if wait_s is not None else min(self.cap_s, self.base_s * 2 ** (attempt - 1))
        return (wait_s or 0.0) + random.uniform(0, limit)  # noqa: S311 - spreads load, guards nothing


class Breaker:
    """Opens after so many requests in a row failed for the endpoint's sake, so that an outage does not take hours."""

    def __init__(self, give_up_after: int) -> None:
        self._give_up_after = give_up_after
        self._in_a_row = 0
        self._last: Answer | None = None

    def note(self, answer: Answer) -> None:
        """Count one finished request."""
        if answer.error_class in _OUTAGE:
            self._in_a_row += 1
            self._last = answer
        else:
            self._in_a_row = 0

    def half_open(self) -> None:
        """Let one request try again; its failure opens the breaker at once."""
        self._in_a_row = min(self._in_a_row, self._give_up_after - 1)

    @property
    def cause(self) -> Answer | None:
        """The last failure when the endpoint is given up, else None."""
        return self._last if self._in_a_row >= self._give_up_after else None


class Pacer:
    """Spaces requests evenly, so that no minute sees more of them than the endpoint may be sent; retries count too."""

    def __init__(self, per_minute: int | None) -> None:
        self._gap_s = 60.0 / per_minute if per_minute else 0.0
        self._free_at = 0.0

    async def turn(self) -> None:
        """Wait for the next turn."""
        if not self._gap_s:
            return
        now = time.monotonic()
        mine = max(now, self._free_at)
        self._free_at = mine + self._gap_s
        await asyncio.sleep(mine - now)
