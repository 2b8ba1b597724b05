"""Who judges the answers of benchmarks that need a judge: nobody, or a model that was checked."""

from collections.abc import Sequence

import streamlit as st

from app.components.foreign import plain
from domain.endpoints import Endpoint
from jobs import judges
from jobs.judges import Candidate, Standing

NOBODY = "Nobody"


def judge(found: Sequence[Candidate], model: Endpoint, *, form: str = "new", chosen: str | None = None) -> str | None:
    """Id of the chosen judge; the model itself and unchecked ones are not offered.

    ``form`` begins the key of the widget; ``chosen`` is the name of the judge it shows at first.
    """
    others = [c for c in found if not judges.is_same_model(c.endpoint, model)]
    checked = {c.endpoint.id: c for c in others if c.standing is not Standing.UNCHECKED}
    picked: str | None = st.selectbox(
        "Judge",
        [None, *checked],
        index=next((n for n, c in enumerate(checked.values(), start=1) if c.endpoint.name == chosen), 0),
        format_func=lambda key: NOBODY if key is None else label(checked[key]),
        key=f"{form}_judge",
        width=480,
        help="Another served model that says whether answers do harm or help an attacker. Without one, these "
        "benchmarks are left out.",
    )
    if chosen is not None and all(c.endpoint.name != chosen for c in checked.values()):
        st.warning(
            plain(
                f"{chosen} was chosen before and cannot judge now: it is not registered, was not checked, or is the "
                "model itself."
            ),
            icon=":material/gavel:",
        )
    if picked is not None and checked[picked].standing is Standing.REFUSED:
        st.warning(plain(checked[picked].reason), icon=":material/gavel:")
    if not checked:
        st.caption(
            "No other model was checked yet. `vera judges check NAME` measures how far a registered model agrees with "
            "people as a judge."
        )
    return picked


def label(candidate: Candidate) -> str:
    """A judge with its agreement and whether its verdicts count."""
    lowest = candidate.lowest
    if lowest is None:
        return candidate.endpoint.name
    counts = "" if candidate.standing is Standing.USABLE else ", too little to count"
    return (
        f"{candidate.endpoint.name}: agrees with people by {lowest.value:.2f} "
        f"({lowest.low:.2f} to {lowest.high:.2f}){counts}"
    )
