"""The state of the law as data."""

from datetime import date, timedelta
from importlib import resources

import pytest

from domain.errors import InvalidSettings
from requirements_map import legal

TEXT = resources.files("requirements_map").joinpath("data", "legal.yaml").read_bytes()


def test_only_rows_on_which_reports_agree_are_printed() -> None:
    hidden = {r.id for r in legal.parse(TEXT, name="legal.yaml")} - {r.id for r in legal.load()}
    assert hidden == {"ai-act-transparency-other-date"}


def test_every_row_says_who_said_so_and_when_it_was_looked_at() -> None:
    for row in legal.parse(TEXT, name="legal.yaml"):
        assert row.source
        assert row.source_date is None or row.source_date <= row.checked_on


def test_a_row_grows_stale_and_then_says_so() -> None:
    row = legal.load()[0]
    assert not row.is_stale(row.checked_on + legal.MAX_AGE)
    late = row.checked_on + legal.MAX_AGE + timedelta(days=1)
    assert row.is_stale(late)
    assert "check it again" in row.sentence(late)


def test_a_sentence_gives_date_as_of_and_kind_of_source() -> None:
    row = next(r for r in legal.load() if r.id == "ai-act-annex-iii")
    assert row.sentence(date(2026, 12, 1)) == (
        "Regulation (EU) 2024/1689, High-risk systems of Annex III: applies from 2027-12-02 "
        "(as of 2026-11-30, from secondary sources)."
    )


def test_a_row_given_twice_is_refused() -> None:
    doubled = TEXT.replace(b"id: sr-26-2", b"id: sr-11-7")
    with pytest.raises(InvalidSettings, match="names sr-11-7 more than once"):
        legal.parse(doubled, name="legal.yaml")
