"""From an HTTP reply to an Answer: what came back is named, never guessed and never turned into ""."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from domain.answers import ErrorClass, Outcome, Route, TokenLogprob

#: Reasoning written into the answer itself. Some chat templates put the opening tag into the prompt.
_THINK = re.compile(r"^\s*<think>(.*?)(?:</think>\s*|$)", re.DOTALL)
_THINK_CLOSED_ONLY = re.compile(r"^((?:(?!<think>).)*?)</think>\s*", re.DOTALL)
_STATUS_CLASS = {
    401: ErrorClass.UNAUTHORISED,
    403: ErrorClass.UNAUTHORISED,
    404: ErrorClass.NOT_FOUND,
    405: ErrorClass.NOT_FOUND,
    408: ErrorClass.TIMEOUT,
    429: ErrorClass.RATE_LIMITED,
    501: ErrorClass.NOT_FOUND,
    504: ErrorClass.TIMEOUT,
}
_LONGEST_ERROR = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What one HTTP reply says; the client adds when and how it was asked."""

    outcome: Outcome
    text: str = ""
    reasoning: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    logprobs: tuple[TokenLogprob, ...] = ()
    vectors: tuple[tuple[float, ...], ...] = ()
    error_class: ErrorClass | None = None
    error: str | None = None
    #: The JSON object as it came; None where there was none.
    body: Mapping[str, Any] | None = None


class _Malformed(Exception):
    """The body of a successful reply does not hold an answer."""


def read(route: Route, status: int, content: bytes) -> Reply:
    """The reply to a request of this route."""
    try:
        # Infinities and NaN are not JSON and cannot be stored; a missing number is what they are.
        body = json.loads(content, parse_constant=lambda _: None)
    except ValueError:
        body = None
    if status != HTTPStatus.OK:
        return _refused(status, content, body)
    try:
        return _READERS[route](body) if isinstance(body, Mapping) else _malformed(f"not JSON: {_excerpt(content)!r}")
    except _Malformed as error:
        return _malformed(str(error))


def _malformed(error: str) -> Reply:
    return Reply(outcome=Outcome.ERROR, error_class=ErrorClass.MALFORMED, error=error)


def with_location(reply: Reply, location: str | None) -> Reply:
    """A redirect is not followed, for it could carry the key to another host; where it leads is told."""
    return replace(reply, error=f"The address leads on to {location}.") if location else reply


def _refused(status: int, content: bytes, body: Any) -> Reply:
    error = body.get("error", body) if isinstance(body, Mapping) else None
    details = error if isinstance(error, Mapping) else {}
    code = str(details.get("code"))
    if code == "content_filter" or "content_filter" in str(details.get("innererror")).lower():
        return Reply(outcome=Outcome.FILTERED, finish_reason="content_filter", error=_message(body), body=body)
    kind = _STATUS_CLASS.get(status) or (ErrorClass.SERVER if status >= 500 else ErrorClass.BAD_REQUEST)
    if 300 <= status < 400:
        kind = ErrorClass.NOT_FOUND
    if code == "insufficient_quota":  # waiting does not help, unlike after other 429s
        kind = ErrorClass.UNAUTHORISED
    text = _message(body) or _excerpt(content)
    return Reply(outcome=Outcome.ERROR, error_class=kind, error=f"HTTP {status}: {text}" if text else f"HTTP {status}")


def _message(body: Any) -> str | None:
    """The error text of a body, in the shapes servers use."""
    if not isinstance(body, Mapping):
        return None
    error = body.get("error", body)
    if isinstance(error, Mapping):
        error = error.get("message") or error.get("detail") or error.get("type")
    return _clean(error if isinstance(error, str) else json.dumps(error))[:_LONGEST_ERROR] if error else None


def _excerpt(content: bytes) -> str:
    return " ".join(content[:_LONGEST_ERROR].decode(errors="replace").split())[:120]


def _chat(body: Mapping[str, Any]) -> Reply:
    choice = _choice(body)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise _Malformed("the choice has no message")
    content, thoughts = _content(message.get("content"))
    reasoning = message.get("reasoning_content") or message.get("reasoning") or thoughts
    reasoning = _clean(reasoning) if isinstance(reasoning, str) else None
    if content is None and isinstance(message.get("refusal"), str):
        content = message["refusal"]
    if content is None and reasoning is None and not _hidden_reasoning(body):
        raise _Malformed("the message's content is null")
    text = _clean(content or "")
    if reasoning is None:
        text, reasoning = split_reasoning(text)
    return _answer(body, choice, text, reasoning=reasoning, logprobs=token_logprobs(choice.get("logprobs")))


def _completions(body: Mapping[str, Any]) -> Reply:
    choice = _choice(body)
    if not isinstance(choice.get("text"), str):
        raise _Malformed("the choice's text is null")
    return _answer(body, choice, _clean(choice["text"]), logprobs=token_logprobs(choice.get("logprobs")))


def _answer(
    body: Mapping[str, Any],
    choice: Mapping[str, Any],
    text: str,
    *,
    reasoning: str | None = None,
    logprobs: tuple[TokenLogprob, ...],
) -> Reply:
    finish = choice.get("finish_reason")
    outcome = {"length": Outcome.TRUNCATED, "content_filter": Outcome.FILTERED}.get(str(finish))
    prompt_tokens, completion_tokens = _usage(body)
    return Reply(
        outcome=outcome or (Outcome.ANSWERED if text.strip() else Outcome.EMPTY),
        text=text,
        reasoning=reasoning,
        finish_reason=finish if isinstance(finish, str) else None,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        logprobs=logprobs,
        body=body,
    )


