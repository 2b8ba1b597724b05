"""The schedules page: empty, full, with bad input, and each of its buttons."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit as st
from fakes import checked_judges, running, scheduling
from streamlit.testing.v1 import AppTest

import app
from app import state
from domain.choices import Choices
from domain.schedules import Missed, Overlap, TargetKind
from jobs import choices
from jobs.context import Context

MAIN = str(Path(app.__file__).with_name("main.py"))
Open = Callable[..., AppTest]


@pytest.fixture
def context() -> Iterator[Context]:
    """What the page uses, in the test's own home."""
    st.cache_resource.clear()
    opened = state.context()
    yield opened
    opened.store.dispose()
    st.cache_resource.clear()


@pytest.fixture
def opened(context: Context) -> Open:
    """Opens the page with ids in its address."""

    def open_page(**query: str) -> AppTest:
        page = AppTest.from_file(MAIN, default_timeout=60).run()
        for key, value in query.items():
            page.query_params[key] = value
        return page.switch_page("views/schedules.py").run()

    return open_page


def html(page: AppTest) -> str:
    return "\n".join(element.body for element in page.get("html"))


def well(page: AppTest) -> AppTest:
    assert not page.exception
    assert not page.error, page.error[0].value
    return page


def test_without_a_model_the_page_says_what_comes_first(opened: Open) -> None:
    page = well(opened())
    assert [button.label for button in page.button] == ["Register a model"]


def test_the_page_shows_failures_in_words_and_what_was_not_delivered(opened: Open, context: Context) -> None:
    scheduling.seed(context.store)
    page = well(opened(name="Regressed"))
    shown = html(page)
    for words in (
        "failing",
        "Every benchmark failed.",
        "regression",
        "1 alert not delivered",
        "paused",
        "pass → attention",
    ):
        assert words in shown
    assert "to https://hooks.bank.example/… after 6 attempts: The webhook answered with HTTP 500." in shown
    assert "secret-path" not in shown
    assert "1 regression (Regressed), 1 failing (Failing)" in "\n".join(m.value for m in page.markdown).replace(
        "\\", ""
    )
    times = next(m.value for m in page.markdown if m.value.startswith("1. "))
    assert times.count(", 02:00 (Europe/Madrid)") == 5


def test_a_schedule_is_added_with_the_next_times_shown_before(opened: Open, context: Context) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    page = well(opened())
    page.text_input(key="schedule_new_name").set_value("Nightly")
    page.multiselect(key="schedule_new_requirements").set_value(["R06"])
    page.selectbox(key="schedule_new_days").set_value("Cron text").run()
    page.text_input(key="schedule_new_cron").set_value("61 2 * * *").run()
    assert "is not a cron text" in page.warning[-1].value
    page.text_input(key="schedule_new_cron").set_value("30 3 * * 1")
    page.selectbox(key="schedule_new_zone").set_value("Europe/Madrid").run()
    assert sum(caption.value.count(", 03:30") for caption in page.caption) == 5
    page.selectbox(key="schedule_new_overlap").set_value(Overlap.QUEUE)
    page.selectbox(key="schedule_new_missed").set_value(Missed.SKIP)
    page.text_area(key="schedule_new_webhooks").set_value("https://hooks.bank.example/vera")
    page.text_input(key="schedule_new_secret").set_value("env:HOOK_SECRET")
    well(page.button(key="schedule_new_send").click().run())
    (made,) = context.store.schedules()
    assert (made.name, made.requirements, made.cron, made.timezone) == (
        "Nightly",
        ("R06",),
        "30 3 * * 1",
        "Europe/Madrid",
    )
    assert (made.missed, made.overlap) == (Missed.SKIP, Overlap.QUEUE)
    assert [(t.kind, t.secret_ref) for t in made.targets] == [(TargetKind.WEBHOOK, "env:HOOK_SECRET")]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "cannot be named"),
        ("name", "FAKE NIGHT", "exists already"),
        ("policy", "/no/policy.yaml", "/no/policy.yaml"),
        ("secret", "hunter2hunter2", "never stored"),
    ],
)
def test_bad_input_is_one_sentence_and_keeps_nothing(
    opened: Open, context: Context, field: str, value: str, said: str
) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    context.store.add_schedule(scheduling.schedule("Fake night", endpoint_id=endpoint.id))
    page = well(opened())
    page.text_input(key="schedule_new_name").set_value("Other")
    page.text_area(key="schedule_new_webhooks").set_value("https://hooks.bank.example/vera")
    page.text_input(key=f"schedule_new_{field}").set_value(value)
    page.button(key="schedule_new_send").click().run()
    assert not page.exception
    assert len(page.error) == 1
    assert said in page.error[0].value
    assert "hunter2" not in page.error[0].value
    assert len(context.store.schedules()) == 1


