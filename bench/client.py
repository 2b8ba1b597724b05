"""How much slower the client is than a bare aiohttp loop that does the same work without keeping anything.

Both ask 1,000 one-letter questions at 32 in flight of a server in a process of its own, in turn and in the same run;
ours stores every answer durably in the Store. A span is from the first request to the last answer, for ours until that
answer is stored; of several rounds the shortest counts, for both alike. Exits with 1 when a target is missed.

``python bench/client.py [--requests N] [--rounds N] [--profile]``, from the root of the repository.
"""

import argparse
import asyncio
import cProfile
import itertools
import json
import multiprocessing
import pstats
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import aiohttp

from db.store import Store, open_store
from domain.answers import AnswerStore, Request, Route
from domain.endpoints import Endpoint
from domain.runs import Run, RunSpec, RunState
from evaluators.endpoints.client import Client

IN_FLIGHT = 32
#: Service time in milliseconds → least share of the bare loop's speed, least requests per second.
TARGETS = {50: (0.93, 0.0), 0: (0.3, 1000.0)}
_MESSAGE = {"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}
_BODY = json.dumps({"choices": [_MESSAGE], "usage": {"prompt_tokens": 30, "completion_tokens": 1}}).encode()
_REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(_BODY), _BODY)


class _Server(asyncio.Protocol):
    """Answers every request with the letter A after a while; costs almost nothing."""

    def __init__(self, service_s: float) -> None:
        self._service_s = service_s
        self._received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: Any = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, found, body = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        if len(body) >= length:
            self._received = b""
            asyncio.get_running_loop().call_later(self._service_s, self._transport.write, _REPLY)


def serve(service_s: float, tell: Connection) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: _Server(service_s), "127.0.0.1", 0, backlog=256)
        tell.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def server(service_s: float) -> Iterator[str]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(service_s, there), daemon=True)
    process.start()
    there.close()
    try:
        yield f"http://127.0.0.1:{here.recv()}/v1"
    finally:
        process.terminate()
        process.join()


def payloads(count: int, turn: int) -> list[dict[str, Any]]:
    text = "Which of these is a colour?\nA. red\nB. run\nC. three\nD. no\nAnswer with the letter only."
    return [
        {
            "model": "m",
            "messages": [{"role": "user", "content": f"Turn {turn}, question {i}: {text}"}],
            "max_tokens": 1,
            "temperature": 0,
        }
        for i in range(count)
    ]


async def _bare(base_url: str, asked: list[dict[str, Any]]) -> float:
    questions, letters = iter(asked), []
    connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
    async with aiohttp.ClientSession(connector=connector) as session:
        started = time.perf_counter()

        async def slot() -> None:
            for payload in questions:
                async with session.post(f"{base_url}/chat/completions", json=payload) as response:
                    letters.append((await response.json())["choices"][0]["message"]["content"])

        await asyncio.gather(*(slot() for _ in range(IN_FLIGHT)))
        span_s = time.perf_counter() - started
    if len(letters) != len(asked):
        raise SystemExit("the bare loop lost answers")
    return span_s


def bare(base_url: str, asked: list[dict[str, Any]]) -> float:
    return asyncio.run(_bare(base_url, asked))


def ours(base_url: str, asked: list[dict[str, Any]], answers: AnswerStore) -> float:
    endpoint = Endpoint(
        id="bench", name="bench", base_url=base_url, model="m", max_in_flight=IN_FLIGHT, created_at=datetime.now(UTC)
    )
    client = Client(endpoint, api_key=None, answers=answers)
    requests = [Request(route=Route.CHAT, payload=payload) for payload in asked]
    came = client.ask(requests)
    ended = time.time()
    if not all(answer.is_answer for answer in came) or len(answers.known([answer.key for answer in came])) != len(
        asked
    ):
        raise SystemExit("the client lost answers")
    return ended - min(answer.answered_at - answer.latency_s for answer in came)


def stored_run(store: Store) -> str:
    """A run that answers can belong to."""
    now, name = datetime.now(UTC), uuid.uuid4().hex
    store.add_endpoint(Endpoint(id=name, name=name, base_url="http://127.0.0.1:1/v1", model="m", created_at=now))
    spec = RunSpec(endpoint_id=name, suite="bench", benchmarks=("bench",), map_sha256="0" * 64)
    store.create_run(Run(id=name, spec=spec, state=RunState.RUNNING, created_by="bench", created_at=now))
    return name


def compare(service_ms: int, arguments: argparse.Namespace, store: Store) -> bool:
    spans: dict[str, list[float]] = {"bare": [], "ours": []}
    turns = itertools.count()
    with server(service_ms / 1000) as base_url:
        bare(base_url, payloads(64, next(turns)))
        for _ in range(arguments.rounds):
            asked = payloads(arguments.requests, next(turns))
            spans["bare"].append(bare(base_url, asked))
            spans["ours"].append(ours(base_url, asked, store.answers(stored_run(store), "bench")))
    bare_s, ours_s = min(spans["bare"]), min(spans["ours"])
    share, per_s = bare_s / ours_s, arguments.requests / ours_s
    least_share, least_per_s = TARGETS[service_ms]
    met = share >= least_share and per_s >= least_per_s
    print(
        f"{service_ms:3d} ms: bare {bare_s:.3f} s, ours {ours_s:.3f} s, {share:.3f} of bare (target {least_share}), "
        f"{per_s:.0f} requests/s (target {least_per_s:.0f}): {'met' if met else 'MISSED'}"
    )
    return met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="show where our client's time goes without service time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/bench.db")
        try:
            if arguments.profile:
                profile(arguments.requests, store)
                return
            met = [compare(service_ms, arguments, store) for service_ms in TARGETS]
        finally:
            store.dispose()
    raise SystemExit(0 if all(met) else 1)


def profile(count: int, store: Store) -> None:
    answers = store.answers(stored_run(store), "bench")
    profiler = cProfile.Profile()
    with server(0.0) as base_url:
        profiler.runcall(ours, base_url, payloads(count, 0), answers)
    pstats.Stats(profiler).sort_stats("tottime").print_stats(35)


if __name__ == "__main__":
    main()
