"""One run on a page: live while it goes on, still once it is over."""

from collections.abc import Mapping

import streamlit as st

from app import frame, state
from app.components import identity, run_progress, run_tables, score_words, workers
from domain.errors import UserError
from domain.runs import Run, RunState
from jobs.context import Context
from jobs.plans import TASKS, Plan
from jobs.runs import cancel_run, plan_run, start_run
from jobs.workers import live_workers
from requirements_map import catalogue


def titles() -> Mapping[str, str]:
    """Titles of the benchmarks the map knows."""
    return {b.key: b.title for suite in catalogue.load().suites.values() for b in suite.benchmarks}


def replanned(context: Context, run: Run) -> Plan | None:
    """The plan of which the run was made; None where that can no longer be told, for instance without a probe."""
    spec = run.spec
    of_suite = spec.suite != TASKS
    known = catalogue.load()
    try:
        suite = known.suite(spec.suite).benchmarks if of_suite else ()
        return plan_run(
            context,
            model=spec.endpoint_id,
            suite=spec.suite,
            requirements=sorted({b.requirement for b in suite if b.key in spec.benchmarks}),
            tasks=() if of_suite else spec.benchmarks,
            limit=spec.options.limit,
            data_files=spec.options.data_files,
            seed=spec.options.seed,
            system_prompt=spec.options.system_prompt,
            num_fewshot=spec.options.num_fewshot,
            quick=bool(spec.options.limits),
        )
    except UserError:
        return None


def requests_of(plan: Plan | None) -> Mapping[str, int]:
    """Requests per benchmark as estimated before the start."""
    return {b.key: b.requests for b in plan.benchmarks if b.requests is not None} if plan else {}


def go_on(context: Context, run: Run, plan: Plan | None) -> None:
    """A button that goes on with a run that did not finish, where the same questions can still be asked."""
    if run.state in {RunState.DONE, RunState.SKIPPED} or plan is None or not plan.runnable:
        return
    if st.button("Go on with this evaluation", type="primary", icon=":material/play_arrow:", key="go_on"):
        started = start_run(context, plan, created_by=state.person())
        st.switch_page("views/runs.py", query_params={"run": started.id})


@st.fragment(run_every="2s")
@frame.guarded
def live(context: Context, run_id: str, planned: Mapping[str, int]) -> None:
    """The part that follows the run; at its end the whole page is drawn once more and the polling is over."""
    run = context.store.run(run_id)
    if run.state.is_final:
        st.rerun()
    show(context, run, planned)
    if run.state is not RunState.CANCELLING and st.button("Cancel", icon=":material/stop:", key="cancel_run"):
        cancel_run(context, run.id)
        st.rerun()
    workers.show(live_workers(context))


def show(context: Context, run: Run, planned: Mapping[str, int]) -> None:
    """Bar, speed, time left, errors with their next step, benchmarks."""
    speed = run_progress.pace(run, now=state.now(), planned=planned)
    st.write(run_progress.outcome_sentence(run))
    st.progress(speed.share, text=run_progress.headline(run, speed))
    for sentence, step in run_progress.error_sentences(run.errors):
        st.warning(f"{sentence}. {step}", icon=":material/warning:")
    if run.errors:
        with st.expander("Show a failed request"):
            _one_failure(context, run)
    st.html(run_tables.benchmarks(run, titles(), planned))


def _one_failure(context: Context, run: Run) -> None:
    failed = context.store.failures(run.id, limit=1)
    if not failed:
        st.write("Every failed request was asked again since and has an answer now.")
        return
    answer = failed[0]
    kind = run_progress.ERROR_WORDS[answer.error_class][0] if answer.error_class else "failed"
    st.write(f"{kind.capitalize()}, after {answer.attempts} attempts. The server or the connection said:")
    st.code(answer.error or "nothing", language=None, wrap_lines=True)


def facts(run: Run) -> str:
    """Who started what, when, with which options; in one line."""
    options = run.spec.options
    limit = "all items"
    if options.limit or options.limits:
        much = f"at most {options.limit} items per benchmark" if options.limit else "quick look"
        limit = f"{much}, seed {options.seed}"
    started = score_words.moment(run.started_at or run.created_at, now=state.now())
    return f"Suite {identity.plain(run.spec.suite)} · {started} · by {identity.plain(run.created_by)} · {limit}"
