"""Log-likelihoods token by token: each token of the continuation is forced and its raw log-probability read.

The server adds a bias to the wanted token's logit, so that it is the one generated, and reports the log-probability
from before the bias. Whether it does is for the probe to verify; that the token is the wanted one is checked each time.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.answers import Answer, Request, Route
from evaluators.endpoints import token_logprobs
from evaluators.endpoints.client import Client, as_failure
from evaluators.endpoints.scored import Scored, failed, first_failure, total
from evaluators.endpoints.tokens import Ids
from evaluators.endpoints.values import is_count, is_logprob

_BIAS = 100


def score(client: Client, pairs: Sequence[tuple[Ids, Ids] | None]) -> list[Scored]:
    """One request per token of each continuation."""
    requests = [request for pair in pairs if pair for request in _requests(client, *pair)]
    answers = iter(client.ask(requests, check=check))
    return [_scored(answers, len(pair[1])) if pair else _unknown() for pair in pairs]


def _unknown() -> Scored:
    return failed("the server gave no token ids for this text")


def _requests(client: Client, context: Ids, continuation: Ids) -> Iterator[Request]:
    for index, wanted in enumerate(continuation):
        yield request(client.endpoint.model, context + continuation[:index], wanted)


def request(model: str, prompt: Ids, wanted: int | None, *, logprobs: int = 1) -> Request:
    """Generate one token after the prompt: this one, or the natural one when None."""
    payload: dict[str, Any] = {
        "model": model,
        "prompt": list(prompt),
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": logprobs,
        "return_tokens_as_token_ids": True,  # vLLM's way to name ids; llama.cpp names them anyway
    }
    if wanted is not None:
        payload["logit_bias"] = {str(wanted): _BIAS}
    return Request(route=Route.COMPLETIONS, payload=payload)


def check(request: Request, answer: Answer, body: Mapping[str, Any]) -> Answer:
    """An answer whose token is not the forced one is a failure."""
    wanted = next(int(token) for token in request.payload["logit_bias"])
    came = token_ids(body)[:1]
    if came != [wanted]:
        return as_failure(answer, f"token {wanted} was forced, but {came[0] if came else 'no token id'} came back")
    return answer if answer.logprobs else as_failure(answer, "the forced token has no log-probability")


def token_ids(body: Mapping[str, Any]) -> list[int]:
    """Ids of the generated tokens, in llama.cpp's shape or vLLM's; empty when the server does not tell them."""
    arrays = _arrays(body)
    if isinstance(content := arrays.get("content"), list):
        return [row["id"] for row in content if isinstance(row, Mapping) and is_count(row.get("id"))]
    names = arrays.get("tokens")
    numbers = [token_logprobs.id_in(str(name)) for name in names] if isinstance(names, list) else []
    return [number for number in numbers if number is not None]


def top_ids(body: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Ids and log-probabilities of the likeliest tokens at the first generated position, best first."""
    arrays = _arrays(body)
    first = arrays.get("content")
    if isinstance(first, list) and first:
        rows = first[0].get("top_logprobs") if isinstance(first[0], Mapping) else None
        pairs = token_logprobs.listed_top(rows, "id")
    else:
        tops = arrays.get("top_logprobs")
        named = token_logprobs.legacy_top(tops[0]) if isinstance(tops, list) and tops else ()
        pairs = [(token_logprobs.id_in(name), value) for name, value in named]
    known = [(token, float(value)) for token, value in pairs if is_count(token) and is_logprob(value)]
    return sorted(known, key=lambda pair: -pair[1])


def _arrays(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    arrays = choice.get("logprobs") if isinstance(choice, Mapping) else None
    return arrays if isinstance(arrays, Mapping) else {}


def _scored(answers: Iterator[Answer], count: int) -> Scored:
    mine = [next(answers) for _ in range(count)]
    if failure := first_failure(mine):
        return failure
    first = [answer.logprobs[0] for answer in mine]
    return total(mine, [(token.logprob, token.top[0][1] if token.top else None) for token in first])
