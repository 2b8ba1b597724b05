"""One assessment: the scorecard, and behind each number its benchmarks and its stored answers."""

import streamlit as st

from app import state
from app.components import evidence, evidence_tables, glossary, identity, requirement_labels, scorecard
from app.components.foreign import plain
from domain.errors import NotFound
from domain.scores import Assessment, RequirementId
from requirements_map import catalogue
from requirements_map.summary import headline

context = state.context()
known = catalogue.load()


def chosen() -> Assessment | None:
    """The assessment of the address, by its own id or as the latest of a model; else the latest of all."""
    if wanted := state.asked_for("assessment"):
        return context.store.assessment(wanted)
    if model := state.asked_for("model"):
        found = context.store.latest_assessment(context.store.endpoint(model).id)
        if found is None:
            raise NotFound(f"{model} was not assessed yet; start an evaluation first.")
        return found
    return next(iter(context.store.assessments(limit=1)), None)


def remember(place: str) -> None:
    """Put the picked requirement into the address, so that a link leads to it; what was picked here stays here."""
    picked = st.session_state["requirement_shown"]
    st.session_state["behind_stays"] = place
    if picked is None:
        st.query_params.pop("requirement", None)
    else:
        st.query_params["requirement"] = str(picked)


def behind(assessment: Assessment, selected: RequirementId | None, place: str) -> None:
    """What one score rests on."""
    st.header("Behind one score")
    picked = st.pills(
        "Requirement",
        options,
        default=selected,
        format_func=requirement_labels.labelled,
        key="requirement_shown",
        on_change=remember,
        args=(place,),
        label_visibility="collapsed",
    )
    if picked in options:
        evidence.show(context, assessment, known.requirement(picked), known)
    else:
        st.write("Pick a requirement to see its benchmarks, the figures beside its score, and every stored answer.")


assessment = chosen()
if assessment is None:
    st.title("Assessment")
    st.write("There is no assessment yet: it is made of the answers of an evaluation once that is over.")
    if st.button("Start an evaluation", type="primary", icon=":material/play_arrow:"):
        st.switch_page("views/new_evaluation.py")
    st.stop()

identity.head(context, assessment)
names = {requirement.id: requirement.name for requirement in known.requirements}
st.markdown(f"**{plain(headline(assessment))}**")
if extremes := scorecard.extremes(assessment, names):
    st.write(plain(extremes))

options = [score.requirement.value for score in assessment.scores if score.requirement.is_measurable]
asked = state.asked_for("requirement")
selected = RequirementId(asked) if asked in options else None
# A link to one score leads to what is behind it; what is picked below the scorecard does not jump away.
place = st.session_state.get("behind_stays") or ("above" if selected else "below")
if place == "above":
    behind(assessment, selected, place)
    st.header("All scores")
st.html(scorecard.table(assessment, known=known, selected=selected))
st.caption(known.mapping_note)
if place == "below":
    behind(assessment, selected, place)

st.header("Declared by the provider")
declared = [score for score in assessment.scores if not score.requirement.is_measurable]
st.html(evidence_tables.gaps(declared, names, caption="No benchmark can show these; they rest on documents"))
st.header("Energy of this evaluation")
identity.energy(assessment)
st.header("Limits of this assessment")
st.markdown(
    "\n".join(f"- {plain(sentence)}" for sentence in dict.fromkeys((known.disclaimer, *assessment.limitations)))
)
identity.provenance(assessment)
glossary.requirements(known)
glossary.words()
