"""The frame around every page: an error becomes one sentence here, and nowhere else."""

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st
from streamlit.navigation.page import Page

from app.components.advice import for_a_page
from app.components.foreign import plain
from domain.errors import NotFound, UnknownBenchmark, UnknownModel, VeraError

LOG = logging.getLogger("vera.app")
_P = ParamSpec("_P")


@contextmanager
def guard(page: Page | None = None) -> Iterator[None]:
    """Show what went wrong as one sentence; what nobody foresaw goes to the log under a reference."""
    try:
        yield
    except VeraError as error:
        st.error(plain(for_a_page(error.sentence)), icon=":material/error:")
        if page is not None and isinstance(error, NotFound | UnknownModel | UnknownBenchmark):
            st.page_link(page, label=f"Go to {page.title}", icon=":material/arrow_back:", query_params={})
    except Exception:
        reference = secrets.token_hex(4)
        LOG.exception("page failed, reference %s", reference)
        st.error(
            f"This page could not be shown. The log logs/dashboard.log in VERA's home folder says why, under the "
            f"reference {reference}; nothing that was stored is lost.",
            icon=":material/error:",
        )


def guarded(part: Callable[_P, None]) -> Callable[_P, None]:
    """The same frame for a fragment, which Streamlit runs again without its page."""

    @wraps(part)
    def inner(*args: _P.args, **kwargs: _P.kwargs) -> None:
        with guard():
            part(*args, **kwargs)

    return inner
