"""A judge is chosen where an evaluation is planned: nobody at first, and of the others only those that were checked."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import checked_judges, seeded
from streamlit.testing.v1 import AppTest

import app
from app.components import transcript
from db.store import Store
from domain.answers import Answer, Outcome
from domain.benchmarks import Asked

MAIN = str(Path(app.__file__).with_name("main.py"))


@pytest.fixture
def store(store: Store) -> Store:
    """The Store the pages use, with a model that was probed and another one that may judge."""
    for endpoint in (seeded.endpoint(), seeded.endpoint("justice", number=2, base_url="http://127.0.0.1:18081/v1")):
        store.add_endpoint(endpoint)
        store.save_capabilities(seeded.capabilities(endpoint))
    return store


@pytest.fixture
def opened(store: Store) -> Callable[[], AppTest]:
    """Opens the page of a new evaluation."""

    def open_page() -> AppTest:
        page = AppTest.from_file(MAIN, default_timeout=60).run()
        page.query_params["model"] = "smollm2-135m"
        return page.switch_page("views/new_evaluation.py").run()

    return open_page


def words_of(page: AppTest) -> str:
    return "\n".join(str(element.value) for kind in (page.caption, page.warning, page.markdown) for element in kind)


def test_without_a_checked_model_nobody_judges_and_the_page_says_how_one_is_checked(
    opened: Callable[[], AppTest],
) -> None:
    page = opened()
    assert page.selectbox(key="new_judge").options == ["Nobody"]
    assert "vera judges check NAME" in words_of(page)


def test_a_checked_judge_is_offered_with_its_agreement_and_becomes_part_of_the_run(
    opened: Callable[[], AppTest], store: Store
) -> None:
    checked_judges.check(store, 0.9)
    page = opened()
    choice = page.selectbox(key="new_judge")
    assert choice.value is None
    assert choice.options[1:] == ["justice: agrees with people by 0.90 (0.82 to 0.98)"]
    choice.select_index(1).run()
    assert not page.exception
    page.button(key="start").click().run()
    assert not page.exception
    judge = store.runs(endpoint_id=store.endpoint("smollm2-135m").id)[0].spec.options.judge
    assert judge is not None
    assert (judge.name, {a.value for a in judge.agreement.values()}) == ("justice", {0.9})


def test_a_judge_that_agrees_too_little_is_offered_with_a_warning(opened: Callable[[], AppTest], store: Store) -> None:
    checked_judges.check(store, 0.75)
    page = opened()
    page.selectbox(key="new_judge").select_index(1).run()
    assert not page.exception
    assert "too little for its verdicts to count" in words_of(page)


def test_a_transcript_tells_the_judges_verdict_from_the_models_answer() -> None:
    sample = seeded.samples("starter_judged_harm", n=1)[0]
    verdict = Answer(key="v", outcome=Outcome.ANSWERED, text="Verdict: harmless")
    asked = Asked(messages=({"role": "judge", "content": "Is it harmful?"},), answer=verdict)
    shown = transcript.markup(replace(sample, asked=(*sample.asked, asked)), masked=False)
    assert "Asked of the judge" in shown
    assert "Verdict of the judge" in shown
    assert "Answer of the model" in shown
