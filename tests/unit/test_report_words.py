"""What a score, a share and an amount read like."""

import doctest
from dataclasses import replace

from fakes import report_cases

from domain import energy, words
from domain.measurements import Interval
from domain.scores import RequirementId, Status, Verdict
from reports import printable, view


def test_the_examples_in_the_documentation_hold() -> None:
    for module in (words, energy, printable):
        result = doctest.testmod(module)
        assert result.attempted
        assert not result.failed


def test_every_verdict_and_every_status_has_a_sign_and_a_word() -> None:
    looks = [words.verdict_look(v) for v in Verdict] + [words.status_look(s) for s in Status]
    assert all(len(look.icon) == 1 and look.word for look in looks)


def test_words_of_different_verdicts_differ_in_sign_and_word() -> None:
    looks = [words.verdict_look(v) for v in Verdict]
    assert len({look.icon for look in looks}) == len({look.word for look in looks}) == len(looks)


def test_a_missing_number_is_never_printed_as_zero() -> None:
    missing = (words.score_text(None), words.percent_text(None), words.energy_text(None), words.interval_text(None))
    assert not any("0" in text for text in missing)


def test_an_exact_zero_is_a_number_and_is_printed() -> None:
    assert words.score_text(0.0, Interval(low=0.0, high=0.07, method="wilson")) == "0"


def test_a_share_that_is_not_all_never_reads_as_all() -> None:
    assert "100" not in words.percent_text(0.99996)
    assert words.percent_text(1.0) == "100 %"


def test_a_score_reads_aloud_with_interval_marks_and_items() -> None:
    score = report_cases.full().score(RequirementId.R02)
    assert words.spoken(score) == ("fail, score 41 of 100, 95 % interval 33–49, fail below 70, pass at 90, 120 items")


def test_a_gap_reads_aloud_with_its_reason() -> None:
    score = report_cases.full().score(RequirementId.R04)
    assert words.spoken(score) == "not run: The starter suite has no benchmark for it."


def test_a_score_in_part_says_aloud_which_part() -> None:
    score = replace(report_cases.full().score(RequirementId.R06), coverage=0.625)
    assert words.spoken(score).endswith("62 % of the benchmarks by weight")


def test_unusable_answers_leave_out_what_is_cut_by_design() -> None:
    score = report_cases.full().score(RequirementId.R02)
    keys = {b.benchmark for b in score.benchmarks}
    assert "2 % cut off" in view.rates_text(score, ())
    assert "cut off" not in view.rates_text(score, keys)


def test_energy_has_one_unit_in_every_sentence() -> None:
    reading = report_cases.reading()
    assert energy.label(reading).startswith(words.energy_text(reading.energy_kwh))


def test_how_energy_was_obtained_is_said_in_plain_words() -> None:
    assert energy.method_words("RAM(), CPU(Cpu Load)") == "estimated from processor load and memory size"
    assert energy.method_words("a part of tomorrow") == "a part of tomorrow"