def test_a_schedule_is_paused_resumed_changed_run_and_removed(opened: Open, context: Context) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    of = scheduling.schedule("Fake night", endpoint_id=endpoint.id, requirements=("R06",))
    context.store.add_schedule(of)
    well(opened(name="Fake night").button(key="schedule_pause").click().run())
    assert context.store.schedule(of.id).paused
    well(opened(name="Fake night").button(key="schedule_resume").click().run())
    assert not context.store.schedule(of.id).paused
    page = opened(name="Fake night")
    page.text_input(key=f"schedule_{of.id}_name").set_value("Renamed")
    well(page.button(key=f"schedule_{of.id}_send").click().run())
    changed = context.store.schedule("renamed")
    assert (changed.id, changed.cron, changed.requirements) == (of.id, of.cron, of.requirements)
    well(opened(name="Renamed").button(key="schedule_run").click().run())
    (run,) = context.store.runs()
    assert run.created_by == "schedule Renamed"
    well(opened(name="Renamed").button(key="schedule_remove").click().run())
    assert context.store.schedules() == []
    assert len(context.store.runs()) == 1


def test_judge_and_evidence_are_chosen_as_in_a_new_evaluation_and_stay_when_the_schedule_is_changed(
    opened: Open, context: Context
) -> None:
    for name in ("fake", "justice"):
        running.register(context, f"http://127.0.0.1:9/{name}", name=name)
    checked_judges.check(context.store, 0.9)
    page = well(opened())
    page.text_input(key="schedule_new_name").set_value("Judged")
    page.multiselect(key="schedule_new_requirements").set_value(["R03", "R12"]).run()
    judge = page.selectbox(key="schedule_new_judge")
    assert judge.options == ["Nobody", "justice: agrees with people by 0.90 (0.82 to 0.98)"]
    judge.select_index(1)
    page.segmented_control(key="schedule_new_how_many").set_value("Quick look")
    content = b'{"text": "One document."}\n{"text": "Another one."}\n'
    page.file_uploader(key="schedule_new_corpus").set_value(("crawl.jsonl", content, "application/json"))
    well(page.button(key="schedule_new_send").click().run())
    (made,) = context.store.schedules()
    kept = made.choices.data_files["corpus_scan"]
    assert (made.choices.judge, made.choices.quick) == ("justice", True)
    assert kept.sha256 == hashlib.sha256(content).hexdigest()
    assert Path(kept.path).is_relative_to(context.settings.data_folder)
    page = well(opened(name="Judged"))
    assert "R03, R12 · quick look · judge justice · crawl.jsonl" in html(page)
    assert f"sha256 {kept.sha256[:12]}…" in html(page)
    page.text_input(key=f"schedule_{made.id}_name").set_value("Renamed")
    well(page.button(key=f"schedule_{made.id}_send").click().run())
    assert context.store.schedule("renamed").choices == made.choices
    page = well(opened(name="Renamed"))
    page.multiselect(key=f"schedule_{made.id}_files").set_value([])
    page.selectbox(key=f"schedule_{made.id}_judge").select_index(0)
    page.multiselect(key=f"schedule_{made.id}_requirements").set_value(["R06"]).run()
    well(page.button(key=f"schedule_{made.id}_send").click().run())
    assert context.store.schedule("renamed").choices == replace(made.choices, judge=None, data_files={})


