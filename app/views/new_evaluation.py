"""A new evaluation in four steps: model, what to ask, options, review; then it is started and followed."""

import streamlit as st

from app import state
from app.components import evaluation_form, evaluation_plan, judge_form, model_tables, supplied_form, workers
from app.components.foreign import plain
from domain import words
from jobs import judges
from jobs.endpoints import askable, probe_endpoint
from jobs.runs import plan_run, start_run
from jobs.workers import live_workers
from requirements_map import catalogue

context = state.context()
known = catalogue.load()
endpoints = askable(context)
st.title("New evaluation")
if not endpoints:
    st.write("No model is registered yet: give the address of a served model first.")
    if st.button("Register a model", type="primary", icon=":material/add:"):
        st.switch_page("views/models.py")
    st.stop()

st.header("1  Model")
names = [endpoint.name for endpoint in endpoints]
if stale := state.stale_link("model", names, kind="model"):
    st.warning(plain(stale), icon=":material/link_off:")
name = st.selectbox("Model", names, key="model", bind="query-params", width=480)
endpoint = context.store.endpoint(name)
capabilities = context.store.capabilities(endpoint.id)
with st.container(horizontal=True, vertical_alignment="center"):
    if capabilities is None:
        st.write("It was not probed yet, so what can be asked of it is not known.")
    else:
        probed = words.moment_text(capabilities.probed_at)
        st.write(f"Probed {probed}: {model_tables.summary(capabilities)}")
    again = "Probe the model" if capabilities is None else "Probe again"
    if st.button(again, type="primary" if capabilities is None else "secondary", icon=":material/network_check:"):
        with st.spinner("Asking the endpoint what it can do; this takes a minute or two …"):
            probe_endpoint(context, endpoint.name)
        st.rerun()
if capabilities is None:
    st.stop()

st.header("2  What to ask")
suite = evaluation_form.suite(known)
evidence = supplied_form.supplied(known.suite(suite), data_folder=context.settings.data_folder)
whole = plan_run(context, model=endpoint.name, suite=suite, **evidence.for_plan())
requirements = evaluation_form.requirements(evaluation_plan.choices(whole, known))

st.header("3  Options")
extent = evaluation_form.extent(part=known.suite(suite).part)
samples = evaluation_form.samples(evaluation_plan.most_samples(whole, requirements))
judge = judge_form.judge(judges.candidates(context), endpoint) if judges.are_needed(suite) else None

st.header("4  Review")
if not requirements:
    st.write("Choose at least one requirement above.")
    st.stop()
plan = plan_run(
    context,
    model=endpoint.name,
    suite=suite,
    requirements=requirements,
    judge=judge,
    samples=samples,
    **extent._asdict(),
    **evidence.for_plan(requirements),
)
st.markdown(f"**{evaluation_plan.review(plan)}**")
if note := evaluation_plan.subset(plan):
    st.write(note)
with st.expander("Benchmark by benchmark"):
    st.html(evaluation_plan.table(plan))
workers.show(live_workers(context))
if st.button("Start", type="primary", icon=":material/play_arrow:", disabled=not plan.runnable, key="start"):
    run = start_run(context, plan, created_by=state.person())
    st.switch_page("views/runs.py", query_params={"run": run.id})
