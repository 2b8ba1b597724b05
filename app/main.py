"""The dashboard: its pages, and the frame around whichever is shown. Start it with `vera serve`."""

import streamlit as st

from app.frame import guard

st.set_page_config(page_title="VERA", page_icon=":material/fact_check:", layout="wide")
page = st.navigation(
    [
        st.Page(
            "pages/overview.py",
            title="Overview",
            icon=":material/table_chart:",
            default=True,
            help="All registered models with their twelve requirements.",
        ),
        st.Page(
            "pages/new_evaluation.py",
            title="New evaluation",
            icon=":material/add_circle:",
            help="Pick a model and what to ask it, see how long it takes, and start.",
        ),
        st.Page("pages/runs.py", title="Runs", icon=":material/timeline:", help="Evaluations going on and over."),
        st.Page(
            "pages/assessment.py",
            title="Assessment",
            icon=":material/fact_check:",
            help="The scorecard of one model, down to each stored question and answer.",
        ),
        st.Page("pages/models.py", title="Models", icon=":material/dns:", help="Register a served model and probe it."),
    ],
    position="top",
)
with guard(page):
    page.run()
