"""Words, tables and figures of the pages, without Streamlit."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fakes import seeded

from app import serve_options
from app.components import (
    evaluation_plan,
    evidence_tables,
    metric_words,
    model_tables,
    overview_table,
    page_links,
    run_progress,
    run_tables,
    score_words,
    scorecard,
    transcript,
)
from app.components.markup import Cell, Row, Table
from domain.answers import ErrorClass
from domain.endpoints import Capability
from domain.runs import RunState
from domain.scores import RequirementId, Status, Verdict
from requirements_map import catalogue

NOW = seeded.NOON + timedelta(minutes=1)
NAMES = {r.id: r.name for r in catalogue.load().requirements}


def test_every_state_of_a_run_has_a_sign_and_a_word() -> None:
    assert set(run_progress.STATE_WORDS) == set(RunState)


def test_every_class_of_error_has_a_next_step() -> None:
    assert set(run_progress.ERROR_WORDS) == set(ErrorClass)


def test_every_capability_has_plain_words() -> None:
    assert set(model_tables.CAPABILITY_WORDS) == set(Capability)


def test_every_metric_of_the_map_has_plain_words() -> None:
    suite = catalogue.load().suite("starter")
    metrics = {m for b in suite.benchmarks for m in (b.metric, *b.companions, *b.inputs)}
    assert metrics - {"accuracy", "harmless"} <= set(metric_words.WORDS)


def test_every_normaliser_of_the_map_has_a_formula_in_words() -> None:
    suite = catalogue.load().suite("starter")
    assert {b.normaliser for b in suite.benchmarks} <= set(evidence_tables.FORMULAS)


def test_text_of_others_cannot_become_markup() -> None:
    table = Table(caption="<script>", headers=("<b>",), rows=[Row(cells=(Cell(html="", label='"><script>'),))]).markup()
    assert "<script>" not in table
    item = replace(seeded.samples("x")[0], sample_id="<img src=x>", target="<script>alert(1)</script>")
    assert "<script>" not in transcript.markup(item, masked=False)
    endpoint = replace(seeded.endpoint(), name="<script>alert(1)</script>")
    row = overview_table.ModelRow(endpoint=endpoint)
    assert "<script>alert" not in overview_table.table([row], names=NAMES, now=NOW)


def test_an_interval_bar_says_in_words_what_it_draws() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R02)
    assert score.value is not None
    bar = scorecard.scale(score.value, score.interval, score.thresholds, label="fail, 22 of 100")
    assert 'role="img" aria-label="fail, 22 of 100"' in bar
    assert "left:22.0%" in bar
    assert bar.count('class="tick"') == len(score.thresholds) == 2


def test_a_score_without_a_number_shows_its_reason_and_never_a_zero() -> None:
    assessment = seeded.assessment(seeded.endpoint())
    shown = scorecard.table(assessment, principles=catalogue.load().principles)
    row = next(part for part in shown.split("<tr") if "R08 " in part)
    assert "so its answers show nothing" in row
    assert "scale" not in row
    assert score_words.number(assessment.score(RequirementId.R08)) == ""


def test_a_partial_score_is_marked_and_shows_its_coverage() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R12)
    assert score.status is Status.PARTIAL
    assert score_words.number(score) == "88*"
    assert "50% by weight" in (scorecard.coverage(score) or "")


@pytest.mark.parametrize("verdict", list(Verdict))
def test_every_verdict_has_sign_word_and_colour(verdict: Verdict) -> None:
    score = replace(seeded.assessment(seeded.endpoint()).score(RequirementId.R01), verdict=verdict)
    look = score_words.look(score)
    assert look.sign
    assert look.word
    assert look.tone in {"good", "warn", "bad", "open"}


def test_the_principle_without_requirements_is_shown_with_its_reason() -> None:
    shown = scorecard.table(seeded.assessment(seeded.endpoint()), principles=catalogue.load().principles)
    assert "Human Agency and Oversight" in shown
    assert "no technical requirement at model level" in shown


def test_the_lowest_score_and_the_weakest_evidence_are_named() -> None:
    sentence = scorecard.extremes(seeded.assessment(seeded.endpoint()), NAMES)
    assert sentence is not None
    assert "Lowest score: R02" in sentence
    assert "Weakest evidence behind a number: R12" in sentence


def test_time_left_comes_from_the_speed_so_far() -> None:
    run = seeded.run(seeded.endpoint(), state=RunState.RUNNING)
    speed = run_progress.pace(run, now=seeded.NOON + timedelta(seconds=99), planned={})
    assert run.done == 97
    assert speed.requests_per_s == pytest.approx(1.0)
    assert speed.total == 480
    assert speed.seconds_left == pytest.approx(383)
    assert "about 6 min left" in run_progress.headline(run, speed)


def test_an_estimate_stands_in_for_benchmarks_that_did_not_count_yet() -> None:
    of = seeded.endpoint()
    run = seeded.run(of, state=RunState.QUEUED)
    unknown = run_progress.pace(run, now=NOW, planned={})
    assert unknown.seconds_left is None
    assert unknown.share == 0.0
    planned = run_progress.pace(run, now=NOW, planned=dict.fromkeys(seeded.KEYS, 40))
    assert planned.total == 480
    assert "0 of about 480 requests answered" in run_progress.headline(run, planned)


def test_answers_kept_from_an_earlier_attempt_do_not_count_as_speed() -> None:
    run = seeded.run(seeded.endpoint(), state=RunState.RUNNING)
    reused = replace(run, benchmarks=tuple(replace(b, reused=b.done) for b in run.benchmarks))
    assert run_progress.pace(reused, now=NOW, planned={}).requests_per_s is None


def test_failed_and_skipped_benchmarks_say_why_and_what_to_do() -> None:
    run = seeded.run(seeded.endpoint(), state=RunState.DONE_WITH_FAILURES)
    shown = run_tables.benchmarks(run, {}, {})
    assert "connection refused" in shown
    assert "starts from the answers already kept" in shown
    assert "probe again after the server was changed" in shown


def test_an_item_tells_what_became_of_it() -> None:
    items = seeded.samples("x")
    assert "empty answer" in transcript.title(items[3])
    assert "cut off" in transcript.title(items[4])
    assert "failed request" in transcript.title(items[5])
    assert "refused" in transcript.title(items[6])
    assert "First I look at the options." in transcript.markup(items[8], masked=False)
    assert "no answer within 120 s" in transcript.markup(items[5], masked=False)


def test_masked_text_is_not_in_the_markup_at_all() -> None:
    shown = transcript.markup(seeded.samples("x")[0], masked=True)
    assert "river" not in shown
    assert "The answer to question 0" not in shown
    assert transcript.HIDDEN in shown


def test_a_link_keeps_what_an_id_holds() -> None:
    assert page_links.model("a b&c=d") == "models?name=a+b%26c%3Dd"


def test_a_date_is_told_on_the_readers_clock() -> None:
    late = datetime(2026, 11, 12, 23, 30, tzinfo=UTC)
    assert score_words.day(late, now=NOW) == "today, 23:30"
    assert score_words.moment(None, now=NOW) == "—"


def test_large_counts_are_rounded_as_one_says_them() -> None:
    assert evaluation_plan.rounded(1_900_000) == "1.9 million"


def test_the_dashboard_starts_closed_and_quiet() -> None:
    flags = serve_options.flags(host="127.0.0.1", port=8501)
    assert "--server.enableAgentApi=false" in flags
    assert "--browser.gatherUsageStats=false" in flags
    assert "--client.showErrorDetails=none" in flags
    assert "--server.allowedHosts=localhost" in flags
    assert not any("allowedHosts" in flag for flag in serve_options.flags(host="0.0.0.0", port=8501))  # noqa: S104
