"""Token ids from the server's own tokenizer, so that context and continuation meet where the model sees them meet."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

import aiohttp

from evaluators.endpoints import transport
from evaluators.endpoints.client import Client
from evaluators.endpoints.values import is_count

Ids = tuple[int, ...]
_ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one family of servers wants to be asked. Special tokens in the text count as such in both."""

    text: str
    special: str

    def body(self, text: str, model: str, *, special: bool) -> dict[str, Any]:
        return {"model": model, self.text: text, self.special: special}


LLAMA_CPP = _Shape("content", "add_special")
VLLM = _Shape("prompt", "add_special_tokens")


@dataclass(slots=True)
class Tokenizer:
    """Asks ``/tokenize``; each text once."""

    client: Client
    _known: dict[tuple[str, bool], Ids | None] = field(default_factory=dict)

    def encode(self, texts: Iterable[str], *, special: bool = False) -> dict[str, Ids | None]:
        """Token ids by text; None where the server did not give them. ``special``: with the BOS the model expects."""
        wanted = list(dict.fromkeys(texts))
        missing = [text for text in wanted if (text, special) not in self._known]
        if missing:
            with asyncio.Runner() as runner:
                ids = runner.run(self._encode(missing, special=special))
            self._known.update(((text, special), row) for text, row in zip(missing, ids, strict=True))
        return {text: self._known[text, special] for text in wanted}

    def prefix(self) -> Ids | None:
        """The token an empty context stands for: BOS, as the server adds or names it; None when it does neither."""
        bos = self.encode([""], special=True)[""]
        if bos:
            return bos[:1]
        with asyncio.Runner() as runner:
            names = runner.run(self._special_names())
        ids = self.encode(names) if names else {}
        return next((row for row in ids.values() if row and len(row) == 1), None)

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[Ids, Ids] | None]:
        """Ids of context and continuation; None where the server gave none or an empty context has no stand-in.

        The continuation is what the whole text has beyond the context, as the model would have read it; where a
        token spans the boundary, the continuation's own tokens.
        """
        wholes = self.encode((context + continuation for context, continuation in pairs), special=True)
        contexts = self.encode((context for context, _ in pairs if context), special=True)
        spans = [
            continuation
            for context, continuation in pairs
            if not _begins(wholes[context + continuation], contexts.get(context, ()))
        ]
        alone = self.encode(spans)
        start = self.prefix() if any(not context for context, _ in pairs) else None
        return [_pair(pair, wholes, contexts, alone, start) for pair in pairs]

    async def _encode(self, texts: Sequence[str], *, special: bool) -> list[Ids | None]:
        async with self.client.session() as session:
            asked = await _locate(session, self.client)
            if asked is None:
                return [None] * len(texts)
            url, shape = asked
            free = asyncio.Semaphore(self.client.endpoint.max_in_flight)

            async def one(text: str) -> Ids | None:
                async with free:
                    return await _ids(session, url, shape.body(text, self.client.endpoint.model, special=special))

            return list(await asyncio.gather(*map(one, texts)))

    async def _special_names(self) -> list[str]:
        """The texts of BOS and EOS as llama.cpp tells them."""
        root = self.client.endpoint.base_url.removesuffix("/v1")
        async with self.client.session() as session:
            body = await get_json(session, f"{root}/props")
        named = [body.get("bos_token"), body.get("eos_token")] if body else []
        return [name for name in named if isinstance(name, str) and name]


def _begins(whole: Ids | None, context: Ids | None) -> bool:
    return whole is not None and context is not None and whole[: len(context)] == context and len(whole) > len(context)


def _pair(
    pair: tuple[str, str],
    wholes: Mapping[str, Ids | None],
    contexts: Mapping[str, Ids | None],
    alone: Mapping[str, Ids | None],
    start: Ids | None,
) -> tuple[Ids, Ids] | None:
    context, continuation = pair
    whole, before = wholes[context + continuation], contexts.get(context, start)
    if not context and start and whole:
        return start, whole[1:] if whole[:1] == start else whole
    if before is None or whole is None:
        return None
    after = whole[len(before) :] if _begins(whole, before) else alone.get(continuation)
    return (before, after) if after and before else None


async def _locate(session: aiohttp.ClientSession, client: Client) -> tuple[str, _Shape] | None:
    """Address and shape of the tokenizer, tried on a short text."""
    root = client.endpoint.base_url
    for url in dict.fromkeys((f"{root.removesuffix('/v1')}/tokenize", f"{root}/tokenize")):
        for shape in (LLAMA_CPP, VLLM):
            if await _ids(session, url, shape.body("Two words", client.endpoint.model, special=False)):
                return url, shape
    return None


async def _ids(session: aiohttp.ClientSession, url: str, body: Mapping[str, Any]) -> Ids | None:
    for attempt in range(_ATTEMPTS):
        try:
            async with session.post(url, data=json.dumps(body).encode(), allow_redirects=False) as response:
                content, status = await transport.read(response), response.status
        except transport.NETWORK_ERRORS:
            status = HTTPStatus.SERVICE_UNAVAILABLE
        if status == HTTPStatus.OK:
            return _tokens(content)
        if status < HTTPStatus.INTERNAL_SERVER_ERROR and status != HTTPStatus.TOO_MANY_REQUESTS:
            return None
        await asyncio.sleep(0.2 * 2**attempt)
    return None


def _tokens(content: bytes) -> Ids | None:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    rows = body.get("tokens") if isinstance(body, Mapping) else None
    return tuple(rows) if isinstance(rows, list) and all(map(is_count, rows)) else None


async def get_json(session: aiohttp.ClientSession, url: str) -> Mapping[str, Any] | None:
    """The JSON object at an address; None when there is none."""
    try:
        async with session.get(url, allow_redirects=False) as response:
            body = json.loads(await transport.read(response)) if response.status == HTTPStatus.OK else None
    except (*transport.NETWORK_ERRORS, ValueError):
        return None
    return body if isinstance(body, Mapping) else None
