"""Asks a served model many questions at once and keeps every answer before it goes on."""

import asyncio
import hashlib
import io
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp
from yarl import URL

from domain.answers import Answer, AnswerStore, ErrorClass, Outcome, Request, Route
from domain.endpoints import Endpoint
from domain.hashing import canonical_json
from evaluators.endpoints import lanes, replies, transport
from evaluators.endpoints.retry import Breaker, Pacer, RetryPolicy
from evaluators.endpoints.writer import Writer

#: Told of each answer once it is stored; ``reused`` when it was known before. Raising from it stops asking.
OnAnswer = Callable[[Answer, bool], None]
#: Looks at an answer and the JSON it was read from before it is stored; may trim it or turn it into an error.
Check = Callable[[Request, Answer, Mapping[str, Any]], Answer]
#: aiohttp warns of larger bodies given as bytes.
_LARGE_BODY = 2**20


@dataclass(frozen=True, slots=True)
class _Job:
    """One distinct request: what is hashed is what is sent, made once."""

    key: str
    request: Request
    body: bytes


@dataclass(slots=True)
class _Batch:
    """The state of one call of ask."""

    session: aiohttp.ClientSession
    writer: Writer
    todo: deque[_Job]
    asked: Counter[str]
    check: Check | None
    answers: dict[str, Answer] = field(default_factory=dict)
    #: No request is sent before this time of the loop: a server's Retry-After holds for all of them.
    not_before: float = 0.0

    def wait(self, wait_s: float | None) -> None:
        """Take note of a pause the server asked for."""
        if wait_s is not None:
            self.not_before = max(self.not_before, asyncio.get_running_loop().time() + wait_s)

    async def pause(self) -> None:
        """Wait as long as the server asked for; it may have asked again meanwhile."""
        now = asyncio.get_running_loop().time
        while self.not_before > now():  # noqa: ASYNC110 - the time is what is waited for
            await asyncio.sleep(self.not_before - now())


