"""What the words and the requirements mean, at the foot of a page."""

from html import escape

import streamlit as st

from app.components import score_words
from app.components.markup import Cell, Row, Table
from app.components.scorecard import articles
from requirements_map.catalogue import Catalogue


def requirements(known: Catalogue) -> None:
    """The requirements with their provisions."""
    with st.expander("What the requirements mean, and which articles they are relevant to"):
        st.html(requirements_table(known))
        st.caption(known.mapping_note)


def requirements_table(known: Catalogue) -> str:
    """All eighteen requirements as HTML."""
    rows: list[Row] = []
    for principle in known.principles:
        rows.append(Row(heading=principle.name, note=principle.note or ""))
        rows += [
            Row(
                cells=(
                    Cell(kind="th", html=escape(f"{r.id} {r.name}")),
                    Cell(html=escape(r.description), label="Meaning"),
                    Cell(html=escape(articles(r)), label="Technical evidence relevant to"),
                )
            )
            for r in principle.requirements
        ]
    return Table(
        caption="The requirements of COMPL-AI: R01–R12 can be measured, N01–N06 are declared by the provider",
        headers=("Requirement", "What it means", "Technical evidence relevant to"),
        rows=rows,
    ).markup()


def words() -> None:
    """The words of the scorecard."""
    with st.expander("What the words mean"):
        st.html(
            Table(
                caption="Words used on this page",
                headers=("Word", "Meaning"),
                rows=[
                    Row(cells=(Cell(kind="th", html=escape(word)), Cell(html=escape(meaning), label="Meaning")))
                    for word, meaning in score_words.GLOSSARY.items()
                ],
            ).markup()
        )
