"""Whatever stands where log-probabilities are expected, it is believed, left out or an error, and never an accident."""

from dataclasses import replace
from typing import Any

import pytest

from domain.answers import Answer, ErrorClass, Outcome, Route
from evaluators.endpoints import echo, forced, replies, token_logprobs

HUGE = 10**400
ODD = [True, "-0.5", 0.5, HUGE, -HUGE, {"logprob": -1}, [-1.0]]


@pytest.mark.parametrize("value", ODD)
def test_a_value_that_cannot_be_a_log_probability_makes_the_others_unbelievable(value: Any) -> None:
    entries = [{"token": "a", "logprob": -1.0}, {"token": "b", "logprob": value}]
    assert token_logprobs.read({"content": entries}) == ()
    assert token_logprobs.read({"tokens": ["a", "b"], "token_logprobs": [-1.0, value]}) == ()


@pytest.mark.parametrize("value", ODD)
def test_alternatives_are_believed_all_or_none(value: Any) -> None:
    assert token_logprobs.legacy_top({"a": -1.0, "b": value}) == ()
    assert token_logprobs.legacy_top({"a": -1.0, "b": None}) == (("a", -1.0),)


@pytest.mark.parametrize(
    "arrays",
    [
        5, [], {"tokens": 5}, {"tokens": {"a": 1}}, {"tokens": [5, None]}, {"tokens": ["token_id:²"]},
        {"tokens": ["token_id:" + "9" * 5000]}, {"content": [5]}, {"content": [{"id": True}]},
        {"content": [{"id": 10**30}]},
    ],
)  # fmt: skip
def test_ids_in_an_odd_shape_are_no_ids(arrays: Any) -> None:
    assert forced.token_ids({"choices": [{"logprobs": arrays}]}) == []


@pytest.mark.parametrize(
    "arrays",
    [
        5, {"top_logprobs": 5}, {"top_logprobs": {"a": -1}}, {"top_logprobs": [5]}, {"content": [5]}, {"content": [[]]},
        {"content": [{"top_logprobs": 5}]}, {"content": [{"top_logprobs": [5]}]},
        {"content": [{"top_logprobs": [{"id": 3, "logprob": HUGE}]}]},
        {"content": [{"top_logprobs": [{"id": True, "logprob": -1.0}]}]},
    ],
)  # fmt: skip
def test_likeliest_tokens_in_an_odd_shape_are_none(arrays: Any) -> None:
    assert forced.top_ids({"choices": [{"logprobs": arrays}]}) == []


@pytest.mark.parametrize("body", [{}, {"choices": 5}, {"choices": [5]}, {"choices": [{}]}])
def test_a_body_without_choices_has_no_ids(body: Any) -> None:
    assert (forced.token_ids(body), forced.top_ids(body)) == ([], [])


def test_a_log_probability_written_as_an_integer_counts() -> None:
    tops = [{"id": 3, "logprob": -1}, {"id": 4, "logprob": 0}]
    assert forced.top_ids({"choices": [{"logprobs": {"content": [{"top_logprobs": tops}]}}]}) == [(4, 0.0), (3, -1.0)]


@pytest.mark.parametrize("value", ODD)
def test_an_echoed_value_that_is_no_log_probability_is_an_error_and_no_exception(value: Any) -> None:
    arrays = {"tokens": ["Go", " on"], "token_logprobs": [None, value]}
    checked = echo.checked_text(_body(arrays), _answer(), "Go on", keep=3)
    assert (checked.outcome, checked.error_class) == (Outcome.ERROR, ErrorClass.LOGPROBS)


@pytest.mark.parametrize("count", [True, -1, HUGE, 2.0, "7"])
def test_a_token_count_no_database_takes_is_no_count(count: Any) -> None:
    body = b'{"choices": [{"text": "x", "finish_reason": "stop"}], "usage": {"prompt_tokens": %b}}'
    text = str(count).lower() if not isinstance(count, str) else f'"{count}"'
    assert replies.read(Route.COMPLETIONS, 200, body % text.encode()).prompt_tokens is None


def test_json_nested_without_end_is_malformed() -> None:
    assert replies.read(Route.CHAT, 200, b"[" * 200_000).error_class is ErrorClass.MALFORMED


def _body(arrays: dict[str, Any]) -> dict[str, Any]:
    return {"choices": [{"text": "Go on", "logprobs": arrays}]}


def _answer() -> Answer:
    return Answer(key="k", outcome=Outcome.TRUNCATED, text="Go on")


IDS = (1, 2, 3)
FOUR = {"tokens": ["<s>", "Go", " on", "."], "token_logprobs": [None, -1.0, -2.0, -3.0]}


def test_a_row_too_many_without_any_count_may_be_a_bos_and_is_an_error() -> None:
    checked = echo.checked_ids(_body(FOUR), _answer(), IDS, keep=1)
    assert (checked.outcome, checked.error_class) == (Outcome.ERROR, ErrorClass.LOGPROBS)
    assert checked.logprobs == ()


def test_a_row_too_many_is_the_generated_token_where_the_prompt_was_counted() -> None:
    counted = replace(_answer(), prompt_tokens=3, completion_tokens=1)
    assert [t.logprob for t in echo.checked_ids(_body(FOUR), counted, IDS, keep=1).logprobs] == [-2.0]
    nothing_generated = replace(counted, completion_tokens=0)
    assert echo.checked_ids(_body(FOUR), nothing_generated, IDS, keep=1).outcome is Outcome.ERROR


def test_a_row_too_many_is_the_generated_token_where_the_rows_name_the_ids_of_the_prompt() -> None:
    named = {**FOUR, "tokens": ["token_id:1", "token_id:2", "token_id:3", "token_id:9"]}
    assert [t.logprob for t in echo.checked_ids(_body(named), _answer(), IDS, keep=1).logprobs] == [-2.0]
    shifted = {**FOUR, "tokens": ["token_id:0", "token_id:1", "token_id:2", "token_id:3"]}
    assert echo.checked_ids(_body(shifted), _answer(), IDS, keep=1).outcome is Outcome.ERROR


def test_as_many_rows_as_ids_need_no_count() -> None:
    three = {"tokens": FOUR["tokens"][:3], "token_logprobs": [None, -1.0, -2.0]}
    assert [t.logprob for t in echo.checked_ids(_body(three), _answer(), IDS, keep=1).logprobs] == [-2.0]
