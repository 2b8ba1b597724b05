"""The HTTP session of an endpoint, and failures of the network in words."""

import os
import ssl
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import aiohttp

from domain.answers import ErrorClass

_CONNECT_TIMEOUT_S = 10.0
#: No answer to a question is larger, and a server that sends without an end must not fill the memory.
LARGEST_REPLY = 32 * 2**20
#: What aiohttp raises for a request that got no whole reply.
NETWORK_ERRORS = (aiohttp.ClientError, TimeoutError, OSError)


def open_session(base_url: str, *, api_key: str | None, max_in_flight: int, timeout_s: float) -> aiohttp.ClientSession:
    """A keep-alive session; the key travels in its headers and is never part of an address."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if api_key:
        headers["Authorization"] = f"Bearer {api_key}"
        if ".azure.com" in base_url:
            headers["api-key"] = api_key
    return aiohttp.ClientSession(
        headers=headers,
        connector=aiohttp.TCPConnector(limit=max_in_flight, keepalive_timeout=30),
        timeout=aiohttp.ClientTimeout(total=timeout_s, sock_connect=min(_CONNECT_TIMEOUT_S, timeout_s)),
        cookie_jar=aiohttp.DummyCookieJar(),
    )


class ReplyTooLarge(aiohttp.ClientError):
    """A reply that is no answer to a question."""


async def read(response: aiohttp.ClientResponse) -> bytes:
    """The body of a reply; ReplyTooLarge, and the rest unread, beyond LARGEST_REPLY bytes."""
    parts, size = [], 0
    async for part in response.content.iter_any():
        size += len(part)
        if size > LARGEST_REPLY:
            response.close()
            raise ReplyTooLarge(f"more than {LARGEST_REPLY >> 20} MB came back")
        parts.append(part)
    return b"".join(parts)


def classify(error: BaseException) -> tuple[ErrorClass, str]:
    """The kind of a network failure and one sentence about it."""
    if isinstance(error, ReplyTooLarge):
        return ErrorClass.MALFORMED, str(error)
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return ErrorClass.CONNECTION, f"the name {error.host} is not known"
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return ErrorClass.TLS, f"no secure connection: {_cause(error)}"
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return ErrorClass.CONNECTION, "no connection within the time limit"
    if isinstance(error, TimeoutError):
        return ErrorClass.TIMEOUT, "no whole reply within the time limit"
    if isinstance(error, aiohttp.ClientConnectorError):
        return ErrorClass.CONNECTION, f"no connection to {error.host}:{error.port} ({_cause(error)})"
    return ErrorClass.CONNECTION, f"the connection broke ({_cause(error)})"


def _cause(error: BaseException) -> str:
    """The system's own words where there are some; aiohttp's texts repeat the address, which may hold a key."""
    if isinstance(error, aiohttp.ClientResponseError):
        return " ".join(error.message.split())
    if isinstance(error, aiohttp.InvalidURL):
        return "the address is none"
    inner = getattr(error, "certificate_error", None) or getattr(error, "os_error", None) or error
    number = getattr(inner, "errno", None)
    if isinstance(number, int) and number > 0 and not isinstance(inner, ssl.SSLError):
        return os.strerror(number).lower()
    return str(inner) or type(inner).__name__


def retry_after_s(headers: Mapping[str, str], *, now: datetime | None = None) -> float | None:
    """Seconds a server asks to wait, from ``Retry-After`` in seconds or as an HTTP date; None when it does not say."""
    value = headers.get("Retry-After")
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        date = _http_date(value)
    return None if date is None else max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _http_date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
