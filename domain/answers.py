"""What is asked of a served model and what came back, one record per request."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from domain.hashing import sha256_of


class Route(StrEnum):
    """Route below the API's root."""

    CHAT = "chat/completions"
    COMPLETIONS = "completions"
    EMBEDDINGS = "embeddings"
    RERANK = "rerank"


class Outcome(StrEnum):
    """How a request ended. Only ERROR is asked again; the others are answers, each of its own kind."""

    ANSWERED = "answered"
    #: the server finished regularly and the text is empty or white space
    EMPTY = "empty"
    #: cut at the token limit, with or without text
    TRUNCATED = "truncated"
    #: withheld by the server's content filter
    FILTERED = "filtered"
    #: no usable answer after the last attempt (``error_class`` says which kind)
    ERROR = "error"


class ErrorClass(StrEnum):
    """Kinds of failure, as counted beside every score."""

    CONNECTION = "connection"
    TIMEOUT = "timeout"
    TLS = "tls"
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"
    RATE_LIMITED = "rate_limited"
    BAD_REQUEST = "bad_request"
    SERVER = "server"
    #: HTTP 200 whose body is an error, has no choices, a null content or is not JSON
    MALFORMED = "malformed"
    #: log-probabilities are missing or do not fit the prompt
    LOGPROBS = "logprobs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: a route and its whole JSON body (``model`` included)."""

    route: Route
    payload: Mapping[str, Any]
    #: Distinguishes repeated samples of one payload.
    repeat: int = 0

    def key(self, endpoint_id: str) -> str:
        """Name of the answer in the store: the same question to the same endpoint has the same key."""
        return sha256_of([endpoint_id, self.route, self.payload, self.repeat])


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """Natural log-probability of one token, with the most likely alternatives at its position."""

    token: str
    logprob: float
    #: ``(token, logprob)`` from most to least likely; empty when not asked for.
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer as it came."""

    key: str
    outcome: Outcome
    text: str = ""
    #: Reasoning the server returned apart from the answer.
    reasoning: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    #: Seconds from sending the last attempt to having read its body.
    latency_s: float = 0.0
    attempts: int = 1
    error_class: ErrorClass | None = None
    error: str | None = None
    #: Of generated tokens; with echo, of the prompt tokens the caller asked to keep.
    logprobs: tuple[TokenLogprob, ...] = ()
    #: Vectors of an embeddings request or scores of a rerank request.
    vectors: tuple[tuple[float, ...], ...] = ()
    #: Unix time at which the answer was complete.
    answered_at: float = 0.0

    @property
    def is_answer(self) -> bool:
        """Whether this may be stored and need not be asked again."""
        return self.outcome is not Outcome.ERROR


class AnswerStore(Protocol):
    """Where the answers of one run are kept. Implemented in db; a dictionary serves in tests."""

    def known(self, keys: Sequence[str]) -> dict[str, Answer]:
        """The stored answers among these keys."""

    def put(self, answers: Sequence[Answer]) -> None:
        """Keep answers durably; returns when they are. Called from a thread of the client's own."""

    def failed(self, answers: Sequence[Answer]) -> None:
        """Record failed requests for the reader; they are asked again on resume."""


@dataclass(slots=True)
class MemoryAnswers:
    """An AnswerStore that forgets at exit; for probes, tests and benchmarks of the client."""

    answers: dict[str, Answer] = field(default_factory=dict)
    failures: list[Answer] = field(default_factory=list)

    def known(self, keys: Iterable[str]) -> dict[str, Answer]:
        """See AnswerStore."""
        return {key: self.answers[key] for key in keys if key in self.answers}

    def put(self, answers: Sequence[Answer]) -> None:
        """See AnswerStore."""
        self.answers.update((answer.key, answer) for answer in answers)

    def failed(self, answers: Sequence[Answer]) -> None:
        """See AnswerStore."""
        self.failures.extend(answers)