def _embeddings(body: Mapping[str, Any]) -> Reply:
    rows = sorted(_rows(body, "data"), key=_index)
    return _vectors(body, [_floats(row.get("embedding")) for row in rows])


def _rerank(body: Mapping[str, Any]) -> Reply:
    rows = sorted(_rows(body, "results"), key=_index)
    return _vectors(body, [_floats([row.get("relevance_score", row.get("score"))]) for row in rows])


def _vectors(body: Mapping[str, Any], vectors: Sequence[tuple[float, ...]]) -> Reply:
    prompt_tokens, completion_tokens = _usage(body)
    return Reply(
        outcome=Outcome.ANSWERED,
        vectors=tuple(vectors),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        body=body,
    )


_READERS = {
    Route.CHAT: _chat,
    Route.COMPLETIONS: _completions,
    Route.EMBEDDINGS: _embeddings,
    Route.RERANK: _rerank,
}


def _choice(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return choices[0]
    raise _Malformed(f"HTTP 200 with an error: {_message(body)}" if body.get("error") else "the reply has no choices")


def _rows(body: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    rows = body.get(name)
    if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
        return rows
    raise _Malformed(f"HTTP 200 with an error: {_message(body)}" if body.get("error") else f"the reply has no {name}")


def _index(row: Mapping[str, Any]) -> int:
    index = row.get("index")
    if isinstance(index, int):
        return index
    raise _Malformed("a row of the reply has no index")


def _floats(values: Any) -> tuple[float, ...]:
    if isinstance(values, list) and values and all(_is_number(value) for value in values):
        return tuple(float(value) for value in values)
    raise _Malformed("a row of the reply has no numbers")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _usage(body: Mapping[str, Any]) -> tuple[int | None, int | None]:
    usage = body.get("usage")
    if not isinstance(usage, Mapping):
        return None, None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    return tuple(count if isinstance(count, int) else None for count in counts)  # type: ignore[return-value]


def _hidden_reasoning(body: Mapping[str, Any]) -> bool:
    """Whether the server counted reasoning tokens it does not show."""
    usage = body.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, Mapping) else None
    return bool(isinstance(details, Mapping) and details.get("reasoning_tokens"))


def _content(content: Any) -> tuple[str | None, str | None]:
    """Text and reasoning of a message's content: a text, or a list of typed parts."""
    if content is None or isinstance(content, str):
        return content, None
    if not isinstance(content, list):
        raise _Malformed("the message's content is neither text nor a list of parts")
    parts = [part for part in content if isinstance(part, Mapping)]
    thoughts = [json.dumps(p.get("thinking"), ensure_ascii=False) for p in parts if p.get("type") == "thinking"]
    return "".join(str(p["text"]) for p in parts if isinstance(p.get("text"), str)), "\n".join(thoughts) or None


def split_reasoning(text: str) -> tuple[str, str | None]:
    """The answer, and the reasoning a server left at the start of it.

    >>> split_reasoning("<think>2+2</think> 4")
    ('4', '2+2')
    >>> split_reasoning("4")
    ('4', None)
    """
    if "think>" not in text:
        return text, None
    match = _THINK.match(text) or _THINK_CLOSED_ONLY.match(text)
    return (text[match.end() :], match.group(1).strip()) if match else (text, None)


def _clean(text: str) -> str:
    """Half surrogate pairs, which no database takes, become the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_surrogates(text) else text


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def token_logprobs(logprobs: Any) -> tuple[TokenLogprob, ...]:
    """Both shapes of log-probabilities; tokens without a number (the first of an echoed prompt) are left out."""
    if not isinstance(logprobs, Mapping):
        return ()
    if isinstance(logprobs.get("content"), list):
        return tuple(_token(e) for e in logprobs["content"] if isinstance(e, Mapping) and _is_number(e.get("logprob")))
    tokens, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(tokens, list) or not isinstance(values, list) or len(tokens) != len(values):
        return ()
    tops = logprobs.get("top_logprobs")
    tops = tops if isinstance(tops, list) and len(tops) == len(tokens) else [None] * len(tokens)
    rows = zip(tokens, values, tops, strict=True)
    return tuple(TokenLogprob(str(t), float(v), legacy_top(top)) for t, v, top in rows if _is_number(v))


def legacy_top(top: Any) -> tuple[tuple[str, float], ...]:
    """Alternatives of one position of the legacy arrays, best first."""
    if not isinstance(top, Mapping):
        return ()
    pairs = [(str(token), float(value)) for token, value in top.items() if _is_number(value)]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _token(entry: Mapping[str, Any]) -> TokenLogprob:
    alternatives = entry.get("top_logprobs")
    rows = alternatives if isinstance(alternatives, list) else []
    pairs = [
        (_clean(str(row.get("token"))), float(row["logprob"]))
        for row in rows
        if isinstance(row, Mapping) and _is_number(row.get("logprob"))
    ]
    pairs.sort(key=lambda pair: -pair[1])
    return TokenLogprob(_clean(str(entry.get("token"))), float(entry["logprob"]), tuple(pairs))
