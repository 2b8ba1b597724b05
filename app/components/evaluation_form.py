"""The widgets of a new evaluation. What comes back is checked again by the plan, whatever the browser sent."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from app.components.evaluation_plan import Choice
from app.components.foreign import plain
from domain import words
from domain.benchmarks import RunOptions
from domain.choices import Choices
from requirements_map.catalogue import Catalogue

ALL, SOME = "All requirements", "Choose requirements"
EVERY, QUICK, AT_MOST = "All", "Quick look", "At most …"


def suite(known: Catalogue) -> str:
    """The suite to ask."""
    names = list(known.suites)
    titles = {name: found.title for name, found in known.suites.items()}
    picked = names[0]
    if len(names) > 1:
        picked = st.segmented_control(
            "Suite", names, default=names[0], required=True, format_func=titles.__getitem__, key="new_suite"
        )
    found = known.suite(picked)
    st.write(f"**{found.title}**: {found.description}")
    return picked


def requirements(choices: Sequence[Choice]) -> list[str]:
    """The requirements to ask for; those that cannot be asked are shown with their reason."""
    mode = st.segmented_control(
        "Extent", [ALL, SOME], default=ALL, required=True, key="new_extent", label_visibility="collapsed"
    )
    free = [choice for choice in choices if choice.blocked is None]
    blocked = [choice for choice in choices if choice.blocked is not None]
    wanted = [choice.requirement.value for choice in free]
    if mode == SOME:
        with st.grid(3, min_column_width=260):
            ticked = [
                choice.requirement.value
                for choice in choices
                if st.checkbox(
                    f"{choice.requirement} {choice.name}",
                    value=choice.blocked is None,
                    disabled=choice.blocked is not None,
                    help=plain(choice.blocked) if choice.blocked else None,
                    key=f"new_{choice.requirement}",
                )
            ]
        wanted = [requirement for requirement in wanted if requirement in ticked]
    if blocked:
        with st.expander(f"{words.count_text(len(blocked), 'requirement')} cannot be asked here, and why"):
            for choice in blocked:
                st.markdown(f"- **{choice.requirement} {choice.name}**: {plain(choice.blocked or '')}")
    return wanted


class Extent(NamedTuple):
    """How much of each benchmark is asked; the arguments of a plan."""

    quick: bool
    limit: int | None
    seed: int


def extent(*, part: bool, form: str = "new", chosen: Choices | None = None) -> Extent:
    """How many items per benchmark, and the seed that draws them; of a suite that asks a part, never every one.

    ``form`` begins the keys of the widgets; ``chosen`` is what they show at first.
    """
    chosen = chosen or Choices()
    choices = [QUICK, AT_MOST] if part else [EVERY, QUICK, AT_MOST]
    before = QUICK if chosen.quick else choices[0] if chosen.limit is None else AT_MOST
    how_many = st.segmented_control(
        "Questions of each benchmark",
        choices,
        default=before,
        required=True,
        key=f"{form}_part" if part else f"{form}_how_many",
        help="A quick look asks the fewest questions with which a score can be given; its intervals are wide.",
    )
    limit = None
    with st.container(horizontal=True, vertical_alignment="top"):
        if how_many == AT_MOST:
            limit = st.number_input(
                "Items per benchmark",
                min_value=1,
                value=chosen.limit or 100,
                step=10,
                key=f"{form}_limit",
                width=260,
                help="Fewer items take less time and give wider intervals; below the minimum of a benchmark its score "
                "is withheld.",
            )
        seed = st.number_input(
            "Seed",
            min_value=0,
            value=RunOptions().seed if chosen.seed is None else chosen.seed,
            step=1,
            key=f"{form}_seed",
            width=260,
            help="Draws the items where not all are asked. The same seed asks the same items.",
        )
    return Extent(
        quick=how_many == QUICK,
        limit=None if limit is None else int(limit),
        seed=int(seed if seed is not None else RunOptions().seed),
    )


def samples(most: int, *, form: str = "new", before: int = 1) -> int:
    """Answers per question; asked for only where a chosen benchmark can use more than one."""
    if most == 1:
        return 1
    picked = st.number_input(
        "Answers per question",
        min_value=1,
        max_value=most,
        value=min(before, most),
        step=1,
        key=f"{form}_samples",
        width=260,
        help="Where the model writes programs, it may try each problem several times; the report then also says how "
        "often one of 5, 10 or more programs passes. Time and cost of these questions grow with the number, all other "
        "questions are asked once.",
    )
    return int(picked or 1)
