"""Whether anybody carries out what is started here."""

from collections.abc import Sequence

import streamlit as st

from app.components.foreign import plain
from domain.runs import Worker


def sentence(running: Sequence[Worker]) -> str:
    """The state of the workers in one sentence."""
    if not running:
        return "No worker is running, so started evaluations wait; an operator starts one with `vera worker`."
    hosts = ", ".join(sorted({worker.host for worker in running}))
    return f"{len(running)} worker{'s' if len(running) > 1 else ''} running on {hosts}."


def show(running: Sequence[Worker]) -> None:
    """A warning where nothing would be carried out, else a quiet line."""
    if running:
        st.caption(f":material/check_circle: {plain(sentence(running))}")
    else:
        st.warning(sentence(running), icon=":material/warning:")
