"""All evaluations, or one of them by its address; a run goes on when the page is closed."""

import streamlit as st

from app import state
from app.components import run_panel, run_tables, workers
from app.components.foreign import plain
from jobs import replans
from jobs.runs import settle_orphans
from jobs.workers import live_workers

context = state.context()
models = {endpoint.id: endpoint.name for endpoint in context.store.endpoints()}
run_id = state.asked_for("run")

if run_id is None:
    st.title("Runs")
    workers.show(live_workers(context))
    settle_orphans(context)
    found = context.store.runs(limit=50)
    if found:
        st.html(run_tables.runs(found, models, now=state.now()))
    else:
        st.write(
            "Nothing was evaluated yet: a run asks a model the questions of the benchmarks and keeps every answer."
        )
        if st.button("Start an evaluation", type="primary", icon=":material/play_arrow:"):
            st.switch_page("views/new_evaluation.py")
    st.stop()

settle_orphans(context)
run = context.store.run(run_id)
st.title(plain(f"Evaluation of {models.get(run.spec.endpoint_id, 'a model that was removed')}"))
st.caption(run_panel.facts(run))
plan = replans.replanned(context, run)
if run.is_imported:
    run_panel.imported(context, run)
elif not run.state.is_final:
    run_panel.live(context, run.id, replans.requests_of(plan))
else:
    made = [a for a in context.store.assessments(run.spec.endpoint_id) if run.id in a.run_ids]
    if made:
        st.page_link(
            "views/assessment.py",
            label="**Open the assessment**",
            icon=":material/fact_check:",
            query_params={"assessment": made[0].id},
        )
    run_panel.go_on(context, run, plan)
    run_panel.show(context, run, replans.requests_of(plan))
st.page_link("views/runs.py", label="All runs", icon=":material/arrow_back:", query_params={})
