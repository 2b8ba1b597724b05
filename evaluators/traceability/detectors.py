"""Detectors an operator supplies: an HTTP address, or a Python function offered as an entry point."""

import asyncio
import importlib.metadata
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Protocol

import aiohttp

from domain.answers import ErrorClass
from domain.errors import MissingDependency, VeraError
from evaluators.endpoints import transport
from evaluators.traceability import addresses

#: Entry points under which an operator's package offers a detector: a function of a text.
GROUP = "vera.detectors"
_ATTEMPTS = 3
_TIMEOUT_S = 60.0
_PAUSE_S = 0.5
_PASSING = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE}

#: What a detector says of one text; raises DetectorFailed.
Ask = Callable[[str], Awaitable[dict[str, Any]]]


class DetectorFailed(VeraError):
    """The detector gave no answer that can be used."""


class Detector(Protocol):
    """Something that says of a text whether it bears the watermark."""

    @property
    def shown(self) -> str:
        """What it is called wherever it is shown or stored; holds no secret."""

    @property
    def in_flight(self) -> int:
        """Texts it is asked about at the same time."""

    def opened(self) -> "Any":
        """An asynchronous context that gives an Ask."""


def detector(named: str) -> Detector:
    """The detector of an address or of an entry point; InvalidSettings or MissingDependency says what is wrong."""
    if "://" in named:
        return HttpDetector(url=named, shown=addresses.shown(named))
    found = {entry.name: entry for entry in importlib.metadata.entry_points(group=GROUP)}
    if named not in found:
        there = f"there are {', '.join(sorted(found))}" if found else "there are none"
        raise MissingDependency(
            f"No installed package offers a detector {named!r} (entry point group {GROUP}; {there}); "
            "give the name of one, or an address that starts with http:// or https://."
        )
    return FunctionDetector.of(found[named])


def said(answer: Any) -> dict[str, Any]:
    """What of a detector's answer is kept: ``watermarked`` or ``score``; DetectorFailed where it has neither.

    >>> said({"watermarked": True, "model": "x"}), said({"score": 3})
    ({'watermarked': True}, {'score': 3.0})
    """
    if isinstance(answer, bool):
        return {"watermarked": answer}
    if isinstance(answer, int | float):
        answer = {"score": answer}
    if isinstance(answer, Mapping):
        verdict, score = answer.get("watermarked"), answer.get("score")
        if isinstance(verdict, bool):
            return {"watermarked": verdict}
        if isinstance(score, int | float) and not isinstance(score, bool) and math.isfinite(score):
            return {"score": float(score)}
    raise DetectorFailed('it must answer {"watermarked": true or false} or {"score": a number}')


def is_marked(answer: Mapping[str, Any], threshold: float | None) -> bool | None:
    """What the answer comes to; None for a score without a threshold.

    >>> is_marked({"score": 4.2}, 4.0), is_marked({"score": 4.2}, None), is_marked({"watermarked": False}, None)
    (True, None, False)
    """
    if "watermarked" in answer:
        return bool(answer["watermarked"])
    return None if threshold is None else bool(answer["score"] >= threshold)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpDetector:
    """``POST {"text": …}`` to an address."""

    url: str = field(repr=False)
    shown: str
    in_flight: int = 8

    timeout_s: float = _TIMEOUT_S

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Ask]:
        """See Detector."""
        async with transport.open_session(
            self.shown, api_key=None, max_in_flight=self.in_flight, timeout_s=self.timeout_s
        ) as session:
            yield _Asking(session, self.url).ask


@dataclass(slots=True)
class _Asking:
    """Several texts at a time until one runs out of time: many a detector does one after the other."""

    session: aiohttp.ClientSession
    url: str = field(repr=False)
    is_slow: bool = False
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def ask(self, text: str) -> dict[str, Any]:
        """What the detector says of a text; DetectorFailed once no attempt is left."""
        problem = ""
        for attempt in range(1, _ATTEMPTS + 1):
            async with self.alone if self.is_slow else nullcontext():
                answer, problem, is_final = await self._once(text)
            if answer is not None:
                return answer
            if is_final:
                break
            if attempt < _ATTEMPTS:
                await asyncio.sleep(_PAUSE_S * attempt)
        raise DetectorFailed(problem)

    async def _once(self, text: str) -> tuple[dict[str, Any] | None, str, bool]:
        """The answer, or what was wrong and whether it will stay so."""
        try:
            # a redirect could carry a key of the address to another host
            async with self.session.post(self.url, json={"text": text}, allow_redirects=False) as response:
                status, body = response.status, await transport.read(response)
        except transport.NETWORK_ERRORS as error:
            kind, problem = transport.classify(error)
            self.is_slow = self.is_slow or kind is ErrorClass.TIMEOUT
            return None, problem, False
        if status == HTTPStatus.OK:
            return said(_json(body)), "", True
        return None, f"it answered with HTTP status {status}", status not in _PASSING


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise DetectorFailed("its answer is not JSON") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionDetector:
    """A Python function of an installed package; asked about one text after the other."""

    function: Callable[[str], Any]
    shown: str
    in_flight: int = 1

    @classmethod
    def of(cls, entry: importlib.metadata.EntryPoint) -> "FunctionDetector":
        """The function behind an entry point."""
        try:
            function = entry.load()
        except (ImportError, AttributeError) as error:
            raise MissingDependency(f"The detector {entry.name} ({entry.value}) cannot be loaded: {error}.") from error
        if not callable(function):
            raise MissingDependency(f"The detector {entry.name} ({entry.value}) is no function of a text.")
        package = f" ({entry.dist.name} {entry.dist.version})" if entry.dist else ""
        return cls(function=function, shown=f"{entry.name}{package}")

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Ask]:
        """See Detector."""
        yield self._ask

    async def _ask(self, text: str) -> dict[str, Any]:
        try:
            answer = await asyncio.to_thread(self.function, text)
        except Exception as error:  # noqa: BLE001 - any code of a plug-in: one bad text must not end the run
            raise DetectorFailed(f"it raised {type(error).__name__}: {error}"[:200]) from None
        return said(answer)
