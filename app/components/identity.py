"""What was assessed, under which policy, with which tools; and the way to take it along."""

import streamlit as st

from app.components import evidence_tables, page_links, score_words
from app.components.foreign import code, plain
from app.components.markup import link
from domain import words
from domain.energy import label, total
from domain.scores import Assessment
from jobs import reports
from jobs.context import Context


def head(context: Context, assessment: Assessment) -> None:
    """Title, identity and downloads."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.title(plain(assessment.endpoint_name), width="content")
        with st.container(horizontal=True, width="content"):
            downloads(context, assessment)
    served = f", served as {assessment.served_model}" if assessment.served_model else ""
    mark = f", the server's fingerprint {assessment.fingerprint}" if assessment.fingerprint else ""
    st.caption(
        f"{plain(assessment.model)}{plain(served)} at {code(assessment.base_url)}{plain(mark)} · "
        f"{words.moment_text(assessment.created_at)} · "
        f"suite {plain(assessment.suite)} · policy {plain(assessment.policy_name)} {plain(assessment.policy_version)}"
    )
    notes = [assessment.subset_note] if assessment.subset_note else []
    if assessment.policy_is_example:
        notes.append(
            "The verdicts use the example policy that comes with VERA; an operator sets the thresholds of the house."
        )
    if notes:
        st.info(plain(" ".join(notes)), icon=":material/info:")
    others = [a for a in context.store.assessments(assessment.endpoint_name, limit=20) if a.id != assessment.id]
    if others:
        earlier = " · ".join(link(words.moment_text(a.created_at), page_links.assessment(a.id)) for a in others[:6])
        st.html(f"<small>Other assessments of this model: {earlier}</small>")


def downloads(context: Context, assessment: Assessment) -> None:
    """The report and the machine-readable card, made when they are asked for."""
    name = f"vera-{assessment.endpoint_name}-{assessment.created_at:%Y-%m-%d}".replace("/", "-")
    st.download_button(
        "Report (PDF)",
        data=lambda: reports.pdf(context, assessment),
        file_name=f"{name}.pdf",
        mime="application/pdf",
        icon=":material/picture_as_pdf:",
        on_click="ignore",
    )
    st.download_button(
        "Data (JSON)",
        data=lambda: reports.card(context, assessment),
        file_name=f"{name}.json",
        mime="application/json",
        icon=":material/data_object:",
        on_click="ignore",
    )


def energy(assessment: Assessment) -> None:
    """The sum with its label, and the parts it is made of."""
    reading = total(tuple(assessment.energy.values()))
    if reading is None:
        st.write("Not measured: no benchmark of this assessment was metered.")
        return
    amount, covers = score_words.energy_short(reading)
    st.markdown(f"**{amount}**" + (f" ({plain(covers)})" if covers else ""))
    st.caption(plain(label(reading)))
    with st.expander("By benchmark"):
        st.html(evidence_tables.energy(assessment))


def provenance(assessment: Assessment) -> None:
    """Hashes and versions by which every number can be traced."""
    with st.expander("Versions and hashes, to trace every number"):
        runs = " · ".join(link(run_id, page_links.run(run_id)) for run_id in assessment.run_ids)
        st.html(f"<p>Made of the answers of: {runs}</p>")
        facts = {
            "Assessment": assessment.id,
            "Requirements map": f"{assessment.map_id} {assessment.map_version}, sha256 {assessment.map_sha256}",
            "Policy": f"{assessment.policy_name} {assessment.policy_version}, sha256 {assessment.policy_sha256}",
        }
        facts |= {f"Tool {name}": str(version) for name, version in assessment.tool_versions.items()}
        facts |= {f"Answers of {key}": f"sha256 {value}" for key, value in assessment.evidence.items()}
        st.html(evidence_tables.key_values("What this assessment was made of", facts))
