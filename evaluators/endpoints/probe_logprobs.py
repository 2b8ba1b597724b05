"""Which log-probabilities of an endpoint can be believed: each method is checked against what must be true."""

import math
from collections.abc import Mapping
from typing import Any

from domain.answers import Answer, Request
from domain.endpoints import Capability, Finding
from evaluators.endpoints import echo, forced, letters
from evaluators.endpoints.client import Client
from evaluators.endpoints.findings import Claim, excerpt
from evaluators.endpoints.probe_questions import START
from evaluators.endpoints.tokens import Ids, Tokenizer

#: A forced token's value may differ from its natural one by this much: servers compute in low precision and in batches.
_TOLERANCE_NATS = 0.1
_LIKELY, _ABSURD = " Paris", " banana"
_NO_CHOICES = "Multiple-choice tasks by log-likelihood need another method."


def judge_top(answer: Answer) -> Finding:
    """Whether the chat route tells the most likely tokens, as one distribution."""
    claim = Claim(Capability.TOP_LOGPROBS, f"The {letters.TOP_LOGPROBS} most likely first tokens of an answer.")
    if not answer.is_answer:
        return claim.no(answer, "They are refused; calibration by probabilities cannot run.")
    top = answer.logprobs[0].top if answer.logprobs else ()
    if len(top) < 2:
        return claim.no("none", "None came back; calibration by probabilities cannot run.")
    shown = ", ".join(f"{token!r} {math.exp(min(value, 0.0)):.3f}" for token, value in top[:3])
    if not letters.is_normalised(top):
        return claim.no(shown, "Their probabilities add up to more than 1, so they are not believed.")
    answered = f"{len(top)} tokens: {shown} …"
    return claim.yes(answered, "Probabilities of the first token are there and add up to at most 1.")


def judge_tokenize(ids: Ids | None, completion: Answer) -> Finding:
    """Whether the server tells token ids."""
    claim = Claim(Capability.TOKENIZE, f"Token ids of: {START}")
    if not ids:
        return claim.no("none", "The server has no /tokenize route.")
    answered = f"{len(ids)} ids"
    if completion.prompt_tokens is not None and completion.prompt_tokens != len(ids):
        reason = f"It gives ids, but the completions route counts {completion.prompt_tokens} tokens in the same text."
        return claim.yes(answered, reason)
    return claim.yes(answered, "The server tells how it cuts a text into tokens.")


def probe_echo(client: Client, tokenizer: Tokenizer | None) -> Finding:
    """Whether the prompt's own log-probabilities come back, one per token, and make sense."""
    claim = Claim(Capability.ECHO_LOGPROBS, f"Log-probabilities of {_LIKELY!r} and {_ABSURD!r} after: {START}")
    likely, absurd = echo.score(client, [(START, _LIKELY), (START, _ABSURD)], tokenizer=tokenizer)
    if likely.value is None or absurd.value is None:
        why = likely.reason or absurd.reason or "no values"
        return claim.no(why, f"The prompt is not echoed with its log-probabilities. {_NO_CHOICES}")
    answered = f"{likely.value:.2f} and {absurd.value:.2f}"
    if likely.value <= absurd.value:
        reason = f"The absurd word is not less likely, so the values are not believed. {_NO_CHOICES}"
        return claim.no(answered, reason)
    return claim.yes(answered, "One value per prompt token came back, and the likelier word is likelier.")


def probe_forced(client: Client, ids: Ids | None) -> Finding:
    """Whether a forced token's log-probability equals its natural one: of the second most likely token."""
    claim = Claim(Capability.FORCED_LOGPROBS, f"The runner-up after: {START} – as it is, and forced by logit_bias.")
    if not ids:
        return claim.no("–", f"Forcing tokens needs token ids, which the server does not tell. {_NO_CHOICES}")
    runner_up = _runner_up(client, ids)
    if isinstance(runner_up, str):
        return claim.no(runner_up, f"Tokens and their ids are not told together. {_NO_CHOICES}")
    token, natural = runner_up
    answer = client.ask([forced.request(client.endpoint.model, ids, token)], check=forced.check)[0]
    if not answer.is_answer:
        return claim.no(answer, f"The wanted token cannot be forced. {_NO_CHOICES}")
    value = answer.logprobs[0].logprob
    answered = f"{natural:.4f} as it is, {value:.4f} forced"
    if abs(value - natural) > _TOLERANCE_NATS:
        reason = f"The values differ: the server reports what it made of the bias, not the model's view. {_NO_CHOICES}"
        return claim.no(answered, reason)
    return claim.yes(answered, "A forced token keeps its own log-probability, so any text can be scored.")


def _runner_up(client: Client, ids: Ids) -> tuple[int, float] | str:
    """Id and log-probability of the second most likely token, or what came back instead."""
    seen: list[tuple[int, float]] = []

    def look(_request: Request, answer: Answer, body: Mapping[str, Any]) -> Answer:
        seen.extend(forced.top_ids(body))
        return answer

    answer = client.ask([forced.request(client.endpoint.model, ids, None, logprobs=5)], check=look)[0]
    if not answer.is_answer or len(seen) < 2:
        return excerpt(answer)
    return seen[1]
