"""Each page with nothing stored, with everything stored, after a failure, and with ids nobody ever gave out."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import seeded
from streamlit.testing.v1 import AppTest

import app
from app import state
from db.store import Store
from domain.runs import RunState
from domain.scores import RequirementId
from evaluators import calibration_metrics
from jobs import schedules

MAIN = str(Path(app.__file__).with_name("main.py"))
PAGES = ("overview", "new_evaluation", "runs", "assessment", "models")
Open = Callable[..., AppTest]


@pytest.fixture
def opened(store: Store) -> Open:
    """Opens a page by its name with ids in the address."""

    def open_page(view: str, /, **query: str) -> AppTest:
        page = AppTest.from_file(MAIN, default_timeout=30).run()
        for key, value in query.items():
            page.query_params[key] = value
        page.switch_page(f"views/{view}.py").run()
        return page

    return open_page


def texts(page: AppTest) -> str:
    """All words of a page."""
    parts = [getattr(element, "value", None) or getattr(element, "body", "") for element in page.main]
    labels = [button.label for button in page.button] + [link.label for link in page.get("page_link")]
    return "\n".join(map(str, [*parts, *labels]))


def html(page: AppTest) -> str:
    """The tables of a page."""
    return "\n".join(element.body for element in page.get("html"))


@pytest.mark.parametrize("name", PAGES)
def test_an_empty_database_gives_a_sentence_and_a_way_on(opened: Open, name: str) -> None:
    page = opened(name)
    assert not page.exception
    assert not page.error
    assert len(page.title) == 1
    assert page.button


@pytest.mark.parametrize("name", PAGES)
def test_a_full_database_shows_every_page_without_an_error(opened: Open, store: Store, name: str) -> None:
    seeded.seed(store)
    page = opened(name)
    assert not page.exception
    assert not page.error
    assert len(page.title) == 1


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("runs", {"run": "no-such-run"}),
        ("runs", {"run": "%' OR 1=1 --"}),
        ("assessment", {"assessment": "no-such-assessment"}),
        ("assessment", {"model": "nobody"}),
    ],
)
def test_an_id_nobody_gave_out_is_one_sentence_and_a_way_back(opened: Open, name: str, query: dict[str, str]) -> None:
    page = opened(name, **query)
    assert not page.exception
    assert len(page.error) == 1
    assert next(iter(query.values())) in page.error[0].value
    assert len(page.get("page_link")) == 1


def test_a_requirement_that_does_not_exist_is_left_out_of_the_assessment(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1", requirement="R99")
    assert not page.exception
    assert not page.error


def test_the_overview_leads_from_each_cell_to_its_evidence(opened: Open, store: Store) -> None:
    seeded.seed(store)
    shown = html(opened("overview"))
    for requirement in ("R01", "R02", "R07", "R12"):
        assert f"assessment?assessment=assessment-1&amp;requirement={requirement}" in shown
    assert "Not assessed yet" in shown


def test_an_overview_without_a_worker_says_so(opened: Open, store: Store) -> None:
    seeded.seed(store)
    assert "No worker is running" in opened("overview").warning[0].value


def test_a_run_with_failures_names_what_went_wrong_and_what_to_do(opened: Open, store: Store) -> None:
    seeded.seed_failure(store)
    page = opened("runs", run="run-failed")
    shown = html(page)
    assert "The endpoint stopped answering after 12 of 40 requests" in shown
    assert "it starts from the answers already kept" in shown
    assert "28 × no connection" in page.warning[0].value
    assert "Connect call failed" in page.code[0].value


def test_a_run_that_goes_on_can_be_cancelled_and_one_that_is_over_cannot(opened: Open, store: Store) -> None:
    of = seeded.endpoint()
    store.add_endpoint(of)
    store.create_run(seeded.run(of, run_id="going", state=RunState.RUNNING))
    store.create_run(seeded.run(of, run_id="over"))
    page = opened("runs", run="going")
    assert "cancel_run" in {button.key for button in page.button}
    page.button(key="cancel_run").click().run()
    assert not page.exception
    assert store.run("going").state in {RunState.CANCELLING, RunState.CANCELLED}
    assert "cancel_run" not in {button.key for button in opened("runs", run="over").button}


def test_an_unfinished_run_goes_on_where_it_stopped(opened: Open, store: Store) -> None:
    of = seeded.endpoint()
    store.add_endpoint(of)
    store.save_capabilities(seeded.capabilities(of))
    page = opened("new_evaluation", model=of.name)
    page.button(key="start").click().run()
    run_id = store.runs()[0].id
    page = opened("runs", run=run_id)
    page.button(key="cancel_run").click().run()
    assert store.run(run_id).state is RunState.CANCELLED
    page = opened("runs", run=run_id)
    page.button(key="go_on").click().run()
    assert not page.error
    assert [(run.id, run.state) for run in store.runs()] == [(run_id, RunState.QUEUED)]


def test_a_run_is_paused_and_resumed_on_its_page(opened: Open, store: Store) -> None:
    of = seeded.endpoint()
    store.add_endpoint(of)
    store.create_run(seeded.run(of, run_id="waiting", state=RunState.QUEUED))
    page = opened("runs", run="waiting")
    page.button(key="pause_run").click().run()
    assert store.run("waiting").state is RunState.PAUSED
    assert "goes on when it is resumed" in texts(page)
    assert "pause_run" not in {button.key for button in page.button}
    page.button(key="resume_run").click().run()
    assert not page.exception
    assert store.run("waiting").state is RunState.QUEUED


def test_what_failed_of_a_run_is_asked_again_from_its_page(opened: Open, store: Store) -> None:
    seeded.seed_failure(store)
    same = replace(seeded.capabilities(store.endpoints()[0]), served_model=None, fingerprint=None)
    store.save_capabilities(same)
    page = opened("runs", run="run-failed")
    page.button(key="retry_run").click().run()
    assert not page.error
    assert store.run("run-failed").state is RunState.QUEUED


def test_an_assessment_shows_verdicts_gaps_energy_and_limits(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1")
    shown = html(page)
    for word in ("fail", "pass", "undecided", "needs evidence", "not enough evidence", "cannot be measured here"):
        assert word in shown
    assert "N04 General Description" in shown
    assert [button.label for button in page.get("download_button")] == ["Report (PDF)", "Data (JSON)"]
    assert "includes the model only if it runs on this machine" in texts(page)


def test_a_requirement_opens_down_to_the_stored_answers(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1", requirement="R02")
    assert not page.exception
    shown = html(page)
    assert "hidden orders followed" in shown
    assert "The answer to question 0 is B." in shown
    assert "&lt;b&gt;river&lt;/b&gt;" in shown
    assert "1 to 10 of 40 items" in [caption.value for caption in page.caption]


def test_a_measured_calibration_is_drawn_said_in_words_and_given_as_a_table(opened: Open, store: Store) -> None:
    seeded.seed(store)
    confidence, right = [0.9] * 20 + [0.3] * 20, [1.0] * 10 + [0.0] * 10 + [1.0] * 6 + [0.0] * 14
    headline = replace(
        seeded.measurement("starter_calibration", "ece", 0.2),
        reliability=calibration_metrics.reliability(confidence, right),
    )
    whole = store.assessment("assessment-1")
    part = replace(whole.score(RequirementId.R06).benchmarks[0], benchmark="starter_calibration", headline=headline)
    calibrated = replace(whole.score(RequirementId.R06), requirement=RequirementId.R07, benchmarks=(part,))
    scores = [calibrated if score.requirement is RequirementId.R07 else score for score in whole.scores]
    store.save_assessment(replace(whole, scores=tuple(scores)))
    page = opened("assessment", assessment="assessment-1", requirement="R07")
    assert not page.exception
    assert "60 % sure and right in 40 % of the 40 answers: it is surer than it is right" in texts(page)
    points = json.loads(page.get("plotly_chart")[0].proto.spec)["data"][1]
    assert (points["x"], points["y"]) == (pytest.approx([0.3, 0.9]), pytest.approx([0.3, 0.5]))
    assert "Answers by how sure the model was" in html(page)


def test_a_picked_requirement_stands_in_the_address(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1")
    page.get_by_key("requirement_shown").set_value("R10").run()
    assert "starter_bias_qa" in html(page)
    assert "R10" in page.query_params["requirement"]


def test_stored_answers_can_be_filtered_and_searched(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1", requirement="R02")
    page.get_by_key("items_only").set_value("empty").run()
    assert "1 to 1 of 1 item" in [caption.value for caption in page.caption]
    page.get_by_key("items_only").set_value(None).run()
    page.text_input(key="items_text").set_value("QUESTION 17").run()
    assert "1 to 1 of 1 item" in [caption.value for caption in page.caption]


def test_a_filter_the_page_does_not_offer_never_reaches_the_store(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1", requirement="R02")
    page.session_state["items_only"] = "position; DROP TABLE samples"
    page.run()
    assert "1 to 10 of 40 items" in [caption.value for caption in page.caption] or page.error


def test_harmful_text_does_not_leave_the_server_until_it_is_asked_for(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("assessment", assessment="assessment-1", requirement="R12")
    assert "Hidden, because it may hold harmful text" in html(page)
    assert "The answer to question 0 is B." not in html(page)
    page.toggle(key="items_unmask").set_value(True).run()
    assert "The answer to question 0 is B." in html(page)


def test_an_evaluation_is_planned_and_started_once_however_often_it_is_clicked(opened: Open, store: Store) -> None:
    seeded.seed(store)
    before = len(store.runs())
    for _ in range(2):
        page = opened("new_evaluation", model="smollm2-135m")
        assert not page.exception
        page.segmented_control(key="new_how_many").set_value("At most …").run()
        page.number_input(key="new_limit").set_value(5).run()
        page.button(key="start").click().run()
        assert not page.exception
        assert not page.error
    assert len(store.runs()) == before + 1
    assert store.runs(limit=1)[0].spec.options.limit == 5


def test_a_model_without_a_probe_offers_the_probe_first(opened: Open, store: Store) -> None:
    seeded.seed(store)
    page = opened("new_evaluation", model="mistral-small")
    assert "Probe the model" in {button.label for button in page.button}
    assert "start" not in {button.key for button in page.button}


def test_the_models_page_shows_the_evidence_of_the_probe(opened: Open, store: Store) -> None:
    seeded.seed(store)
    shown = html(opened("models", name="smollm2-135m"))
    assert "1 probability for 8 tokens" in shown
    assert "The server ignores echo" in shown
    assert "8,192 tokens" in shown


def test_an_address_that_does_not_answer_is_one_sentence(opened: Open, store: Store) -> None:
    page = opened("models")
    page.text_input[0].set_value("http://127.0.0.1:9/v1")
    page.text_input[1].set_value("dead")
    page.form_submit_button[0].click().run()
    assert not page.exception
    assert len(page.error) == 1
    assert r"127.0.0.1\:9" in page.error[0].value
    assert store.endpoints() == []


def test_an_unforeseen_error_shows_a_reference_and_no_traceback(
    opened: Open, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("secret of the house")

    monkeypatch.setattr(Store, "runs", broken)
    page = opened("runs")
    assert not page.exception
    assert "secret of the house" not in texts(page)
    reference = page.error[0].value.split("reference ")[1].split(";")[0]
    assert reference in caplog.text


def test_streamlit_finds_no_pages_folder_to_run_without_the_frame() -> None:
    assert not Path(MAIN).with_name("pages").exists()


@pytest.mark.parametrize(("name", "key"), [("models", "name"), ("new_evaluation", "model"), ("schedules", "name")])
def test_a_link_to_what_is_not_there_says_so_before_another_is_shown(
    opened: Open, store: Store, name: str, key: str
) -> None:
    seeded.seed(store)
    if name == "schedules":
        schedules.add_schedule(
            state.context(), schedules.Wanted(name="Nightly", model="smollm2-135m", cron="0 2 * * *"), created_by="me"
        )
    page = opened(name, **{key: "gone-[long](http://ago)"})
    assert not page.exception
    said = [warning.value for warning in page.warning]
    assert any("gone-" in text and r"\[long\]" in text for text in said)
    assert not any("gone-" in warning.value for warning in opened(name).warning)


def test_a_run_whose_worker_is_gone_does_not_claim_to_go_on(opened: Open, store: Store) -> None:
    of = seeded.endpoint()
    store.add_endpoint(of)
    store.create_run(seeded.run(of, run_id="orphan", state=RunState.RUNNING))
    page = opened("runs", run="orphan")
    assert store.run("orphan").state is RunState.INTERRUPTED
    assert "is going on" not in texts(page)
    assert any("No worker is running" in warning.value for warning in page.warning)


def test_a_crafted_link_is_shown_as_the_text_it_is(opened: Open) -> None:
    page = opened("runs", run="[Sign in](http://evil) :material/home:")
    shown = page.error[0].value
    assert r"\[Sign in\]\(http" in shown
    assert "://" not in shown
    assert ":material" not in shown
    assert "`vera" not in shown


def test_what_is_behind_a_linked_score_stands_above_the_scorecard(opened: Open, store: Store) -> None:
    seeded.seed(store)
    for query, above in (({"requirement": "R02"}, True), ({}, False)):
        page = opened("assessment", assessment="assessment-1", **query)
        headers = [header.value for header in page.header]
        assert (headers[0] == "Behind one score") is True
        assert ("All scores" in headers) is above