def test_several_answers_per_question_are_offered_where_programs_may_be_run(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("VERA_ALLOW_CODE", "1")
    context: Context = request.getfixturevalue("context")  # after the setting
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    of = scheduling.schedule("Programs", endpoint_id=endpoint.id, suite="full", requirements=("R06",))
    context.store.add_schedule(replace(of, choices=Choices(samples=5)))
    page = well(request.getfixturevalue("opened")(name="Programs"))
    assert page.number_input(key=f"schedule_{of.id}_samples").value == 5
    assert "5 answers per question where a benchmark can use them" in html(page)
    assert "schedule_new_samples" not in {field.key for field in page.number_input}


def test_a_file_that_was_added_stays_when_its_upload_is_cleared_and_the_schedule_saved_again(
    opened: Open, context: Context, tmp_path: Path
) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    (tmp_path / "crawl.jsonl").write_text('{"text": "One document."}')
    chosen = Choices(data_files=choices.given({"corpus_scan": tmp_path / "crawl.jsonl"}), system_prompt="Be kind.")
    of = scheduling.schedule("Works", endpoint_id=endpoint.id, suite="screening")
    context.store.add_schedule(replace(of, choices=chosen))
    page = well(opened(name="Works"))
    work = b"All night the train went on through the snow. " * 20
    page.file_uploader(key=f"schedule_{of.id}_works").set_value(("a.txt", work, "text/plain")).run()
    well(page.button(key=f"schedule_{of.id}_send").click().run())
    page.file_uploader(key=f"schedule_{of.id}_works").set_value(None).run()
    well(page.button(key=f"schedule_{of.id}_send").click().run())
    kept = context.store.schedule(of.id).choices
    assert (set(kept.data_files), kept.system_prompt) == ({"corpus_scan", "passage_continuation"}, "Be kind.")
    page.multiselect(key=f"schedule_{of.id}_files").set_value(["corpus_scan"]).run()
    well(page.button(key=f"schedule_{of.id}_send").click().run())
    assert set(context.store.schedule(of.id).choices.data_files) == {"corpus_scan"}


@pytest.mark.parametrize("to", ["starter", "one answer"])
def test_several_answers_per_question_can_be_given_up(opened: Open, context: Context, to: str) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    asked = {"suite": "full", "requirements": ("R06", "R12")}
    of = scheduling.schedule("Programs", endpoint_id=endpoint.id, **asked)
    context.store.add_schedule(replace(of, choices=Choices(samples=5)))
    page = well(opened(name="Programs"))
    if to == "starter":
        page.selectbox(key=f"schedule_{of.id}_suite").set_value("starter").run()
        assert f"schedule_{of.id}_samples" not in {field.key for field in page.number_input}
    else:
        page.number_input(key=f"schedule_{of.id}_samples").set_value(1).run()
    well(page.button(key=f"schedule_{of.id}_send").click().run())
    assert context.store.schedule(of.id).choices.samples == 1


def test_a_schedule_of_a_suite_that_asks_a_part_does_not_claim_to_ask_all_items(opened: Open, context: Context) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    context.store.add_schedule(scheduling.schedule("Part", endpoint_id=endpoint.id, suite="screening"))
    shown = html(well(opened(name="Part")))
    assert "screening · all requirements · quick look" in shown
    assert "all items" not in shown


def test_a_judge_that_cannot_judge_any_more_is_named_in_the_form(opened: Open, context: Context) -> None:
    endpoint = running.register(context, "http://127.0.0.1:9/v1")
    of = scheduling.schedule("Judged", endpoint_id=endpoint.id, choices=Choices(judge="justice"))
    context.store.add_schedule(of)
    page = well(opened(name="Judged"))
    assert "justice was chosen before and cannot judge now" in "".join(w.value for w in page.warning)
    running.register(context, "http://127.0.0.1:10/v1", name="justice")
    checked_judges.check(context.store, 0.9)
    page = well(opened(name="Judged"))
    assert "was chosen before" not in "".join(w.value for w in page.warning)
    page.selectbox(key=f"schedule_{of.id}_model").set_value("justice").run()
    assert "or is the model itself" in "".join(w.value for w in page.warning)


def test_the_overview_leads_to_the_schedules_and_says_when_the_next_run_is(opened: Open, context: Context) -> None:
    scheduling.seed(context.store)
    opened()
    page = well(AppTest.from_file(MAIN, default_timeout=60).run())
    (link,) = [link.label.replace("\\", "") for link in page.get("page_link") if link.label.startswith("Scheduled")]
    assert "1 failing (Failing)" in link
    assert "02:00 (Europe/Madrid)" in link
