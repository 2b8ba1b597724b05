"""The dashboard: its pages, and the frame around whichever is shown. Start it with `vera serve`."""

from pathlib import Path

import streamlit as st

from app.frame import guard

# pages without symbols and a picture of our own: Streamlit's would be fetched from the internet
page = st.navigation(
    [
        st.Page("views/overview.py", title="Overview", default=True),
        st.Page("views/new_evaluation.py", title="New evaluation"),
        st.Page("views/runs.py", title="Runs"),
        st.Page("views/assessment.py", title="Assessment"),
        st.Page("views/schedules.py", title="Schedules"),
        st.Page("views/models.py", title="Models"),
    ],
    position="top",
)
st.set_page_config(page_icon=Path(__file__).with_name("components") / "data" / "favicon.svg", layout="wide")
with guard(page):
    page.run()
