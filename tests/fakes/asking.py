"""Endpoints and requests as tests of the client need them."""

from datetime import UTC, datetime
from typing import Any

from domain.answers import AnswerStore, MemoryAnswers, Request, Route
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from evaluators.endpoints.client import Client
from evaluators.endpoints.retry import RetryPolicy

MOMENT = datetime(2026, 11, 3, 9, 0, 0, tzinfo=UTC)
#: Retries as in earnest, with pauses a test can wait for.
QUICK = RetryPolicy(base_s=0.01, cap_s=0.05)


def endpoint(base_url: str, **changes: Any) -> Endpoint:
    """An endpoint of the fake server's model."""
    usual = {"id": "e1", "name": "fake", "base_url": base_url, "model": "fake-model", "created_at": MOMENT}
    return Endpoint(**(usual | changes))


def client(base_url: str, *, answers: AnswerStore | None = None, **changes: Any) -> Client:
    """A client with quick retries; what is not the client's goes to its endpoint."""
    own = {name: changes.pop(name) for name in ("on_answer", "retry", "api_key") if name in changes}
    keeps = MemoryAnswers() if answers is None else answers
    return Client(endpoint(base_url, **changes), answers=keeps, **({"api_key": None, "retry": QUICK} | own))


def question(index: int, **more: Any) -> Request:
    """A chat request whose right answer is ``sum_of(index)``."""
    message = {"role": "user", "content": f"What is {index} + 4?"}
    return Request(route=Route.CHAT, payload={"model": "fake-model", "messages": [message], "max_tokens": 16, **more})


def sum_of(index: int) -> str:
    """The right answer to a question."""
    return str(index + 4)


def capabilities(*having: Capability, **more: Any) -> Capabilities:
    """The result of a probe that found just these."""
    findings = tuple(Finding(capability=c, available=True, asked="", answered="", reason="") for c in having)
    return Capabilities(endpoint_id="e1", probed_at=MOMENT, findings=findings, **more)
