"""A served model that costs almost nothing: letters on the chat route, echoed log-probabilities on completions.

One process, plain asyncio protocol. Words with their leading space are tokens; a token's log-probability depends on the
token alone. ``GET /stats`` tells how many questions came and when the first and the last answer left; ``GET /reset``
forgets it. Times are of the machine's monotonic clock, so that another process can compare them with its own.
"""

import asyncio
import json
import multiprocessing
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

MODEL = "bench"
_PIECE = re.compile(r"\s?[^\s]+|\s+")
_CONTEXT_LENGTH = 4096


class _State:
    def __init__(self, service_s: float) -> None:
        self.service_s = service_s
        self.ids: dict[str, int] = {}
        self.pieces: list[str] = []
        self.reset()

    def reset(self) -> None:
        self.count, self.first_at, self.last_at = 0, None, 0.0

    def tokens(self, prompt: Any) -> list[int]:
        """Ids of a text, or those given as such, alone or as lm-eval's batch of one."""
        if isinstance(prompt, list):
            return prompt[0] if isinstance(prompt[0], list) else prompt
        for piece in _PIECE.findall(prompt):
            if piece not in self.ids:
                self.ids[piece] = len(self.pieces)
                self.pieces.append(piece)
        return [self.ids[piece] for piece in _PIECE.findall(prompt)]

    def logprob(self, token: int) -> float:
        return -(zlib.crc32(self.pieces[token].encode()) % 997 + 1) / 250


class _Connection(asyncio.Protocol):
    def __init__(self, state: _State) -> None:
        self._state = state
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        lower = head.lower()
        length = int(lower.partition(b"content-length:")[2].split(b"\r\n", 1)[0]) if b"content-length:" in lower else 0
        if len(body) < length:
            return
        self._received = b""
        path = head.split(b" ", 2)[1].decode()
        answer = self._answer(path, json.loads(body) if body else {})
        if path.startswith("/v1/c"):
            self._count()
            asyncio.get_running_loop().call_later(self._state.service_s, self._write, answer)
        else:
            self._transport.write(answer)

    def _count(self) -> None:
        self._state.count += 1
        if self._state.first_at is None:
            self._state.first_at = time.monotonic()

    def _write(self, answer: bytes) -> None:
        self._transport.write(answer)
        self._state.last_at = time.monotonic()

    def _answer(self, path: str, asked: dict[str, Any]) -> bytes:
        state = self._state
        if path == "/v1/chat/completions":
            return _LETTER
        if path == "/v1/completions":
            return _reply(_echoed(state, asked))
        if path == "/tokenize":
            ids = state.tokens(asked["prompt"])
            return _reply({"tokens": ids, "count": len(ids), "max_model_len": _CONTEXT_LENGTH})
        if path == "/tokenizer_info":
            return _reply({"eos_token": "<end>", "bos_token": None, "chat_template": "{{ messages }}"})
        if path == "/v1/models":
            return _reply({"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        if path == "/reset":
            state.reset()
        return _reply({"count": state.count, "first_at": state.first_at, "last_at": state.last_at})


def _echoed(state: _State, asked: dict[str, Any]) -> dict[str, Any]:
    prompt = state.tokens(asked["prompt"])
    ids = [*prompt, *state.tokens(" end")]
    pieces = [state.pieces[token] for token in ids]
    values = [None, *(state.logprob(token) for token in ids[1:])]
    tops = [None, *({piece: value} for piece, value in zip(pieces[1:], values[1:], strict=True))]
    choice = {
        "index": 0,
        "text": "".join(pieces),
        "finish_reason": "length",
        "logprobs": {"tokens": pieces, "token_logprobs": values, "top_logprobs": tops},
    }
    return {"choices": [choice], "usage": {"prompt_tokens": len(prompt), "completion_tokens": 1}}


def _reply(content: Any) -> bytes:
    body = json.dumps(content).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)


_LETTER = _reply(
    {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 30, "completion_tokens": 1},
    }
)


def serve(service_s: float, tell: Connection) -> None:
    async def run() -> None:
        state = _State(service_s)
        server = await asyncio.get_running_loop().create_server(lambda: _Connection(state), "127.0.0.1", 0, backlog=256)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def served(service_s: float) -> Iterator[str]:
    """Address of the server without a path, while it runs in a process of its own."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(service_s, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()
