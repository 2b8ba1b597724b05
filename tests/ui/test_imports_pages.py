"""The pages with imported results: marked as such, and nothing offered that nobody could answer."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from fakes import foreign_results
from streamlit.testing.v1 import AppTest

import app
from app import state
from jobs import imports
from jobs.imports import ImportedRun

MAIN = str(Path(app.__file__).with_name("main.py"))


@pytest.fixture
def imported(tmp_path: Path) -> Iterator[ImportedRun]:
    """One imported run in the test's own home, of a model whose task has markup in its name."""
    st.cache_resource.clear()
    before = list(logging.getLogger().handlers)
    log = foreign_results.inspect_log()
    log["eval"]["task"] = "<b>toy</b>"
    (tmp_path / "log.json").write_text(json.dumps(log))
    context = state.context()
    yield imports.import_results(context, tmp_path, created_by="ana").runs[0]
    context.store.dispose()
    st.cache_resource.clear()
    for handler in set(logging.getLogger().handlers) - set(before):
        logging.getLogger().removeHandler(handler)
        handler.close()


def opened(view: str, **query: str) -> AppTest:
    page = AppTest.from_file(MAIN, default_timeout=30).run()
    for key, value in query.items():
        page.query_params[key] = value
    page = page.switch_page(f"views/{view}.py").run()
    assert not page.exception
    assert not page.error
    return page


def html(page: AppTest) -> str:
    return "\n".join(element.body for element in page.get("html"))


def test_an_imported_run_shows_its_figures_and_offers_nothing_to_ask(imported: ImportedRun) -> None:
    page = opened("runs", run=imported.run.id)
    assert page.caption[0].value.startswith("Imported · 3 Nov 2026")
    assert not page.button
    tables = html(page)
    assert "0.750" in tables
    assert "novelty" in tables
    assert "<b>toy</b>" not in tables


def test_the_list_of_runs_marks_an_imported_one(imported: ImportedRun) -> None:
    assert "imported" in html(opened("runs"))
    assert imported.run.id in html(opened("runs"))


def test_a_model_known_by_imported_results_is_not_probed_scheduled_or_evaluated(imported: ImportedRun) -> None:
    models = opened("models", name=imported.endpoint.name)
    assert not [button for button in models.button if "Probe" in button.label]
    assert "Known by imported results alone" in html(models)
    for view in ("new_evaluation", "schedules"):
        page = opened(view)
        assert [button.label for button in page.button] == ["Register a model"]
        assert not page.selectbox


def test_the_overview_says_that_imported_results_are_not_assessed(imported: ImportedRun) -> None:
    assert "Imported results, which are not assessed" in html(opened("overview"))
    assert imported.run.id in html(opened("overview"))
