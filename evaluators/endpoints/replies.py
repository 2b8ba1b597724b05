"""From an HTTP reply to an Answer: what came back is named, never guessed and never turned into ""."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from domain.answers import ErrorClass, Outcome, Route, TokenLogprob
from evaluators.endpoints import token_logprobs
from evaluators.endpoints.values import clean, is_count, is_number

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
#: Finish reasons of the servers there are, in lower case.
_REGULAR_END = frozenset(
    {"stop", "eos", "eos_token", "stop_sequence", "end_turn", "complete", "tool_calls", "function_call"}
)
_LIMIT = frozenset({"length", "max_tokens"})
_BROKEN_OFF = frozenset({"error", "abort"})


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


def read(route: Route, status: int, content: bytes, *, echoed: bool = False) -> Reply:
    """The reply to a request of this route; log-probabilities of an echoed prompt are left to who asked for them."""
    try:
        # Infinities and NaN are not JSON and cannot be stored; a missing number is what they are.
        body = json.loads(content, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        body = None
    if status != HTTPStatus.OK:
        return _refused(status, content, body)
    try:
        if not isinstance(body, Mapping):
            return _malformed(f"not JSON: {_excerpt(content)!r}")
        return _echoed(body) if echoed else _READERS[route](body)
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
    return clean(error if isinstance(error, str) else json.dumps(error))[:_LONGEST_ERROR] if error else None


def _excerpt(content: bytes) -> str:
    return " ".join(content[:_LONGEST_ERROR].decode(errors="replace").split())[:120]


def _chat(body: Mapping[str, Any]) -> Reply:
    choice = _choice(body)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise _Malformed("the choice has no message")
    content, thoughts = _content(message.get("content"))
    reasoning = message.get("reasoning_content") or message.get("reasoning") or thoughts
    reasoning = clean(reasoning) if isinstance(reasoning, str) else None
    if content is None and isinstance(message.get("refusal"), str):
        content = message["refusal"]
    if content is None and reasoning is None and not _hidden_reasoning(body):
        raise _Malformed("the message's content is null")
    text = clean(content or "")
    if reasoning is None:
        text, reasoning = split_reasoning(text)
    return _answer(body, choice, text, reasoning=reasoning, logprobs=token_logprobs.read(choice.get("logprobs")))


def _completions(body: Mapping[str, Any]) -> Reply:
    choice = _choice(body)
    return _answer(body, choice, _text(choice), logprobs=token_logprobs.read(choice.get("logprobs")))


def _echoed(body: Mapping[str, Any]) -> Reply:
    choice = _choice(body)
    return _answer(body, choice, _text(choice), logprobs=())


def _text(choice: Mapping[str, Any]) -> str:
    if not isinstance(choice.get("text"), str):
        raise _Malformed("the choice's text is null")
    return clean(choice["text"])


def _answer(
    body: Mapping[str, Any],
    choice: Mapping[str, Any],
    text: str,
    *,
    reasoning: str | None = None,
    logprobs: tuple[TokenLogprob, ...],
) -> Reply:
    finish = clean(reason) if isinstance(reason := choice.get("finish_reason"), str) else None
    outcome = _outcome(body, choice, text, finish)
    prompt_tokens, completion_tokens = _usage(body)
    return Reply(
        outcome=outcome,
        text=text,
        reasoning=reasoning,
        finish_reason=finish,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        logprobs=logprobs,
        body=body,
    )


def _outcome(body: Mapping[str, Any], choice: Mapping[str, Any], text: str, finish: str | None) -> Outcome:
    """How a choice ended; a text that a failure cut off is no answer, and nor is nothing without a regular end."""
    word = (finish or "").lower()
    if word == "content_filter":
        return Outcome.FILTERED
    _refuse_error(body)
    _refuse_error(choice)
    if word in _BROKEN_OFF:
        raise _Malformed(f"the server broke off: its finish reason is {finish!r}")
    if word in _LIMIT:
        return Outcome.TRUNCATED
    if text.strip():
        return Outcome.ANSWERED
    if word not in _REGULAR_END:
        raise _Malformed(f"the text is empty, and the finish reason {finish!r} is no regular end")
    return Outcome.EMPTY


def _refuse_error(holder: Mapping[str, Any]) -> None:
    if holder.get("error"):
        raise _Malformed(f"HTTP 200 with an error: {_message(holder)}")


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
    _refuse_error(body)
    raise _Malformed("the reply has no choices")


def _rows(body: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    _refuse_error(body)
    rows = body.get(name)
    if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
        return rows
    raise _Malformed(f"the reply has no {name}")


def _index(row: Mapping[str, Any]) -> int:
    index = row.get("index")
    if isinstance(index, int):
        return index
    raise _Malformed("a row of the reply has no index")


def _floats(values: Any) -> tuple[float, ...]:
    if isinstance(values, list) and values and all(is_number(value) for value in values):
        return tuple(float(value) for value in values)
    raise _Malformed("a row of the reply has no numbers")


def _usage(body: Mapping[str, Any]) -> tuple[int | None, int | None]:
    usage = body.get("usage")
    if not isinstance(usage, Mapping):
        return None, None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    return tuple(count if is_count(count) else None for count in counts)  # type: ignore[return-value]


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