class Client:
    """The one way to a served model. An error is an answer of its own kind; nothing is asked twice."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        api_key: str | None,
        answers: AnswerStore,
        on_answer: OnAnswer | None = None,
        retry: RetryPolicy | None = None,
    ) -> None:
        self.endpoint = endpoint
        self._api_key = api_key
        self._answers = answers
        self._on_answer = on_answer
        self._retry = retry or RetryPolicy()
        self._breaker = Breaker(self._retry.give_up_after)
        self._pacer = Pacer(endpoint.requests_per_minute)
        self._urls = {route: URL(f"{endpoint.base_url}/{route}") for route in Route}

    def __repr__(self) -> str:
        return f"Client({self.endpoint.name!r}, {self.endpoint.base_url!r}, {self.endpoint.model!r})"

    def ask(self, requests: Sequence[Request], *, check: Check | None = None) -> list[Answer]:
        """Answers in the order of the requests. Blocks; runs an event loop of its own."""
        with asyncio.Runner() as runner:
            return runner.run(self.ask_async(requests, check=check))

    async def ask_async(self, requests: Sequence[Request], *, check: Check | None = None) -> list[Answer]:
        """See ask."""
        jobs = [self._job(request) for request in requests]
        asked = Counter(job.key for job in jobs)
        known = self._answers.known(list(asked))
        for answer in known.values():
            self._tell(answer, reused=asked[answer.key], new=0)
        distinct = {job.key: job for job in jobs if job.key not in known}
        fresh = await self._ask_all(self._in_order(list(distinct.values())), asked, check) if distinct else {}
        return [known[job.key] if job.key in known else fresh[job.key] for job in jobs]

    def session(self) -> aiohttp.ClientSession:
        """A session with this endpoint's key, for the few requests that are no questions."""
        return transport.open_session(
            self.endpoint.base_url,
            api_key=self._api_key,
            max_in_flight=self.endpoint.max_in_flight,
            timeout_s=self.endpoint.timeout_s,
        )

    def _job(self, request: Request) -> _Job:
        """Key and body from one serialisation: the body is the payload's part of the text that is hashed."""
        text = canonical_json([self.endpoint.id, request.route, request.payload, request.repeat])
        # A lone surrogate has no UTF-8 form; escaped, it is JSON with the hash domain.hashing gives it.
        hashed = text.encode("utf-8", "backslashreplace")
        head = canonical_json([self.endpoint.id, request.route]).encode()
        body = hashed[len(head) : -len(f",{request.repeat}]")]
        return _Job(hashlib.sha256(hashed).hexdigest(), request, body)

    def _in_order(self, jobs: Sequence[_Job]) -> deque[_Job]:
        places = lanes.order([job.body for job in jobs], lanes=self.endpoint.max_in_flight)
        return deque(jobs[place] for place in places)

    async def _ask_all(self, todo: deque[_Job], asked: Counter[str], check: Check | None) -> dict[str, Answer]:
        self._breaker.half_open()
        async with self.session() as session:
            batch = _Batch(session, Writer(self._answers), todo, asked, check)
            slots = min(self.endpoint.max_in_flight, len(todo))
            tasks = [asyncio.create_task(self._fill_slot(batch)) for _ in range(slots)]
            try:
                await asyncio.gather(*tasks)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                batch.writer.close()
        return batch.answers

    async def _fill_slot(self, batch: _Batch) -> None:
        """Ask one request after the other; the slot is free again only when the answer is stored."""
        while batch.todo:
            job = batch.todo.popleft()
            answer = await self._answer(batch, job)
            await batch.writer.keep(answer)
            batch.answers[job.key] = answer
            self._tell(answer, reused=batch.asked[job.key] - 1, new=1)

    def _tell(self, answer: Answer, *, reused: int, new: int) -> None:
        if self._on_answer is None:
            return
        for index in range(new + reused):
            self._on_answer(answer, index >= new)

    async def _answer(self, batch: _Batch, job: _Job) -> Answer:
        """The answer of the last attempt."""
        attempt = 0
        while True:
            if cause := self._breaker.cause:
                return _not_asked(job, cause, attempt, self._retry.give_up_after)
            await self._pacer.turn()
            await batch.pause()
            attempt += 1
            answer, wait_s = await self._attempt(batch, job, attempt)
            if answer.is_answer or not self._retry.again(answer, attempt, wait_s):
                self._breaker.note(answer)
                return answer
            batch.wait(wait_s)
            await asyncio.sleep(self._retry.delay_s(attempt, wait_s))

    async def _attempt(self, batch: _Batch, job: _Job, attempt: int) -> tuple[Answer, float | None]:
        """One exchange with the server, and the pause the server asks for."""
        started = time.perf_counter()
        body = io.BytesIO(job.body) if len(job.body) >= _LARGE_BODY else job.body
        wait_s = None
        try:
            async with batch.session.post(
                self._urls[job.request.route], data=body, allow_redirects=False
            ) as response:  # a redirect could carry the key to another host
                echoed = bool(job.request.payload.get("echo"))
                reply = replies.read(job.request.route, response.status, await transport.read(response), echoed=echoed)
                if reply.outcome is Outcome.ERROR:
                    reply = replies.with_location(reply, response.headers.get("Location"))
                    wait_s = transport.retry_after_s(response.headers)
        except transport.NETWORK_ERRORS as error:
            kind, sentence = transport.classify(error)
            reply = replies.Reply(outcome=Outcome.ERROR, error_class=kind, error=sentence)
        answer = self._record(job, reply, attempt, time.perf_counter() - started)
        if batch.check and answer.is_answer and reply.body is not None:
            answer = batch.check(job.request, answer, reply.body)
        return answer, wait_s

    def _record(self, job: _Job, reply: replies.Reply, attempt: int, latency_s: float) -> Answer:
        error = reply.error
        if error and self._api_key:  # some servers quote the key they refuse
            error = error.replace(self._api_key, "[key]")
        return Answer(
            key=job.key,
            outcome=reply.outcome,
            text=reply.text,
            reasoning=reply.reasoning,
            finish_reason=reply.finish_reason,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            latency_s=latency_s,
            attempts=attempt,
            error_class=reply.error_class,
            error=error,
            logprobs=reply.logprobs,
            vectors=reply.vectors,
            answered_at=time.time(),
        )


def _not_asked(job: _Job, cause: Answer, attempts: int, in_a_row: int) -> Answer:
    text = f"Not asked any more: {in_a_row} requests in a row failed, the last one with: {cause.error}"
    return replace(cause, key=job.key, attempts=attempts, error=text, error_class=cause.error_class)


def as_failure(answer: Answer, error: str, kind: ErrorClass = ErrorClass.LOGPROBS) -> Answer:
    """The same exchange as a failure, for a check that finds the answer wanting."""
    return replace(answer, outcome=Outcome.ERROR, error_class=kind, error=error, logprobs=())
