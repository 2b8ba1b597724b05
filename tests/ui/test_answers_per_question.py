"""Several answers per question are offered only where a chosen benchmark can use them, and become part of the run."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes import seeded
from streamlit.testing.v1 import AppTest

import app
from app import state
from db.store import Store
from evaluators import sandbox
from evaluators.benchmarks.published_code import CODE, MOST_PROGRAMS

[HUMANEVAL] = CODE
MAIN = str(Path(app.__file__).with_name("main.py"))
ROW = {"task_id": "own/1", "prompt": "def f():\n", "entry_point": "f", "test": "", "canonical_solution": "    pass"}


@pytest.fixture
def _allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    if why := sandbox.refusal():
        pytest.skip(why)
    monkeypatch.setenv("VERA_ALLOW_CODE", "1")


@pytest.fixture
def opened(_allowed: None, request: pytest.FixtureRequest) -> Callable[[str], AppTest]:
    """Opens the page of a new evaluation for a suite, on a machine with problems to write programs for."""
    store: Store = request.getfixturevalue("store")  # after the setting
    store.add_endpoint(seeded.endpoint())
    store.save_capabilities(seeded.capabilities(seeded.endpoint()))
    file = state.context().settings.data_folder / HUMANEVAL.data
    file.parent.mkdir(parents=True)
    with gzip.open(file, "wt") as problems:
        problems.write(json.dumps(ROW))

    def open_page(suite: str) -> AppTest:
        page = AppTest.from_file(MAIN, default_timeout=120).run()
        page.query_params["model"] = "smollm2-135m"
        page = page.switch_page("views/new_evaluation.py").run()
        page.segmented_control(key="new_suite").set_value(suite).run()
        assert not page.exception
        return page

    return open_page


def offered(page: AppTest) -> bool:
    return "new_samples" in {field.key for field in page.number_input}


def test_a_suite_without_programs_offers_one_answer_per_question(opened: Callable[[str], AppTest]) -> None:
    assert not offered(opened("starter"))


def test_several_answers_become_part_of_the_run_and_of_its_requests(
    opened: Callable[[str], AppTest], store: Store
) -> None:
    page = opened("screening")
    field = page.number_input(key="new_samples")
    assert (field.label, field.value, field.min, field.max) == ("Answers per question", 1, 1, MOST_PROGRAMS)
    field.set_value(5).run()
    page.button(key="start").click().run()
    assert not page.exception
    [run] = store.runs()
    assert run.spec.options.samples == 5
    assert "up to 5 answers per question" in "\n".join(
        str(caption.value) for caption in (*page.caption, *page.markdown)
    )


def test_they_are_forgotten_where_the_programs_are_no_longer_chosen(opened: Callable[[str], AppTest]) -> None:
    page = opened("screening")
    page.number_input(key="new_samples").set_value(5).run()
    page.segmented_control(key="new_extent").set_value("Choose requirements").run()
    page.checkbox(key="new_R06").uncheck().run()
    assert not page.exception
    assert not offered(page)
