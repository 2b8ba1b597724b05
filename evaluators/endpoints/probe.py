"""Finds out by asking what an endpoint can do; nothing is taken from a name or a version."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from domain.answers import Answer, ErrorClass, MemoryAnswers, Request, Route
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.errors import EndpointRefused, EndpointUnreachable, VeraError
from evaluators.endpoints import addresses, letters, probe_logprobs, server_info
from evaluators.endpoints import probe_questions as questions
from evaluators.endpoints.client import Client
from evaluators.endpoints.findings import Claim
from evaluators.endpoints.retry import RetryPolicy
from evaluators.endpoints.tokens import Tokenizer

#: A probe is looked at by a person who waits for it.
_RETRY = RetryPolicy(attempts=2, timeout_attempts=1, malformed_attempts=2, base_s=0.3, retry_after_cap_s=20.0)
_LONGEST_WAIT_S = 60.0
_NO_CHAT = "Benchmarks that hold a conversation cannot run."
_NO_COMPLETIONS = "Benchmarks that continue a raw text, and log-likelihoods by completions, cannot run."


def probe(endpoint: Endpoint, *, api_key: str | None) -> Capabilities:
    """Ask real questions and keep the evidence.

    A missing capability is a finding. EndpointUnreachable or EndpointRefused is raised when nothing answers at all.
    """
    timeout_s = min(endpoint.timeout_s, _LONGEST_WAIT_S)
    found = asyncio.run(
        addresses.discover_async(endpoint.base_url, api_key=api_key, model=endpoint.model, timeout_s=timeout_s)
    )
    asked = replace(endpoint, base_url=found.base_url, timeout_s=timeout_s)
    client = Client(asked, api_key=api_key, answers=MemoryAnswers(), retry=_RETRY)
    first = _First(client)
    first.raise_if_silent()
    tokenizer = Tokenizer(client)
    findings = (*first.findings(), *_log_probabilities(client, first, tokenizer))
    route = Route.CHAT if first.answers["chat"].is_answer else Route.COMPLETIONS
    rates = server_info.measure_rates(client, route)
    info = asyncio.run(server_info.server_info(client, found.entries, first.body))
    server = " ".join(told for told in (found.server, info.build) if told) or None
    return Capabilities(
        endpoint_id=endpoint.id,
        probed_at=datetime.now(UTC),
        findings=findings,
        server=server,
        context_length=info.context_length,
        served_model=info.served_model,
        fingerprint=info.fingerprint,
        **rates._asdict(),
    )


class _First:
    """The questions that need nothing to be known before, asked at once, and one that follows from them."""

    def __init__(self, client: Client) -> None:
        model = client.endpoint.model
        requests = {
            "chat": questions.chat(model),
            "chat again": questions.chat(model, repeat=1),
            "system": questions.chat(model, system=questions.SYSTEM),
            "completion": questions.completion(model),
            "completion again": questions.completion(model, repeat=1),
            "top": letters.request(model, questions.QUESTION),
            "picture": questions.picture(model),
            "embedding": questions.embedding(model),
            "reranking": questions.reranking(model),
        }
        self.body: Mapping[str, Any] = {}
        answers = client.ask(list(requests.values()), check=self._look)
        self.answers = dict(zip(requests, answers, strict=True))
        self._client = client

    def _look(self, request: Request, answer: Answer, body: Mapping[str, Any]) -> Answer:
        if request.route is Route.CHAT or not self.body:
            self.body = body
        return answer

    def raise_if_silent(self) -> None:
        """Raise when no route gave any answer."""
        if any(answer.is_answer for answer in self.answers.values()):
            return
        answer, url = self.answers["chat"], self._client.endpoint.base_url
        error: type[VeraError] = EndpointRefused
        if answer.error_class in {ErrorClass.CONNECTION, ErrorClass.TIMEOUT, ErrorClass.TLS}:
            error = EndpointUnreachable
        raise error(f"{url} answers no question for the model {self._client.endpoint.model!r}: {answer.error}.")

    def findings(self) -> tuple[Finding, ...]:
        """What the answers show."""
        a = self.answers
        by_chat = a["chat"].is_answer
        plain, again = (a["chat"], a["chat again"]) if by_chat else (a["completion"], a["completion again"])
        return (
            questions.judge_route(Capability.CHAT, a["chat"], _NO_CHAT),
            questions.judge_route(Capability.COMPLETIONS, a["completion"], _NO_COMPLETIONS),
            questions.judge_system(a["chat"], a["system"]),
            self._stop(plain, by_chat=by_chat),
            questions.judge_repeatable(plain, again),
            questions.judge_picture(a["picture"]),
            questions.judge_embedding(a["embedding"]),
            questions.judge_reranking(a["reranking"]),
        )

    def _stop(self, plain: Answer, *, by_chat: bool) -> Finding:
        word = questions.stop_word(plain)
        if word is None:
            return questions.judge_stop(None, None)
        build = questions.chat if by_chat else questions.completion
        return questions.judge_stop(word, self._client.ask([build(self._client.endpoint.model, stop=[word])])[0])


def _log_probabilities(client: Client, first: _First, tokenizer: Tokenizer) -> tuple[Finding, ...]:
    """The four findings that log-likelihoods rest on."""
    ids = tokenizer.encode([questions.START], special=True)[questions.START]
    completion = first.answers["completion"]
    top, tokenize = (
        probe_logprobs.judge_top(first.answers["top"]),
        probe_logprobs.judge_tokenize(ids, completion),
    )
    if not completion.is_answer:
        reason = f"The endpoint has no completions route. {_NO_COMPLETIONS}"
        kinds = (Capability.ECHO_LOGPROBS, Capability.FORCED_LOGPROBS)
        return (*(Claim(kind, "–").no("–", reason) for kind in kinds), top, tokenize)
    echo = probe_logprobs.probe_echo(client, tokenizer if ids else None)
    return (echo, probe_logprobs.probe_forced(client, ids), top, tokenize)
