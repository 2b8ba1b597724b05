"""One run on a page: live while it goes on, still once it is over."""

from collections.abc import Mapping

import streamlit as st

from app import frame, state
from app.components import import_tables, run_progress, run_tables, workers
from app.components.advice import for_a_page
from app.components.foreign import plain, showable
from domain import words
from domain.runs import Run, RunState
from jobs.context import Context
from jobs.imports import not_measured
from jobs.plans import Plan
from jobs.runs import cancel_run, pause_run, resume_run, retry_run, settle_orphans, start_run
from jobs.workers import serving
from requirements_map import catalogue


def titles() -> Mapping[str, str]:
    """Titles of the benchmarks the map knows."""
    return {b.key: b.title for suite in catalogue.load().suites.values() for b in suite.all_benchmarks}


def go_on(context: Context, run: Run, plan: Plan | None) -> None:
    """Buttons that go on with a run that did not finish, or ask again what failed of it."""
    if run.state in {RunState.DONE, RunState.SKIPPED}:
        return
    if run.state is not RunState.CANCELLED and any(b.state is RunState.FAILED for b in run.benchmarks):
        if st.button("Ask again what failed", type="primary", icon=":material/replay:", key="retry_run"):
            _opened(retry_run(context, run.id))
        return
    if plan is None or not plan.runnable:
        return
    if st.button("Go on with this evaluation", type="primary", icon=":material/play_arrow:", key="go_on"):
        _opened(start_run(context, plan, created_by=state.person()))


def _opened(run: Run) -> None:
    st.switch_page("views/runs.py", query_params={"run": run.id})


@st.fragment(run_every="2s")
@frame.guarded
def live(context: Context, run_id: str, planned: Mapping[str, int]) -> None:
    """The part that follows the run; at its end the whole page is drawn once more and the polling is over."""
    settle_orphans(context)
    run = context.store.run(run_id)
    if run.state.is_final:
        st.rerun()
    running = serving(context, run)
    if not running:
        workers.show(running)
    show(context, run, planned)
    with st.container(horizontal=True):
        _steer(context, run)
    if running:
        workers.show(running)


def _steer(context: Context, run: Run) -> None:
    """Pause or resume, and cancel."""
    if run.state is RunState.PAUSED:
        if st.button("Resume", type="primary", icon=":material/play_arrow:", key="resume_run"):
            resume_run(context, run.id)
            st.rerun()
    elif run.state in {RunState.QUEUED, RunState.RUNNING, RunState.INTERRUPTED} and st.button(
        "Pause",
        icon=":material/pause:",
        key="pause_run",
        help="Keeps what is answered and lets other runs of this model go first.",
    ):
        pause_run(context, run.id)
        st.rerun()
    if run.state is not RunState.CANCELLING and st.button("Cancel", icon=":material/stop:", key="cancel_run"):
        cancel_run(context, run.id)
        st.rerun()


def show(context: Context, run: Run, planned: Mapping[str, int]) -> None:
    """Bar, speed, time left, errors with their next step, benchmarks."""
    now = state.now()
    rate = context.store.answer_rate(run.id, now=now.timestamp()) if run.state is RunState.RUNNING else None
    speed = run_progress.pace(run, now=now, planned=planned, recent_rate=rate)
    st.write(plain(for_a_page(run_progress.outcome_sentence(run))))
    st.progress(speed.share, text=run_progress.headline(run, speed))
    for sentence, step in run_progress.error_sentences(run.errors):
        st.warning(f"{plain(sentence)}. {step}", icon=":material/warning:")
    if run.errors:
        with st.expander("Show a failed request"):
            _one_failure(context, run)
    st.html(run_tables.benchmarks(run, titles(), planned))


def imported(context: Context, run: Run) -> None:
    """What another tool found: its figures, and what is kept of it; nothing here can be asked again."""
    st.write(plain(run.reason or ""))
    st.html(import_tables.figures(context.store.measurements(run.id)))
    if entries := not_measured(run):
        st.html(import_tables.kept(entries))


def _one_failure(context: Context, run: Run) -> None:
    failed = context.store.failures(run.id, limit=1)
    if not failed:
        st.write("Every failed request was asked again since and has an answer now.")
        return
    answer = failed[0]
    kind = run_progress.ERROR_WORDS[answer.error_class][0] if answer.error_class else "failed"
    st.write(f"{kind.capitalize()}, after {answer.attempts} attempts. The server or the connection said:")
    st.code(showable(answer.error or "nothing"), language=None, wrap_lines=True)


def facts(run: Run) -> str:
    """Who started what, when, with which options; in one line."""
    if run.is_imported:
        when = words.moment_text(run.started_at) if run.started_at else "time of the evaluation not told"
        return f"Imported · {when} · taken over {words.moment_text(run.created_at)} by {plain(run.created_by)}"
    options = run.spec.options
    limit = "all items"
    if options.limit or options.limits:
        much = f"at most {words.count_text(options.limit, 'item')} per benchmark" if options.limit else "quick look"
        limit = f"{much}, seed {options.seed}"
    if options.samples > 1:
        limit += f", up to {options.samples} answers per question"
    started = words.moment_text(run.started_at or run.created_at)
    return f"Suite {plain(run.spec.suite)} · {started} · by {plain(run.created_by)} · {limit}"
