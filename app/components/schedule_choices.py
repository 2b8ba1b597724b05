"""What a schedule asks, with which judge and evidence: the widgets of a new evaluation, in the form of a schedule."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import streamlit as st

import evaluators
from app.components import evaluation_form, judge_form, schedule_words, supplied_form
from domain.choices import Choices, GivenFile
from domain.endpoints import Endpoint
from domain.schedules import Schedule
from jobs import judges
from jobs.choices import given
from jobs.context import Context
from jobs.judges import Candidate
from requirements_map import catalogue


class Asked(NamedTuple):
    """What is to be asked, by the names under which a schedule takes it."""

    suite: str
    requirements: tuple[str, ...]
    choices: Choices


def show(
    context: Context, old: Schedule | None, *, form: str, model: Endpoint, candidates: Sequence[Candidate]
) -> Asked:
    """The widgets; ``form`` begins their keys. What a new evaluation does not offer stays as it was."""
    before = old.choices if old else Choices()
    suite, requirements = _what(old, form)
    known = catalogue.load().suite(suite)
    extent = evaluation_form.extent(part=known.part, form=form, chosen=before)
    runs_code = context.settings.allow_code or before.samples > 1  # what was chosen can be taken back
    most = _most_samples(suite, requirements, runs_code=runs_code)
    samples = evaluation_form.samples(most, form=form, before=before.samples)
    judge = None
    if judges.are_needed(suite, requirements):
        picked = judge_form.judge(candidates, model, form=form, chosen=before.judge)
        judge = next((c.endpoint.name for c in candidates if c.endpoint.id == picked), None)
    kept = _files(before.data_files, form)
    evidence = supplied_form.supplied(known, data_folder=context.settings.data_folder, form=form, chosen=before)
    supplied = evidence.for_plan(requirements or None)
    files = kept | given(supplied.pop("data_files"))
    choices = replace(before, judge=judge, data_files=files, samples=samples, **extent._asdict(), **supplied)
    return Asked(suite, tuple(requirements), choices)


def _what(old: Schedule | None, form: str) -> tuple[str, list[str]]:
    suites = list(catalogue.load().suites)
    with st.grid(2, min_column_width=280):
        index = suites.index(old.suite) if old and old.suite in suites else 0
        suite = st.selectbox("Suite", suites, index=index, key=f"{form}_suite")
        measured = dict.fromkeys(b.requirement.value for b in catalogue.load().suite(suite).all_benchmarks)
        requirements = st.multiselect(
            "Requirements",
            sorted(measured),
            default=[r for r in old.requirements if r in measured] if old else [],
            key=f"{form}_requirements",
            placeholder="all of the suite",
        )
    return suite, requirements


def _most_samples(suite: str, requirements: Sequence[str], *, runs_code: bool) -> int:
    """Answers per question that a benchmark of these may be asked for, also one that runs programs or not."""
    asked = [b for b in catalogue.load().suite(suite).benchmarks if not requirements or b.requirement in requirements]
    found = (evaluators.find(b.key)[1] for b in asked)
    return max((b.max_samples for b in found if runs_code or not b.runs_code), default=1)


def _files(before: Mapping[str, GivenFile], form: str) -> dict[str, GivenFile]:
    """The files chosen before, but for those that are taken off."""
    if not before:
        return {}
    key, seen = f"{form}_files", f"{form}_files_seen"
    if key not in st.session_state or st.session_state.get(seen) != before:
        # a file that was saved a moment ago is one of them, also where the list was drawn without it
        st.session_state[key], st.session_state[seen] = list(before), dict(before)
    picked = st.multiselect(
        "Files it reads",
        list(before),
        format_func=lambda task: schedule_words.file_in_words(task, before[task]),
        key=key,
        help="A file that has changed since it was chosen is not read: take it off here and supply it again.",
    )
    return {task: before[task] for task in picked}
