"""A share of unusable answers that nobody told is not a share of nought."""

from dataclasses import replace

from domain import words
from domain.measurements import Measurement, Rates
from requirements_map import catalogue, validity

ENTRY = next(b for b in catalogue.load().benchmarks("starter") if b.key == "starter_arithmetic")
CLEAN = Measurement(
    benchmark=ENTRY.key,
    metric=ENTRY.metric,
    value=0.9,
    n=100,
    n_scored=100,
    rates=Rates(error=0.0, empty=0.0, truncated=0.0, parse_ok=1.0),
)


def test_an_unknown_share_of_failed_answers_does_not_pass_for_none() -> None:
    assert validity.reasons_against(ENTRY, {ENTRY.metric: CLEAN}, None) == ()
    unknown = replace(CLEAN, rates=replace(CLEAN.rates, error=None, truncated=None))
    assert validity.reasons_against(ENTRY, {ENTRY.metric: unknown}, None) == (
        "It is not known how many of the items ended in an error.",
        "It is not known how many of the answers were cut at the token limit.",
    )


def test_an_unknown_share_is_not_put_into_words() -> None:
    assert words.rate_words([Rates(error=None, empty=0.25, truncated=None)]) == ["25 % empty"]
