"""Registered models: what each can do by evidence, what cannot run on it, and the form for another one."""

import streamlit as st

from app import state
from app.components import model_form, model_tables
from app.components.foreign import plain
from domain import words
from jobs.endpoints import probe_endpoint
from jobs.runs import plan_run
from requirements_map import catalogue

context = state.context()
endpoints = context.store.endpoints()
st.title("Models")
if not endpoints:
    st.write("No model is registered yet: a model is any server that speaks the OpenAI protocol.")
with st.expander("Register a model", expanded=not endpoints, icon=":material/add:"):
    model_form.register(context)
if not endpoints:
    st.stop()

names = [endpoint.name for endpoint in endpoints]
if stale := state.stale_link("name", names, kind="model"):
    st.warning(plain(stale), icon=":material/link_off:")
name = st.selectbox("Registered model", names, key="name", bind="query-params", width=480)
endpoint = context.store.endpoint(name)
if endpoint.is_imported:
    st.html(model_tables.imported(endpoint))
    st.page_link("views/runs.py", label="Imported results", icon=":material/download:", query_params={})
    st.stop()
key = f"key from {endpoint.api_key_ref}" if endpoint.api_key_ref else "no key"
st.html(model_tables.identity(endpoint, key))
capabilities = context.store.capabilities(endpoint.id)
with st.container(horizontal=True, vertical_alignment="center"):
    asked = st.button(
        "Probe again" if capabilities else "Probe the model",
        type="secondary" if capabilities else "primary",
        icon=":material/network_check:",
    )
    if capabilities:
        st.page_link(
            "views/new_evaluation.py",
            label="Evaluate this model",
            icon=":material/play_arrow:",
            query_params={"model": endpoint.name},
        )
if asked:
    with st.spinner("Asking the endpoint what it can do; this takes a minute or two …"):
        probe_endpoint(context, endpoint.name)
    st.rerun()
if capabilities is None:
    st.write("What it can do is not known yet: the probe asks it a dozen short questions and shows what came back.")
    st.stop()

st.header("What the probe found")
st.caption(f"Probed {words.moment_text(capabilities.probed_at)}")
st.html(model_tables.facts_table(capabilities))
st.html(model_tables.capabilities(capabilities))
for suite in catalogue.load().suites:
    blocked = plan_run(context, model=endpoint.name, suite=suite).blocked
    if blocked:
        st.header("What cannot run on it")
        st.html(
            model_tables.blocked({b.key: b.blocked or "" for b in blocked}, titles={b.key: b.title for b in blocked})
        )
