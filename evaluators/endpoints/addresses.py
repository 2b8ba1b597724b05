"""Where an OpenAI-compatible server is: from what a person types to the root of the API and its models."""

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, urlsplit

import aiohttp

from domain.answers import ErrorClass, Outcome, Route
from domain.errors import EndpointRefused, EndpointUnreachable, UserError
from evaluators.endpoints import replies, transport

_ROUTES = ("/chat/completions", "/completions", "/embeddings", "/rerank", "/models")
_TIMEOUT_S = 15.0
_HOLDS_USER = "The address holds a user name or password before an '@'; give the key by its variable's name instead."
#: Failures after which another path on the same server is not tried.
_FINAL = {ErrorClass.CONNECTION, ErrorClass.TLS, ErrorClass.TIMEOUT, ErrorClass.UNAUTHORISED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovered:
    """A server that answered, at the address that works."""

    base_url: str
    #: Ids and aliases of the models it lists; empty when it has no list.
    models: tuple[str, ...]
    #: What the server is, as far as it tells: ``llama.cpp``, ``vllm``, ``sglang`` …
    server: str | None
    #: The entries of the model list as they came.
    entries: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why one candidate address does not serve."""

    kind: ErrorClass
    sentence: str


def normalise_base_url(text: str) -> str:
    """The root below which the routes are, from an address with or without a route.

    >>> normalise_base_url(" http://localhost:8000/v1/chat/completions ")
    'http://localhost:8000/v1'
    >>> normalise_base_url("https://x.openai.azure.com/openai/v1/")
    'https://x.openai.azure.com/openai/v1'
    """
    text = text.strip()
    parts = _split(text)
    path = parts.path.rstrip("/")
    for route in _ROUTES:
        if path.lower().endswith(route):
            path = path[: -len(route)].rstrip("/")
            break
    return f"{parts.scheme.lower()}://{parts.netloc}{path}"


def _split(text: str) -> SplitResult:
    """The parts of a usable address; a UserError says what is wrong with another one.

    What stands before an ``@`` or behind a ``?`` may be a secret, wherever the parser would put it, and is not quoted.
    """
    shown = re.split("[?#]", text, maxsplit=1)[0]
    try:
        parts = urlsplit(text)
        problem = _problem(parts, text, shown)
    except ValueError as error:
        raise _unusable(text, f"The address {shown!r} cannot be read: {error}.") from None
    if problem:
        raise _unusable(text, problem)
    return parts


def _problem(parts: SplitResult, text: str, shown: str) -> str | None:
    """What is wrong with the parts of an address, in one sentence; ValueError where they are no parts of one."""
    host, _port = parts.hostname, parts.port
    if "@" in parts.netloc:
        return _HOLDS_USER
    if shown != text:
        return f"Give the address without what follows '?' or '#': {shown}. Keys belong in a variable."
    if parts.scheme.lower() not in {"http", "https"}:
        return f"The address {shown!r} does not start with http:// or https://."
    if not host or any(character.isspace() for character in text):
        return f"The address {shown!r} names no host."
    return None


def _unusable(text: str, sentence: str) -> UserError:
    return UserError(_HOLDS_USER if "@" in text else sentence)


def candidates(base_url: str) -> tuple[str, ...]:
    """Roots to try, the likelier one first.

    >>> candidates("http://localhost:8000")
    ('http://localhost:8000/v1', 'http://localhost:8000')
    """
    without = base_url.removesuffix("/v1")
    return (base_url, without) if without != base_url else (f"{base_url}/v1", base_url)


def discover(
    url: str, *, api_key: str | None = None, model: str | None = None, timeout_s: float = _TIMEOUT_S
) -> Discovered:
    """Find the root of the API by asking for its model list, and check that it serves this model. Blocks."""
    found = asyncio.run(discover_async(url, api_key=api_key, model=model, timeout_s=timeout_s))
    if model is not None and found.models and model not in found.models:
        known = ", ".join(found.models[:20]) + (" …" if len(found.models) > 20 else "")
        raise EndpointRefused(f"{found.base_url} does not serve a model named {model!r}; it serves: {known}.")
    return found


async def discover_async(url: str, *, api_key: str | None, model: str | None, timeout_s: float) -> Discovered:
    """See discover; does not check the model's name."""
    base_url = normalise_base_url(url)
    failures = []
    async with transport.open_session(base_url, api_key=api_key, max_in_flight=2, timeout_s=timeout_s) as session:
        for root in candidates(base_url):
            result = await _model_list(session, root)
            if isinstance(result, Discovered):
                return result
            failures.append(result)
            if result.kind in _FINAL:
                break
        if model is not None and failures[-1].kind is ErrorClass.NOT_FOUND:
            for root in candidates(base_url):
                if await _chats(session, root, model):
                    return Discovered(base_url=root, models=(), server=None)
    raise _error(base_url, failures, api_key)


async def _model_list(session: aiohttp.ClientSession, root: str) -> Discovered | _Failure:
    try:
        async with session.get(f"{root}/models", allow_redirects=False) as response:
            content, status = await transport.read(response), response.status
            server, location = response.headers.get("Server"), response.headers.get("Location")
    except transport.NETWORK_ERRORS as error:
        return _Failure(*transport.classify(error))
    if location:
        return _Failure(ErrorClass.NOT_FOUND, f"{root}/models leads on to {location}")
    if status != HTTPStatus.OK:
        reply = replies.read(Route.CHAT, status, content)
        return _Failure(reply.error_class or ErrorClass.BAD_REQUEST, reply.error or f"HTTP {status}")
    return _listed(root, content, server)


def _listed(root: str, content: bytes, server: str | None) -> Discovered | _Failure:
    try:
        body = json.loads(content)
    except ValueError:
        what = "a web page" if content.lstrip()[:1] == b"<" else "something that is not JSON"
        return _Failure(ErrorClass.NOT_FOUND, f"{root}/models is {what}, not the model list of an API")
    rows = body.get("data") if isinstance(body, Mapping) else body
    if not isinstance(rows, list):
        detail = f": {body['error']}" if isinstance(body, Mapping) and body.get("error") else ""
        return _Failure(ErrorClass.MALFORMED, f"{root}/models holds no model list{detail}"[:300])
    entries = tuple(row for row in rows if isinstance(row, Mapping) and isinstance(row.get("id"), str))
    names = [name for row in entries for name in (row["id"], *_aliases(row))]
    return Discovered(
        base_url=root, models=tuple(dict.fromkeys(names)), server=_server(entries, server), entries=entries
    )


def _aliases(row: Mapping[str, Any]) -> list[str]:
    aliases = row.get("aliases")
    return [alias for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []


def _server(entries: tuple[Mapping[str, Any], ...], header: str | None) -> str | None:
    owners = {str(row.get("owned_by", "")).lower() for row in entries}
    known = {"llamacpp": "llama.cpp", "vllm": "vllm", "sglang": "sglang", "library": "ollama"}
    return next((known[owner] for owner in sorted(owners) if owner in known), header)


async def _chats(session: aiohttp.ClientSession, root: str, model: str) -> bool:
    """Whether a server without a model list answers this model's chat route."""
    payload = {"model": model, "messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 1}
    try:
        async with session.post(f"{root}/{Route.CHAT}", json=payload, allow_redirects=False) as response:
            reply = replies.read(Route.CHAT, response.status, await transport.read(response))
    except transport.NETWORK_ERRORS:
        return False
    return reply.outcome is not Outcome.ERROR


def _error(base_url: str, failures: list[_Failure], api_key: str | None) -> UserError:
    """The most telling failure as one sentence."""
    failure = min(failures, key=lambda failure: failure.kind is ErrorClass.NOT_FOUND)
    text = failure.sentence.replace(api_key, "[key]") if api_key else failure.sentence
    if failure.kind is ErrorClass.TLS and base_url.startswith("https://"):
        return EndpointUnreachable(
            f"{base_url} cannot be reached securely ({text}); check the certificate, or whether it is http://."
        )
    if failure.kind in {ErrorClass.CONNECTION, ErrorClass.TIMEOUT}:
        return EndpointUnreachable(f"{base_url} does not answer: {text}. Check that the server is running.")
    if failure.kind is ErrorClass.UNAUTHORISED:
        given = "the key it was given" if api_key else "requests without a key"
        return EndpointRefused(f"{base_url} refuses {given} ({text}); check the API key.")
    if failure.kind is ErrorClass.NOT_FOUND:
        return EndpointRefused(f"{base_url} has no OpenAI-compatible API at this path ({text}); check the address.")
    return EndpointRefused(f"{base_url} answered, but not with a model list ({text}).")
