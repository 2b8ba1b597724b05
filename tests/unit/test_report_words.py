"""What a score, a share and an amount read like."""

import doctest
from dataclasses import replace

from fakes import report_cases

from domain import words
from domain.measurements import Interval
from domain.scores import RequirementId, Status, Verdict
from reports import printable


def test_the_examples_in_the_documentation_hold() -> None:
    for module in (words, printable):
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
