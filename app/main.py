"""The dashboard: its pages, and the frame around whichever is shown. Start it with `vera serve`."""

from pathlib import Path

import streamlit as st

from app.frame import guard

page = st.navigation(
    [
        st.Page(
            "views/overview.py",
            title="Overview",
            default=True,
            help="All registered models with their twelve requirements.",
        ),
        st.Page(
            "views/new_evaluation.py",
            title="New evaluation",
            help="Pick a model and what to ask it, see how long it takes, and start.",
        ),
        st.Page("views/runs.py", title="Runs", help="Evaluations going on and over."),
        st.Page(
            "views/assessment.py",
            title="Assessment",
            help="The scorecard of one model, down to each stored question and answer.",
        ),
        st.Page("views/models.py", title="Models", help="Register a served model and probe it."),
    ],
    position="top",
)
# pages without symbols and a picture of our own: Streamlit's would be fetched from the internet
st.set_page_config(page_icon=Path(__file__).with_name("components") / "data" / "favicon.svg", layout="wide")
with guard(page):
    page.run()
