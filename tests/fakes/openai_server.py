"""An OpenAI-compatible server with fault modes that records what it was asked.

``with FakeServer("rate_limit_then_ok") as server: …`` in a thread, or ``python -m fakes.openai_server --mode ok`` with
the ``tests`` folder on the path as a process of its own (it prints its address; ``GET /stats`` tells its counts).
"""

import argparse
import asyncio
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web
from fakes import faults, language

from domain.hashing import sha256_of


@dataclass(slots=True)
class FakeServer:
    """Serves one fault mode on a free loopback port."""

    mode: str = "ok"
    delay_s: float = 0.0
    #: ``(prompt, system prompt) -> answer`` of the modes that answer sensibly.
    answerer: Callable[[str, str], str] = language.sensible
    model: str = "fake-model"
    #: Share of requests that fail in the mode ``flaky``.
    p: float = 0.3
    retry_after: str = "1"
    #: When set, other keys are refused with 401.
    api_key: str | None = None
    port: int = 0
    #: What it tells of its weights: more keys of its model list's entry and of each body, /props and /api/tags.
    entry: dict[str, Any] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    pages: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: ``(route, payload)`` of every POST below /v1, in order of arrival.
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    #: Requests per hash of route and payload.
    counts: Counter[str] = field(default_factory=Counter)
    headers: list[dict[str, str]] = field(default_factory=list)
    #: Seconds of a monotonic clock, one per request.
    arrived: list[float] = field(default_factory=list)
    max_concurrent: int = 0
    _running: int = 0
    _tokens: language.Tokenizer = field(default_factory=language.Tokenizer)
    _random: random.Random = field(default_factory=lambda: random.Random(7))
    _loop: asyncio.AbstractEventLoop | None = None
    _thread: threading.Thread | None = None
    _stop: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """Address without /v1."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        """Root of the API."""
        return f"{self.url}/v1"

    def __enter__(self) -> Self:
        if self.mode not in faults.MODES:
            raise ValueError(f"unknown mode {self.mode!r}")
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self.serve(ready.set)), daemon=True)
        self._thread.start()
        if not ready.wait(10):
            raise RuntimeError("the fake server did not start")
        return self

    def __exit__(self, *exc: object) -> None:
        if self._loop and self._stop and self._thread:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(10)

    async def serve(self, ready: Callable[[], None]) -> None:
        """Serve until stopped."""
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/stats", self._stats)
        app.router.add_get("/{page:props|api/tags}", self._page)
        app.router.add_post("/tokenize", self._tokenize)
        app.router.add_post("/v1/{route:.+}", self._post)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port, backlog=1024)
        await site.start()
        self.port = runner.addresses[0][1]
        ready()
        try:
            await self._stop.wait()
        finally:
            await runner.cleanup()

    # --- routes -------------------------------------------------------------------------------------------------

    async def _models(self, request: web.Request) -> web.Response:
        refused = self._refused(request) or faults.models(self.mode)
        entry = {"id": self.model, "object": "model", "owned_by": "fake", "max_model_len": 4096, **self.entry}
        return refused or web.json_response({"object": "list", "data": [entry]})

    async def _page(self, request: web.Request) -> web.Response:
        page = self.pages.get(request.match_info["page"])
        return faults.error(404, "no page") if page is None else web.json_response(page)

    async def _stats(self, _request: web.Request) -> web.Response:
        most = max(self.counts.values(), default=0)
        return web.json_response(
            {"total": len(self.requests), "unique": len(self.counts), "most_repeated": most,
             "repeated": sum(n - 1 for n in self.counts.values()), "max_concurrent": self.max_concurrent}
        )  # fmt: skip

    async def _tokenize(self, request: web.Request) -> web.Response:
        if self.mode in faults.NO_TOKENIZE:
            raise web.HTTPNotFound
        body = await request.json()
        tokens = self._tokens.encode(body.get("content") or body.get("prompt") or "")
        if self.mode == "bos_telling" and body.get("add_special"):
            tokens = [self._tokens.id_of(language.BOS), *tokens]
        return web.json_response({"tokens": tokens})

    async def _post(self, request: web.Request) -> web.StreamResponse:
        payload = json.loads(await request.read())
        route = request.match_info["route"]
        self.requests.append((route, payload))
        self.headers.append(dict(request.headers))
        self.arrived.append(time.monotonic())
        key = sha256_of([route, payload])
        self.counts[key] += 1
        self._running += 1
        self.max_concurrent = max(self.max_concurrent, self._running)
        try:
            if self.delay_s or self.mode == "slow":
                await asyncio.sleep(self.delay_s or 2.0)
            if self.mode == "endless":
                return await faults.endless(request)
            return self._refused(request) or await self._fault(request, key) or self._answer(route, payload)
        finally:
            self._running -= 1

    def _refused(self, request: web.Request) -> web.Response | None:
        wrong = self.api_key is not None and request.headers.get("Authorization") != f"Bearer {self.api_key}"
        if wrong or self.mode == "unauthorised":
            return faults.error(401, "invalid api key: " + request.headers.get("Authorization", "none"))
        return None

    async def _fault(self, request: web.Request, key: str) -> web.Response | None:
        if self.mode == "hang":
            await asyncio.sleep(3600)
        if self.mode == "error_body_200":
            return faults.error(200, "the model is overloaded")
        if self.mode == "not_json":
            return web.Response(text="<html>Bad gateway</html>", content_type="text/html")
        if self.mode == "redirect":
            raise web.HTTPTemporaryRedirect(f"{self.base_url}/elsewhere/chat/completions")
        if self.mode == "server_error":
            return faults.error(500, "out of memory")
        if self.mode == "content_filter":
            inner = {"code": "ResponsibleAIPolicyViolation"}
            body = {"error": {"message": "filtered", "code": "content_filter", "status": 400, "innererror": inner}}
            return web.json_response(body, status=400)
        if self.mode == "rate_limit_then_ok" and self.counts[key] == 1:
            return faults.error(429, "slow down", {"Retry-After": self.retry_after})
        if self.mode == "flaky" and self._random.random() < self.p:
            if self._random.random() < 0.5 and request.transport:
                request.transport.abort()
            return faults.error(503, "try again")
        return None

    def _answer(self, route: str, payload: dict[str, Any]) -> web.Response:
        if route == "chat/completions":
            return web.json_response(self._chat(payload))
        if self.mode == "chat_only":
            return faults.error(404, f"no route {route}")
        if route == "completions":
            return web.json_response(self._completion(payload))
        if route == "embeddings":
            texts = payload["input"] if isinstance(payload["input"], list) else [payload["input"]]
            data = [{"index": i, "embedding": [float(len(t)), 1.0, 0.5]} for i, t in enumerate(texts)]
            return web.json_response({"data": data, "model": self.model, "usage": {"prompt_tokens": len(texts)}})
        if route == "rerank":
            wanted = set(payload["query"].lower().split())
            scores = [len(wanted & set(d.lower().split())) / len(wanted) for d in payload["documents"]]
            ranked = sorted(enumerate(scores), key=lambda pair: -pair[1])
            return web.json_response({"results": [{"index": i, "relevance_score": s} for i, s in ranked]})
        return faults.error(404, f"no route {route}")

    # --- answers ------------------------------------------------------------------------------------------------

    def _say(self, prompt: str, system: str, payload: dict[str, Any]) -> tuple[str, str]:
        """The text of an answer and its finish reason, stop strings and the token limit applied."""
        text = faults.FIXED.get(self.mode)
        if self.mode == "prompt_echo":
            text = prompt
        elif self.mode == "random_letter":
            text = "ABCD"[int(sha256_of(payload)[:8], 16) % 4]
        text = self.answerer(prompt, system) if text is None else text
        stops = payload.get("stop") or []
        for stop in [stops] if isinstance(stops, str) else stops:
            text = text.split(stop, 1)[0]
        tokens = self._tokens.encode(text)
        limit = payload.get("max_tokens") or payload.get("max_completion_tokens") or 512
        limit = min(limit, max(1, len(tokens) - 1)) if self.mode == "truncated" else limit
        if len(tokens) > limit or self.mode == "truncated":
            return self._tokens.decode(tokens[:limit]), "length"
        return text, "stop"

    def _chat(self, payload: dict[str, Any]) -> dict[str, Any]:
        users = [m for m in payload["messages"] if m["role"] == "user"]
        prompt = "\n".join(faults.text_of(m["content"]) for m in users[-1:])
        system = " ".join(faults.text_of(m["content"]) for m in payload["messages"] if m["role"] == "system")
        text, finish = self._say(prompt, system, payload)
        message: dict[str, Any] = {"role": "assistant", "content": None if self.mode == "null_content" else text}
        if self.mode == "reasoning":
            message["reasoning_content"] = "Let me think about it."
        choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": finish}
        if payload.get("logprobs") and self.mode != "chat_only":
            top = language.top_logprobs(system + prompt, text, payload.get("top_logprobs") or 1)
            choice["logprobs"] = {"content": [self._entry(top[0][0], top[0][1], top)]}
        return self._body(payload, "chat.completion", choice, self._tokens.encode(prompt), text)

    def _completion(self, payload: dict[str, Any]) -> dict[str, Any]:
        given = payload["prompt"]
        tokens = self._tokens.encode(given) if isinstance(given, str) else list(given)
        if self.mode == "bos_adding" and isinstance(given, str):
            tokens = [self._tokens.id_of(language.BOS), *tokens]
        prompt = self._tokens.decode(tokens)
        text, finish = self._say(prompt, "", payload)
        bias = {} if self.mode in faults.NO_BIAS else payload.get("logit_bias") or {}
        if bias:
            text, finish = self._tokens.piece(int(next(iter(bias)))), "length"
        choice: dict[str, Any] = {"index": 0, "text": text, "finish_reason": finish, "logprobs": None}
        count = payload.get("logprobs")
        echo = payload.get("echo") and self.mode not in faults.NO_ECHO
        if count is not None:
            choice["logprobs"] = self._logprobs(payload, tokens, text, count, echo=bool(echo))
        if echo:
            choice["text"] = prompt + text
        return self._body(payload, "text_completion", choice, tokens, text)

    def _logprobs(
        self, payload: dict[str, Any], tokens: list[int], text: str, count: int, *, echo: bool
    ) -> dict[str, Any]:
        """Legacy arrays, or llama.cpp's ``content`` list in its modes."""
        pieces = [self._tokens.piece(t) for t in tokens]
        prompt, natural = "".join(pieces), self._say("".join(pieces), "", payload)[0]
        generated = [self._tokens.piece(t) for t in self._tokens.encode(text)[: payload.get("max_tokens", 16)]]
        top = language.top_logprobs(prompt, natural, max(count, 1))
        values = [language.logprob(prompt, piece, natural) for piece in generated]
        if self.mode == "forced_biased" and payload.get("logit_bias"):
            values = [-1e-9 for _ in values]
        if self.mode in faults.LLAMA_SHAPE:
            return {"content": [self._entry(p, v, top) for p, v in zip(generated, values, strict=True)]}
        names, lps, tops = list(generated), [*values], [dict(top) for _ in generated]
        if payload.get("return_tokens_as_token_ids"):
            names = [self._named(name) for name in names]
            tops = [{self._named(name): value for name, value in row.items()} for row in tops]
        if echo:
            before = [self._echoed("".join(pieces[:i]), piece) for i, piece in enumerate(pieces)]
            names = pieces + names
            lps, tops = [b[0] for b in before] + lps, [b[1] for b in before] + tops
        if echo:
            names, lps, tops = faults.spoilt(self.mode, names, lps, tops)
        offsets = [sum(map(len, names[:i])) for i in range(len(names))]
        return {"tokens": names, "token_logprobs": lps, "top_logprobs": tops, "text_offset": offsets}

    def _named(self, piece: str) -> str:
        return f"token_id:{self._tokens.id_of(piece)}"

    def _echoed(self, context: str, piece: str) -> tuple[float | None, dict[str, float] | None]:
        if not context:  # nothing comes before the first token
            return None, None
        natural = self.answerer(context, "")
        return language.logprob(context, piece, natural), dict(language.top_logprobs(context, natural, 1))

    def _entry(self, piece: str, value: float, top: list[tuple[str, float]]) -> dict[str, Any]:
        others = [{"id": self._tokens.id_of(p), "token": p, "logprob": v} for p, v in top]
        return {"id": self._tokens.id_of(piece), "token": piece, "logprob": value, "top_logprobs": others}

    def _body(
        self, payload: dict[str, Any], kind: str, choice: dict[str, Any], prompt: list[int], text: str
    ) -> dict[str, Any]:
        usage = {"prompt_tokens": len(prompt), "completion_tokens": len(self._tokens.encode(text))}
        return {
            "id": "fake",
            "object": kind,
            "model": payload.get("model"),
            "choices": [choice],
            "usage": usage,
        } | self.told


def main() -> None:
    """Serve one mode in this process until it is killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="ok", choices=faults.MODES)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    server = FakeServer(arguments.mode, delay_s=arguments.delay, port=arguments.port)
    asyncio.run(server.serve(lambda: print(server.base_url, flush=True)))


if __name__ == "__main__":
    main()
