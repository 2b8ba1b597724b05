"""When a failed request is asked again, after which pause, and when the endpoint is given up."""

from datetime import UTC, datetime

import pytest

from domain.answers import Answer, ErrorClass, Outcome
from evaluators.endpoints import transport
from evaluators.endpoints.retry import Breaker, RetryPolicy

NOW = datetime(2026, 11, 3, 9, 0, 0, tzinfo=UTC)


def _failed(kind: ErrorClass) -> Answer:
    return Answer(key="k", outcome=Outcome.ERROR, error_class=kind, error="why")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0), ("0", 0.0), ("0.5", 0.5), ("-4", 0.0), ("Tue, 03 Nov 2026 09:00:30 GMT", 30.0),
        ("Tue, 03 Nov 2026 08:00:00 GMT", 0.0), ("soon", None), ("", None),
    ],
)  # fmt: skip
def test_retry_after_is_read_in_seconds_and_as_a_date(value: str, seconds: float | None) -> None:
    assert transport.retry_after_s({"Retry-After": value}, now=NOW) == seconds


def test_no_header_is_no_pause() -> None:
    assert transport.retry_after_s({}) is None


@pytest.mark.parametrize(
    ("kind", "times"),
    [
        (ErrorClass.CONNECTION, 6), (ErrorClass.SERVER, 6), (ErrorClass.RATE_LIMITED, 6), (ErrorClass.TIMEOUT, 2),
        (ErrorClass.MALFORMED, 3), (ErrorClass.UNAUTHORISED, 1), (ErrorClass.NOT_FOUND, 1), (ErrorClass.TLS, 1),
        (ErrorClass.BAD_REQUEST, 1), (ErrorClass.LOGPROBS, 1),
    ],
)  # fmt: skip
def test_each_kind_of_failure_is_tried_as_often_as_it_may_help(kind: ErrorClass, times: int) -> None:
    policy, attempt = RetryPolicy(), 1
    while policy.again(_failed(kind), attempt, None):
        attempt += 1
    assert attempt == times


def test_a_server_that_wants_too_long_a_pause_is_not_waited_for() -> None:
    policy = RetryPolicy(retry_after_cap_s=60)
    assert policy.again(_failed(ErrorClass.RATE_LIMITED), 1, 60.0)
    assert not policy.again(_failed(ErrorClass.RATE_LIMITED), 1, 61.0)


def test_pauses_have_full_jitter_below_a_doubling_limit() -> None:
    policy = RetryPolicy(base_s=1.0, cap_s=4.0)
    for attempt, limit in ((1, 1.0), (2, 2.0), (3, 4.0), (9, 4.0)):
        pauses = [policy.delay_s(attempt, None) for _ in range(200)]
        assert all(0 <= pause <= limit for pause in pauses)
        assert max(pauses) - min(pauses) > limit / 2


def test_a_pause_the_server_asks_for_is_never_cut_short() -> None:
    assert all(RetryPolicy(base_s=0.5).delay_s(1, 7.0) >= 7.0 for _ in range(50))


def test_the_endpoint_is_given_up_only_after_failures_in_a_row() -> None:
    breaker = Breaker(3)
    good = Answer(key="k", outcome=Outcome.ANSWERED, text="A")
    for answer in (
        _failed(ErrorClass.CONNECTION),
        _failed(ErrorClass.CONNECTION),
        good,
        _failed(ErrorClass.CONNECTION),
    ):
        breaker.note(answer)
        assert breaker.cause is None
    breaker.note(_failed(ErrorClass.UNAUTHORISED))
    breaker.note(_failed(ErrorClass.NOT_FOUND))
    assert breaker.cause == _failed(ErrorClass.NOT_FOUND)


def test_failures_of_single_questions_never_give_the_endpoint_up() -> None:
    breaker = Breaker(2)
    for kind in (ErrorClass.BAD_REQUEST, ErrorClass.MALFORMED, ErrorClass.SERVER, ErrorClass.LOGPROBS) * 3:
        breaker.note(_failed(kind))
    assert breaker.cause is None


def test_after_a_pause_one_request_may_try_again() -> None:
    breaker = Breaker(3)
    for _ in range(5):
        breaker.note(_failed(ErrorClass.CONNECTION))
    breaker.half_open()
    assert breaker.cause is None
    breaker.note(_failed(ErrorClass.CONNECTION))
    assert breaker.cause is not None
