"""The form for a new model. It takes the name of a key, never a key."""

import streamlit as st

from jobs.context import Context
from jobs.endpoints import probe_endpoint, register_endpoint


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
            placeholder="MISTRAL_API_KEY",
            help="Only this name is stored. The key itself stays where it is and is read when a request is sent.",
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
            api_key_ref=f"{where}:{entry.strip()}" if where in {"env", "file"} else None,
        )
        probe_endpoint(context, endpoint.name)
    st.switch_page("views/models.py", query_params={"name": endpoint.name})
