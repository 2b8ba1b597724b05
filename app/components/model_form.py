"""The form for a new model. It takes the name of a key, never a key."""

import streamlit as st

from domain.errors import UserError
from jobs.context import Context
from jobs.endpoints import probe_endpoint, register_endpoint

#: Whoever reaches this form names the server as well as the variable, so that only variables meant for it may be named.
KEY_PREFIX = "VERA_KEY_"


def key_reference(where: str | None, entry: str) -> str | None:
    """The name of a key as the form may store it; UserError for a variable that was not set for a model."""
    if where not in {"env", "file"}:
        return None
    entry = entry.strip()
    if where == "env" and not entry.startswith(KEY_PREFIX):
        # The text is not repeated: it may be the key itself, typed into the wrong field.
        raise UserError(
            f"The dashboard takes only environment variables whose name begins with {KEY_PREFIX}; have the key set "
            f"under such a name, or the model registered at the command line."
        )
    return f"{where}:{entry}"


def register(context: Context) -> None:
    """Register a model and probe it at once."""
    with st.form("register", border=False):
        url = st.text_input("Address of the server", placeholder="http://127.0.0.1:8000/v1", required=True)
        name = st.text_input("Name it has here", placeholder="mistral-small", required=True)
        model = st.text_input(
            "Model id on the server",
            placeholder="empty: the only model the server lists",
            help="Servers that offer several models want to know which.",
        )
        where = st.segmented_control(
            "API key",
            ["none", "env", "file"],
            default="none",
            required=True,
            format_func={"none": "No key", "env": "Environment variable", "file": "Secrets file"}.__getitem__,
        )
        entry = st.text_input(
            "Name of the variable or of the secrets entry",
            placeholder="VERA_KEY_MISTRAL",
            help="Only this name is stored. The key itself stays where it is and is read when a request is sent. A "
            "variable must begin with VERA_KEY_, so that this form cannot send other variables of the server away.",
        )
        sent = st.form_submit_button("Register and probe", type="primary")
    if not sent:
        return
    with st.spinner("Asking the endpoint what it can do; this takes a minute or two …"):
        endpoint = register_endpoint(
            context,
            url=url,
            name=name,
            model=model or None,
            api_key_ref=key_reference(where, entry),
        )
        probe_endpoint(context, endpoint.name)
    st.switch_page("views/models.py", query_params={"name": endpoint.name})
