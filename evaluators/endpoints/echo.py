"""Log-likelihoods from the prompt's own log-probabilities: legacy completions with echo."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from domain.answers import Answer, ErrorClass, Outcome, Request, Route, TokenLogprob
from evaluators.endpoints import token_logprobs
from evaluators.endpoints.client import Client, as_failure
from evaluators.endpoints.scored import Scored, failed, first_failure, total
from evaluators.endpoints.token_logprobs import Row
from evaluators.endpoints.tokens import Ids, Tokenizer
from evaluators.endpoints.values import clean, is_logprob


class _Mismatch(Exception):
    """The arrays that came back do not fit the prompt that was sent."""


def score(client: Client, pairs: Sequence[tuple[str, str]], *, tokenizer: Tokenizer | None) -> list[Scored]:
    """Score by text; as token ids where the tokens' texts do not add up and the server has a tokenizer.

    Some servers return tokens without their space. The first pair shows it, so that it is not found out pair by pair.
    """
    if tokenizer is None or not pairs:
        return _by_text(client, pairs)
    scored = _by_text(client, pairs[:1])
    usable = scored[0].error is not ErrorClass.LOGPROBS
    scored += _by_text(client, pairs[1:]) if usable else scored * (len(pairs) - 1)
    again = [i for i, result in enumerate(scored) if result.error is ErrorClass.LOGPROBS]
    if again:
        encoded = tokenizer.pairs([pairs[i] for i in again])
        for i, result in zip(again, by_ids(client, encoded), strict=True):
            scored[i] = result
    return scored


def _by_text(client: Client, pairs: Sequence[tuple[str, str]]) -> list[Scored]:
    kept: dict[str, int] = {}
    for context, continuation in pairs:
        kept[context + continuation] = max(kept.get(context + continuation, 0), len(continuation))

    def check(request: Request, answer: Answer, body: Mapping[str, Any]) -> Answer:
        whole = request.payload["prompt"]
        return checked_text(body, answer, whole, keep=kept[whole])

    answers = client.ask([_request(client, context + after) for context, after in pairs], check=check)
    return [_scored(answer, _tail(answer, after)) for answer, (_, after) in zip(answers, pairs, strict=True)]


def checked_text(body: Mapping[str, Any], answer: Answer, whole: str, *, keep: int) -> Answer:
    """The answer with the log-probabilities of the last characters of the prompt, or a failure."""
    try:
        tokens, generated = _read(body, answer)
        tokens = _prompt_part(tokens, whole)
        _compare_usage(answer, len(tokens))
        kept_tokens = _numbers(tokens[_start_of([token for token, _, _ in tokens], keep) :])
    except _Mismatch as error:
        return as_failure(answer, str(error))
    return replace(answer, text=generated[len(whole) :] if generated.startswith(whole) else "", logprobs=kept_tokens)


def by_ids(client: Client, pairs: Sequence[tuple[Ids, Ids] | None]) -> list[Scored]:
    """Score token ids: the arrays must be as long as the prompt, to the token."""
    kept: dict[Ids, int] = {}
    for pair in filter(None, pairs):
        kept[pair[0] + pair[1]] = max(kept.get(pair[0] + pair[1], 0), len(pair[1]))

    def check(request: Request, answer: Answer, body: Mapping[str, Any]) -> Answer:
        ids = tuple(request.payload["prompt"])
        return checked_ids(body, answer, ids, keep=kept[ids])

    asked = [pair for pair in pairs if pair]
    answers = iter(client.ask([_request(client, list(a + b)) for a, b in asked], check=check))
    missing = failed("the server gave no token ids for this text")
    return [_scored(answer := next(answers), answer.logprobs[-len(pair[1]) :]) if pair else missing for pair in pairs]


def checked_ids(body: Mapping[str, Any], answer: Answer, ids: Ids, *, keep: int) -> Answer:
    """The answer with the log-probabilities of the last ids of the prompt, or a failure."""
    try:
        tokens, _ = _read(body, answer)
        _compare_usage(answer, len(ids))
        if len(tokens) != len(ids):
            _show_generated(tokens, answer, ids)
        kept_tokens = _numbers(tokens[len(ids) - keep : len(ids)])
    except _Mismatch as error:
        return as_failure(answer, str(error))
    return replace(answer, text="", logprobs=kept_tokens)


def _show_generated(rows: list[Row], answer: Answer, ids: Ids) -> None:
    """A mismatch unless the one row beyond the prompt is the generated token; a BOS would shift all values."""
    if len(rows) != len(ids) + 1:
        raise _Mismatch(f"{len(rows)} log-probabilities for a prompt of {len(ids)} tokens")
    named = [token_logprobs.id_in(token) for token, _, _ in rows]
    if named[0] is not None:
        is_shown = named[: len(ids)] == list(ids)
    else:
        is_shown = answer.prompt_tokens == len(ids) and answer.completion_tokens != 0
    if not is_shown:
        raise _Mismatch(
            f"{len(rows)} log-probabilities for a prompt of {len(ids)} tokens, and nothing shows whether the first or "
            "the last of them is not of the prompt"
        )


def _request(client: Client, prompt: str | list[int]) -> Request:
    payload = {
        "model": client.endpoint.model,
        "prompt": prompt,
        "max_tokens": 1,  # 0 would do, but several servers refuse it
        "temperature": 0,
        "logprobs": 1,
        "echo": True,
    }
    return Request(route=Route.COMPLETIONS, payload=payload)


def _scored(answer: Answer, tokens: Sequence[TokenLogprob] | None) -> Scored:
    if failure := first_failure([answer]):
        return failure
    if not tokens:
        return failed("no token ends where the context ends", answers=[answer])
    return total([answer], [(token.logprob, token.top[0][1] if token.top else None) for token in tokens])


def _read(body: Mapping[str, Any], answer: Answer) -> tuple[list[Row], str]:
    """The legacy arrays as rows, and the text that came with them."""
    if answer.outcome is Outcome.FILTERED:
        raise _Mismatch("the server's content filter withheld the prompt")
    choice = body["choices"][0]
    arrays = choice.get("logprobs")
    rows = token_logprobs.legacy_rows(arrays) if isinstance(arrays, Mapping) else []
    if not rows:
        raise _Mismatch("no log-probabilities of the prompt came back")
    if rows[0][1] is not None:
        raise _Mismatch("the first token has a log-probability, so the prompt was not echoed from its beginning")
    odd = next((value for _, value, _ in rows if value is not None and not is_logprob(value)), None)
    if odd is not None:
        raise _Mismatch(f"{repr(odd)[:40]} came back where a log-probability should be")
    return rows, str(choice.get("text"))


def _compare_usage(answer: Answer, count: int) -> None:
    if answer.prompt_tokens not in {None, count}:
        raise _Mismatch(f"{count} echoed tokens, but the server counts {answer.prompt_tokens} in the prompt")


def _prompt_part(rows: list[Row], whole: str) -> list[Row]:
    """The rows of the prompt: without the generated token, and with a BOS the server may have put before."""
    for count in (len(rows) - 1, len(rows)):
        text = "".join(token for token, _, _ in rows[:count])
        front = len(text) - len(whole)
        if text.endswith(whole) and front in {0, len(rows[0][0])}:
            return rows[:count]
    raise _Mismatch("the echoed tokens do not add up to the prompt")


def _start_of(tokens: Sequence[str], length: int) -> int:
    """The first of the tokens that make up the last characters; one that spans the boundary is a mismatch."""
    start = len(tokens)
    while length > 0 and start > 0:
        start -= 1
        length -= len(tokens[start])
    if length != 0:
        raise _Mismatch("a token spans the boundary between context and continuation")
    return start


def _numbers(rows: Sequence[Row]) -> tuple[TokenLogprob, ...]:
    if any(value is None for _, value, _ in rows):
        raise _Mismatch("a token of the continuation has no log-probability")
    return tuple(TokenLogprob(clean(token), float(value), token_logprobs.legacy_top(top)) for token, value, top in rows)


def _tail(answer: Answer, continuation: str) -> tuple[TokenLogprob, ...] | None:
    """The kept tokens that make up this continuation."""
    try:
        start = _start_of([token.token for token in answer.logprobs], len(continuation))
    except _Mismatch:
        return None
    return answer.logprobs[start:]
