"""Who is told of alerts: a webhook and a mail server on loopback, each keeping what it got."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any, Self

from aiohttp import web


class _Loop:
    """A server in an event loop of its own, for tests that are not asynchronous."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        self._call(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _call(self, work: Awaitable[Any]) -> None:
        async def carry_out() -> None:
            await work

        asyncio.run_coroutine_threadsafe(carry_out(), self._loop).result(30)

    async def _start(self) -> None:
        raise NotImplementedError

    async def _stop(self) -> None:
        raise NotImplementedError


class Webhook(_Loop):
    """Answers with the statuses it is given, the last one for ever; keeps headers and bodies."""

    def __init__(self, *statuses: int, headers: dict[str, str] | None = None) -> None:
        super().__init__()
        self._statuses = list(statuses) or [200]
        self._headers = headers or {}
        self.received: list[tuple[dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/vera"

    async def _start(self) -> None:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", self._take)
        self._runner = web.AppRunner(application)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _stop(self) -> None:
        await self._runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        self.received.append((dict(request.headers), await request.read()))
        status = self._statuses.pop(0) if len(self._statuses) > 1 else self._statuses[0]
        return web.Response(status=status, headers=self._headers)


Reader, Writer = asyncio.StreamReader, asyncio.StreamWriter


class MailSink(_Loop):
    """A mail server that takes every message, or refuses every recipient; keeps what it took."""

    def __init__(self, *, refuses: bool = False) -> None:
        super().__init__()
        self._refuses = refuses
        self.messages: list[str] = []

    async def _start(self) -> None:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _talk(self, reader: Reader, writer: Writer) -> None:
        writer.write(b"220 sink\r\n")
        answers: dict[bytes, Callable[[], bytes]] = {
            b"RCPT": lambda: b"550 nobody here\r\n" if self._refuses else b"250 ok\r\n",
            b"DATA": lambda: b"354 go on\r\n",
            b"QUIT": lambda: b"221 bye\r\n",
        }
        while line := await reader.readline():
            verb = line[:4].upper().strip()
            writer.write(answers.get(verb, lambda: b"250 ok\r\n")())
            if verb == b"DATA":
                content = await reader.readuntil(b"\r\n.\r\n")
                self.messages.append(content.decode())
                writer.write(b"250 taken\r\n")
            if verb == b"QUIT":
                break
        await writer.drain()
        writer.close()
