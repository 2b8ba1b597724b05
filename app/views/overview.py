"""All registered models with their twelve requirements, the worker, and the way to a new evaluation."""

import streamlit as st

from app import state
from app.components import glossary, overview_table, schedule_words, workers
from app.components.foreign import plain
from domain.endpoints import Endpoint
from jobs import schedules
from jobs.workers import live_workers
from requirements_map import catalogue

context = state.context()
now = state.now()
known = catalogue.load()
names = {requirement.id: requirement.name for requirement in known.requirements}


def row_of(endpoint: Endpoint) -> overview_table.ModelRow:
    """A model with what speaks for it, and what came later."""
    speaking = context.store.latest_assessment(endpoint.id)
    latest = next(iter(context.store.assessments(endpoint.id, limit=1)), None)
    return overview_table.ModelRow(
        endpoint=endpoint,
        assessment=speaking,
        later=latest if latest and speaking and latest.id != speaking.id and latest.suite == speaking.suite else None,
        latest_run=next(iter(context.store.runs(limit=1, endpoint_id=endpoint.id)), None),
    )


rows = [row_of(endpoint) for endpoint in context.store.endpoints()]

with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
    st.title("Responsible-AI assessments", width="content")
    if rows and st.button("New evaluation", type="primary", icon=":material/add_circle:"):
        st.switch_page("views/new_evaluation.py")
workers.show(live_workers(context))
if scheduled := schedules.statuses(context):
    label = plain(schedule_words.summary(scheduled))
    st.page_link("views/schedules.py", label=label, icon=":material/schedule:", query_params={})

if not rows:
    st.write("No model is registered yet: give the address of a served model to begin.")
    if st.button("Register a model", type="primary", icon=":material/add:"):
        st.switch_page("views/models.py")
    st.stop()

st.html(overview_table.table(rows, names=names, now=now))
if not any(row.assessment for row in rows):
    st.write("No model was assessed yet: an evaluation asks it the questions of the benchmarks and scores the answers.")
    if st.button("Start an evaluation", type="primary", icon=":material/play_arrow:"):
        st.switch_page("views/new_evaluation.py")
glossary.requirements(known)
glossary.words()
