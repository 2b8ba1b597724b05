"""Words, tables and figures of the pages, without Streamlit."""

import doctest
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fakes import seeded

from app import serve_options
from app.components import (
    advice,
    evaluation_plan,
    evidence_tables,
    foreign,
    metric_words,
    model_form,
    model_tables,
    overview_table,
    page_links,
    run_progress,
    run_tables,
    schedule_form,
    schedule_words,
    score_words,
    scorecard,
    transcript,
)
from app.components.markup import Cell, Row, Table
from domain import words
from domain.answers import ErrorClass
from domain.endpoints import Capability
from domain.errors import UserError
from domain.measurements import Rates
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


def test_a_later_assessment_of_far_fewer_items_stands_beside_the_one_that_speaks_for_a_model() -> None:
    endpoint = seeded.endpoint()
    speaking, later = (seeded.assessment(endpoint, assessment_id=i) for i in ("whole", "tried"))
    row = overview_table.ModelRow(endpoint=endpoint, assessment=speaking, later=later)
    shown = overview_table.table([row], names=NAMES, now=NOW)
    assert f"assessment={later.id}" in shown
    assert "a later one of far fewer items" in shown
    alone = overview_table.table([replace(row, later=None)], names=NAMES, now=NOW)
    assert "a later one" not in alone


def test_an_interval_bar_says_in_words_what_it_draws() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R02)
    assert score.value is not None
    bar = scorecard.scale(score.value, score.interval, score.thresholds, label="fail, 22 of 100")
    assert 'role="img" aria-label="fail, 22 of 100"' in bar
    assert "left:22.0%" in bar
    assert bar.count('class="tick"') == len(score.thresholds) == 2


def test_a_score_without_a_number_shows_its_reason_and_never_a_zero() -> None:
    assessment = seeded.assessment(seeded.endpoint())
    shown = scorecard.table(assessment, known=catalogue.load())
    row = next(part for part in shown.split("<tr") if "R08 " in part)
    assert "so its answers show nothing" in row
    assert "scale" not in row
    assert score_words.number(assessment.score(RequirementId.R08)) == ""


def test_the_name_of_a_corpus_is_shown_as_it_is_and_marks_nothing_up() -> None:
    found = seeded.assessment(seeded.endpoint())
    scores = tuple(
        replace(score, benchmarks=tuple(replace(b, subject="the corpus <b>&.jsonl") for b in score.benchmarks))
        for score in found.scores
    )
    shown = scorecard.table(replace(found, scores=scores), known=catalogue.load())
    assert "Score of the corpus &lt;b&gt;&amp;.jsonl" in shown


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
    shown = scorecard.table(seeded.assessment(seeded.endpoint()), known=catalogue.load())
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


def test_a_date_is_told_in_utc_and_says_so() -> None:
    late = datetime(2026, 11, 12, 23, 30, tzinfo=UTC)
    assert score_words.day(late, now=NOW) == "today, 23:30 UTC"
    assert score_words.day(late, now=NOW + timedelta(days=3)) == "12 Nov 2026"


def test_large_counts_are_rounded_as_one_says_them() -> None:
    assert evaluation_plan.rounded(1_900_000) == "1.9 million"


def test_the_dashboard_starts_closed_and_quiet() -> None:
    flags = serve_options.flags(host="127.0.0.1", port=8501)
    assert "--server.enableAgentApi=false" in flags
    assert "--browser.gatherUsageStats=false" in flags
    assert "--client.showErrorDetails=none" in flags
    assert "--server.allowedHosts=localhost" in flags
    assert not any("allowedHosts" in flag for flag in serve_options.flags(host="0.0.0.0", port=8501))  # noqa: S104


