"""Evaluations that run again and again: how each is doing, when it is due next, and the form to add or change one."""

from typing import NoReturn

import streamlit as st

from app import state
from app.components import schedule_form, schedule_tables, schedule_words, workers
from app.components.foreign import plain
from jobs import judges, schedules
from jobs.endpoints import askable
from jobs.workers import live_workers


def _again(said: str, *, shown: str | None) -> NoReturn:
    """Draw the page anew with what was done, and with the schedule that is to be seen."""
    st.session_state["schedule_said"], st.session_state["schedule_shown"] = said, shown
    st.rerun()


context = state.context()
st.title("Schedules")
if not askable(context):
    st.write("No model is registered yet: a schedule evaluates a registered model again and again.")
    if st.button("Register a model", type="primary", icon=":material/add:"):
        st.switch_page("views/models.py")
    st.stop()

found = schedules.statuses(context)
candidates = judges.candidates(context)
if said := st.session_state.pop("schedule_said", None):
    st.success(plain(said), icon=":material/check_circle:")
workers.show(live_workers(context))
if found:
    st.write(plain(schedule_words.summary(found)))
    st.html(schedule_tables.overview(found))
else:
    st.write("Nothing is scheduled yet: a schedule evaluates a model every night and says when something got worse.")
with st.expander("Add a schedule", expanded=not found, icon=":material/add:"):
    wanted = schedule_form.show(context, None, candidates)
    if wanted is not None:
        made = schedules.add_schedule(context, wanted, created_by=state.person())
        _again(f"{made.name} is scheduled.", shown=made.name)
if not found:
    st.stop()

names = [status.schedule.name for status in found]
if "schedule_shown" in st.session_state:
    # The name in the address belongs to the widget, so it is changed through the widget, before it is drawn.
    st.session_state["name"] = st.session_state.pop("schedule_shown") or names[0]
if stale := state.stale_link("name", names, kind="schedule"):
    st.warning(plain(stale), icon=":material/link_off:")
name = st.selectbox("Schedule", names, key="name", bind="query-params", width=480)
status = next(status for status in found if status.schedule.name == name)
schedule = status.schedule
st.header(plain(schedule.name))
st.html(schedule_tables.state_line(status))
with st.container(horizontal=True):
    if st.button("Run now", icon=":material/play_arrow:", key="schedule_run"):
        firing = schedules.run_now(context, schedule.id)
        st.switch_page("views/runs.py", query_params={"run": str(firing.run_id)})
    if schedule.paused and st.button("Resume", icon=":material/resume:", key="schedule_resume"):
        schedules.resume_schedule(context, schedule.id)
        st.rerun()
    if not schedule.paused and st.button("Pause", icon=":material/pause:", key="schedule_pause"):
        schedules.pause_schedule(context, schedule.id)
        st.rerun()
    with st.popover("Remove", icon=":material/delete:"):
        st.write("Its runs and what was alerted stay; the schedule and its list of times go.")
        if st.button("Remove the schedule", type="primary", key="schedule_remove"):
            schedules.remove_schedule(context, schedule.id)
            _again(f"{schedule.name} is removed.", shown=None)

st.html(schedule_tables.facts(status))
st.subheader("Next times")
if schedule.paused:
    st.write("Paused: no time is due. Resumed now, it would be due at:")
st.markdown("\n".join(f"1. {moment}" for moment in schedules.next_in_words(schedule)))
comparison = schedules.last_comparison(context, schedule)
if comparison is not None:
    st.subheader("Last comparison")
    st.html(schedule_tables.comparison(comparison))
    with st.expander("Benchmark by benchmark"):
        st.html(schedule_tables.benchmarks(comparison))
st.subheader("Past times")
st.html(schedule_tables.history(context.store.firings(schedule.id), schedule.timezone))
alerts = context.store.alerts(schedule_id=schedule.id, limit=20)
if alerts:
    st.subheader("Alerts")
    st.html(schedule_tables.alerts(alerts))
with st.expander("Change the schedule", icon=":material/edit:"):
    changed = schedule_form.show(context, schedule, candidates)
    if changed is not None:
        kept = schedules.change_schedule(context, schedule.id, changed)
        _again(f"{kept.name} is changed.", shown=kept.name)
