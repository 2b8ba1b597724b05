"""What a server tells of itself and of its weights, and how fast it answers."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from domain.answers import Answer, Request, Route
from domain.hashing import sha256_of
from evaluators.endpoints.client import Client
from evaluators.endpoints.tokens import get_json
from evaluators.endpoints.values import is_count

_MOST_AT_ONCE = 8
#: ``system_fingerprint`` of llama.cpp and of Ollama: the program's, whatever weights it serves.
_BUILD = re.compile(r"b\d+-[0-9a-f]+|fp_ollama")
#: What llama.cpp tells of the weights in its model list; the context length is a setting and not among it.
_SHAPE = ("n_params", "size", "ftype", "n_vocab", "n_embd", "n_ctx_train", "vocab_type")
#: Where a model list's entry may say how many tokens fit, the served length before the trained one.
_LENGTHS = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx", "n_ctx_train")


class ServerInfo(NamedTuple):
    """Facts for the header of a probe."""

    context_length: int | None
    served_model: str | None
    #: What is told of the weights.
    fingerprint: str | None
    #: Version of the server, where that is what its ``system_fingerprint`` is.
    build: str | None = None


class Rates(NamedTuple):
    """Speed with a handful of requests at once, for estimates only."""

    requests_per_s: float | None
    prompt_tokens_per_s: float | None
    completion_tokens_per_s: float | None


async def server_info(client: Client, entries: Sequence[Mapping[str, Any]], body: Mapping[str, Any]) -> ServerInfo:
    """Context length, model, weights and version from the model list, one reply, and what two servers tell besides.

    The list is read again: a server that loads a model when it is first asked describes it only then.
    """
    root, model = client.endpoint.base_url.removesuffix("/v1"), client.endpoint.model
    async with client.session() as session:
        props = await get_json(session, f"{root}/props") or {}
        listed = await get_json(session, f"{client.endpoint.base_url}/models") or {}
        tags = await get_json(session, f"{root}/api/tags") or {}
    entry = _entry(listed.get("data"), "id", model) or _entry(list(entries), "id", model) or {}
    told = body.get("system_fingerprint")
    told = told if isinstance(told, str) and told else None
    build = told if told and _BUILD.fullmatch(told) else None
    served = body.get("model") or entry.get("id")
    tag = _entry(tags.get("models"), "name", model) or _entry(tags.get("models"), "name", f"{model}:latest") or {}
    return ServerInfo(
        _context_length(props, entry),
        served if isinstance(served, str) else None,
        _digest(tag) or _described(entry, props) or (None if build else told),
        build,
    )


def _entry(rows: Any, name: str, value: str) -> Mapping[str, Any] | None:
    rows = rows if isinstance(rows, list) else []
    return next((row for row in rows if isinstance(row, Mapping) and row.get(name) == value), None)


def _digest(tag: Mapping[str, Any]) -> str | None:
    """Ollama's hash of a model."""
    digest = tag.get("digest")
    return f"digest {digest[:16]}" if isinstance(digest, str) and digest else None


def _described(entry: Mapping[str, Any], props: Mapping[str, Any]) -> str | None:
    """llama.cpp's description of the weights it loaded: file, size and shape, with a hash of all of it."""
    meta = entry.get("meta")
    facts = {name: meta[name] for name in _SHAPE if meta.get(name) is not None} if isinstance(meta, Mapping) else {}
    if not facts:
        return None
    path = props.get("model_path")
    facts |= {"path": path} if isinstance(path, str) else {}
    shown = [
        str(facts.get("path", "")).replace("\\", "/").rpartition("/")[2],
        f"{facts['n_params']} parameters" if "n_params" in facts else "",
        f"{facts['size']} bytes" if "size" in facts else "",
        str(facts.get("ftype", "")),
        sha256_of(facts)[:8],
    ]
    return ", ".join(part for part in shown if part)


def _context_length(props: Mapping[str, Any], entry: Mapping[str, Any]) -> int | None:
    """The served length of llama.cpp's slots, else the first length the model list's entry tells."""
    settings, meta = props.get("default_generation_settings"), entry.get("meta")
    served = settings.get("n_ctx") if isinstance(settings, Mapping) else None
    told = [served, *(row.get(name) for row in (entry, meta) if isinstance(row, Mapping) for name in _LENGTHS)]
    return next((length for length in told if is_count(length) and length > 0), None)


def measure_rates(client: Client, route: Route) -> Rates:
    """Two bursts with as many requests as the endpoint is asked at once: long prompts, then longer answers."""
    count = min(client.endpoint.max_in_flight, _MOST_AT_ONCE)
    long = "The sea is wide. " * 8 + "Is it?"
    reading = [_request(client, route, f"{i}: {long}", 1) for i in range((count + 1) // 2)]
    writing = [_request(client, route, f"{i}: Name some fish.", 12) for i in range(count)]
    read_s, read = _timed(client, reading)
    write_s, wrote = _timed(client, writing)
    if not read or not wrote:
        return Rates(None, None, None)
    prompt_rate = _per_second(_sum(a.prompt_tokens for a in read), read_s)
    reading_s = (_sum(a.prompt_tokens for a in wrote) or 0) / prompt_rate if prompt_rate else 0.0
    # The second burst reads its prompts too; what is left, at least a tenth, is writing.
    writing_s = max(write_s - reading_s, write_s / 10)
    return Rates(len(wrote) / write_s, prompt_rate, _per_second(_sum(a.completion_tokens for a in wrote), writing_s))


def _request(client: Client, route: Route, text: str, tokens: int) -> Request:
    question = {"prompt": text} if route is Route.COMPLETIONS else {"messages": [{"role": "user", "content": text}]}
    payload = {"model": client.endpoint.model, "max_tokens": tokens, "temperature": 0, **question}
    return Request(route=route, payload=payload)


def _timed(client: Client, requests: Sequence[Request]) -> tuple[float, list[Answer]]:
    started = time.perf_counter()
    answers = [answer for answer in client.ask(requests) if answer.is_answer]
    return time.perf_counter() - started, answers


def _sum(counts: Any) -> int | None:
    numbers = [count for count in counts if count is not None]
    return sum(numbers) if numbers else None


def _per_second(count: int | None, seconds: float) -> float | None:
    return count / seconds if count and seconds > 0 else None