HOSTILE = (
    "[Sign in](http://evil)",
    "![i](http://x)",
    "http://x.com",
    "www.evil.com",
    ":material/home:",
    ":smile:",
    "$x$",
    "<b>",
    "a@b.com",
    "# head",
    "1. one",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_sign_of_markdown_is_left_in_text_of_others(text: str) -> None:
    shown = foreign.plain(text)
    assert not re.search(r"(?<!\\)[\[\]()!`*_<>$#&]|://|www\.|:[\w/]+:|@\w|^\d+\.", shown)
    assert shown.replace("\\", "").replace("\N{WORD JOINER}", "") == text


def test_a_half_character_in_an_answer_is_marked_and_can_be_sent() -> None:
    item = replace(seeded.samples("x")[0], sample_id="id-\ud83d", target="half \ud83d of a pair")
    assert "half \N{REPLACEMENT CHARACTER} of a pair" in transcript.markup(item, masked=False)
    for text in (transcript.markup(item, masked=False), transcript.title(item), foreign.code("\udc00")):
        text.encode()


def test_answers_cut_by_design_are_not_called_unusable() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R10)
    benchmark = score.benchmarks[0]
    assert benchmark.headline is not None
    cut = replace(benchmark.headline, rates=Rates(error=0.0, empty=0.01, truncated=0.95))
    score = replace(score, benchmarks=(replace(benchmark, headline=cut),))
    assert words.unusable_words(score, {benchmark.benchmark}) == ["1 % empty"]
    assert words.unusable_words(score, ()) == ["1 % empty", "95 % cut off"]


def test_unusable_answers_of_a_benchmark_that_does_not_count_do_not_stand_beside_the_number() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R01)
    benchmark = score.benchmarks[0]
    assert benchmark.headline is not None
    bad = replace(benchmark.headline, rates=Rates(error=0.9, empty=0.0, truncated=0.0))
    left_out = replace(benchmark, benchmark="other", valid=False, invalid_because=("No.",), headline=bad)
    both = replace(score, benchmarks=(*score.benchmarks, left_out))
    assert words.unusable_words(both, ()) == words.unusable_words(score, ())


def test_the_benchmarks_that_need_only_the_beginning_of_an_answer_come_from_the_map() -> None:
    known = catalogue.load()
    found = scorecard.cut_by_design(known, "starter")
    assert "starter_contrast_pairs" in found
    assert all(b.max_truncated >= 1 for b in known.suite("starter").benchmarks if b.key in found)
    assert scorecard.cut_by_design(known, "a suite of long ago") == frozenset()


def test_a_withheld_number_still_shows_the_items_that_were_scored() -> None:
    score = seeded.assessment(seeded.endpoint()).score(RequirementId.R08)
    assert score.value is None
    seen = sum(b.headline.units for b in score.benchmarks if b.headline is not None)
    assert seen > 0
    assert words.items_behind(replace(score, n=0)) == seen
    assert f"({seen} items scored)" in words.spoken(replace(score, n=0))


def test_a_benchmark_names_run_date_version_and_data_it_rests_on() -> None:
    of = seeded.endpoint()
    benchmark = seeded.assessment(of).score(RequirementId.R02).benchmarks[0]
    run = seeded.run(of, run_id=str(benchmark.run_id))
    told = {"task_version": "7", "dataset": {"files": {"items.jsonl": "ab" * 32}}}
    parts = tuple(replace(b, provenance=told) for b in run.benchmarks)
    shown = evidence_tables.made_of(benchmark, replace(run, benchmarks=parts))
    for part in (str(benchmark.run_id), "UTC", "benchmark version 7", "data sha256 abababababab…"):
        assert part in shown
    assert "not stored any more" in evidence_tables.made_of(benchmark, None)


@pytest.mark.parametrize("entry", ["AWS_SECRET_ACCESS_KEY", "VERA_DATABASE_URL", "vera_key_x", ""])
def test_the_dashboard_names_no_variable_that_was_not_set_for_a_model(entry: str) -> None:
    with pytest.raises(UserError, match="VERA_KEY_") as refused:
        model_form.key_reference("env", entry)
    assert not entry or entry not in refused.value.sentence


def test_the_dashboard_names_keys_that_were_set_for_a_model() -> None:
    assert model_form.key_reference("env", " VERA_KEY_MISTRAL ") == "env:VERA_KEY_MISTRAL"
    assert model_form.key_reference("file", "mistral") == "file:mistral"
    assert model_form.key_reference("none", "anything") is None


def test_the_examples_in_the_components_hold() -> None:
    for module in (advice, foreign, metric_words, page_links, schedule_form, schedule_words):
        result = doctest.testmod(module)
        assert result.attempted
        assert not result.failed
