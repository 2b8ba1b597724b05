"""What the pages share: one context per process, the reader's clock, ids in the address."""

from collections.abc import Collection
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from domain.settings import Settings
from jobs import logs, processes
from jobs.context import Context, open_context


def context() -> Context:
    """Settings and store of this process; opened once."""
    settings = Settings.load()
    return _open(str(settings.home), settings.store_url, settings)


@st.cache_resource(show_spinner=False, max_entries=4)
def _open(home: str, store_url: str, _settings: Settings) -> Context:  # noqa: ARG001 - the key of the cache
    opened = open_context(_settings)
    logs.to_file(_settings, "dashboard")
    return opened


def person() -> str:
    """Who starts something: the account the dashboard runs under, until there is a sign-in."""
    return processes.account()


def now() -> datetime:
    """The present moment on the reader's clock; UTC where the browser does not tell its time zone."""
    try:
        zone = ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        zone = ZoneInfo("UTC")
    return datetime.now(UTC).astimezone(zone)


def stale_link(name: str, known: Collection[str], *, kind: str) -> str | None:
    """What to say where the address names something that is not there; the list below it would fall to its first entry.

    To be asked before the list is drawn, which takes the name out of the address.
    """
    wanted = asked_for(name)
    if wanted is None or wanted in known:
        return None
    return f"The link asks for the {kind} {wanted!r}, which is not here (removed, renamed or mistyped); pick one below."


def asked_for(name: str) -> str | None:
    """An id from the address of the page; None where it is missing or empty."""
    value = st.query_params.get(name, "").strip()
    return value or None
