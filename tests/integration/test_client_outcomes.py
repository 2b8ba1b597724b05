"""Each fault of a server is an outcome of its own; none is an empty answer, and none ends the run."""

import math
import socket

import pytest
from fakes.asking import QUICK, client, question, sum_of
from fakes.openai_server import FakeServer

from domain.answers import ErrorClass, MemoryAnswers, Outcome, Request, Route
from evaluators.endpoints.client import as_failure
from evaluators.endpoints.retry import RetryPolicy


def test_answers_come_in_the_order_of_the_questions() -> None:
    with FakeServer("ok", delay_s=0.01) as server:
        asked = client(server.base_url, max_in_flight=5)
        answers = asked.ask([question(i) for i in range(23)])
    assert [answer.text for answer in answers] == [sum_of(i) for i in range(23)]
    assert {answer.outcome for answer in answers} == {Outcome.ANSWERED}
    assert all(answer.latency_s >= 0.01 and answer.attempts == 1 and answer.answered_at > 0 for answer in answers)
    assert all(answer.completion_tokens == len(answer.text) for answer in answers)
    assert server.max_concurrent == 5


@pytest.mark.parametrize(
    ("mode", "outcome", "text"),
    [
        ("empty", Outcome.EMPTY, ""),
        ("truncated", Outcome.TRUNCATED, "1"),
        ("content_filter", Outcome.FILTERED, ""),
        ("refusal", Outcome.ANSWERED, "I'm sorry, but I can't help with"),
        ("prompt_echo", Outcome.ANSWERED, "What is 9 + 4?"),
        ("always_a", Outcome.ANSWERED, "A"),
        ("always_no", Outcome.ANSWERED, "No"),
        ("reasoning", Outcome.ANSWERED, "13"),
    ],
)
def test_what_the_server_says_is_stored_as_what_it_is(mode: str, outcome: Outcome, text: str) -> None:
    kept = MemoryAnswers()
    with FakeServer(mode) as server:
        (answer,) = client(server.base_url, answers=kept).ask([question(9)])
    assert answer.outcome is outcome
    assert answer.text.startswith(text)
    assert kept.answers == {answer.key: answer}
    assert kept.failures == []
    assert len(server.requests) == 1


def test_reasoning_is_kept_apart_from_the_answer() -> None:
    with FakeServer("reasoning") as server:
        (answer,) = client(server.base_url).ask([question(9)])
    assert (answer.text, answer.reasoning) == ("13", "Let me think about it.")


@pytest.mark.parametrize(
    ("mode", "kind", "times"),
    [
        ("error_body_200", ErrorClass.MALFORMED, 3),
        ("null_content", ErrorClass.MALFORMED, 3),
        ("not_json", ErrorClass.MALFORMED, 3),
        ("endless", ErrorClass.MALFORMED, 3),
        ("server_error", ErrorClass.SERVER, 6),
        ("unauthorised", ErrorClass.UNAUTHORISED, 1),
    ],
)
def test_a_failed_answer_is_never_stored_as_an_answer(mode: str, kind: ErrorClass, times: int) -> None:
    kept = MemoryAnswers()
    with FakeServer(mode) as server:
        answers = client(server.base_url, answers=kept).ask([question(i) for i in range(3)])
    assert [(a.outcome, a.error_class, a.attempts, a.text) for a in answers] == [(Outcome.ERROR, kind, times, "")] * 3
    assert all(answer.error for answer in answers)
    assert kept.answers == {}
    assert sorted(f.key for f in kept.failures) == sorted(a.key for a in answers)
    assert len(server.requests) == 3 * times


def test_a_wrong_path_is_told_from_a_wrong_key() -> None:
    with FakeServer("ok") as server:
        (answer,) = client(f"{server.url}/v2").ask([question(1)])
    assert answer.error_class is ErrorClass.NOT_FOUND


def test_a_rate_limited_request_is_asked_again_after_the_pause_the_server_wants() -> None:
    with FakeServer("rate_limit_then_ok", retry_after="0.3") as server:
        (answer,) = client(server.base_url).ask([question(1)])
    assert (answer.outcome, answer.attempts) == (Outcome.ANSWERED, 2)
    assert server.arrived[1] - server.arrived[0] >= 0.3


def test_a_pause_for_one_request_is_a_pause_for_all() -> None:
    with FakeServer("rate_limit_then_ok", retry_after="0.3") as server:
        client(server.base_url, max_in_flight=1).ask([question(1), question(2)])
        pauses = [b - a for a, b in zip(server.arrived, server.arrived[1:], strict=False)]
    assert [pause >= 0.3 for pause in pauses] == [True, False, True]


def test_a_dead_port_is_a_connection_error_after_its_retries() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (answer,) = client(f"http://127.0.0.1:{port}/v1").ask([question(1)])
    assert (answer.error_class, answer.attempts) == (ErrorClass.CONNECTION, 6)
    assert f"no connection to 127.0.0.1:{port}" in (answer.error or "")


def test_a_server_that_never_replies_is_a_timeout() -> None:
    with FakeServer("hang") as server:
        (answer,) = client(server.base_url, timeout_s=0.2).ask([question(1)])
    assert (answer.error_class, answer.attempts) == (ErrorClass.TIMEOUT, 2)


def test_a_server_without_tls_is_a_tls_error_and_not_retried() -> None:
    with FakeServer("ok") as server:
        (answer,) = client(server.base_url.replace("http:", "https:")).ask([question(1)])
    assert (answer.error_class, answer.attempts) == (ErrorClass.TLS, 1)


def test_a_flaky_server_answers_everything_in_the_end() -> None:
    with FakeServer("flaky", p=0.4) as server:
        policy = RetryPolicy(attempts=30, base_s=0.001, cap_s=0.002)
        answers = client(server.base_url, retry=policy).ask([question(i) for i in range(60)])
    assert [answer.text for answer in answers] == [sum_of(i) for i in range(60)]
    assert any(answer.attempts > 1 for answer in answers)


@pytest.mark.parametrize(("mode", "kind"), [("unauthorised", ErrorClass.UNAUTHORISED), ("hang", ErrorClass.TIMEOUT)])
def test_an_outage_ends_the_asking_with_a_clear_error(mode: str, kind: ErrorClass) -> None:
    kept = MemoryAnswers()
    policy = RetryPolicy(timeout_attempts=1, give_up_after=5)
    with FakeServer(mode) as server:
        asked = client(server.base_url, answers=kept, retry=policy, max_in_flight=2, timeout_s=0.1)
        answers = asked.ask([question(i) for i in range(200)])
    assert len(server.requests) <= 6
    assert {(answer.outcome, answer.error_class) for answer in answers} == {(Outcome.ERROR, kind)}
    assert (answers[-1].error or "").startswith("Not asked any more: 5 requests in a row failed")
    assert answers[-1].attempts == 0
    assert len({failure.key for failure in kept.failures}) == 200


def test_after_an_outage_the_same_client_asks_again() -> None:
    policy = RetryPolicy(attempts=1, give_up_after=2)
    with FakeServer("ok", api_key="right") as server:
        asked = client(server.base_url, retry=policy, api_key="wrong", max_in_flight=1)
        assert {a.error_class for a in asked.ask([question(i) for i in range(5)])} == {ErrorClass.UNAUTHORISED}
        server.api_key = "wrong"
        assert [a.text for a in asked.ask([question(i) for i in range(5)])] == [sum_of(i) for i in range(5)]


def test_pictures_pass_through_unchanged_even_large_ones() -> None:
    url = "data:image/png;base64," + "A" * (2 * 2**20)
    content = [{"type": "text", "text": "What is 1 + 1?"}, {"type": "image_url", "image_url": {"url": url}}]
    request = Request(route=Route.CHAT, payload={"model": "m", "messages": [{"role": "user", "content": content}]})
    with FakeServer("ok") as server:
        (answer,) = client(server.base_url).ask([request])
    assert answer.text == "2"
    assert server.requests[0][1]["messages"][0]["content"] == content


def test_what_is_hashed_is_what_is_sent() -> None:
    request = question(3, stop=["\n"], logit_bias={"7": 1.5}, note="ñ “quoted” \\ 漢字")
    with FakeServer("ok") as server:
        (answer,) = client(server.base_url).ask([request])
    assert answer.key == request.key("e1")
    assert server.requests == [("chat/completions", dict(request.payload))]


def test_embeddings_rerank_and_completions_are_asked_like_chat() -> None:
    requests = [
        Request(route=Route.EMBEDDINGS, payload={"model": "m", "input": ["a", "abc"]}),
        Request(route=Route.RERANK, payload={"model": "m", "query": "cats", "documents": ["dogs", "cats"]}),
        Request(route=Route.COMPLETIONS, payload={"model": "m", "prompt": "The capital of France is", "logprobs": 2}),
    ]
    with FakeServer("ok") as server:
        vectors, ranks, text = client(server.base_url).ask(requests)
    assert vectors.vectors == ((1.0, 1.0, 0.5), (3.0, 1.0, 0.5))
    assert ranks.vectors == ((0.0,), (1.0,))
    assert text.text == " Paris"
    assert text.logprobs[0].logprob == pytest.approx(math.log(0.6))


def test_a_check_can_turn_an_answer_into_a_failure_before_it_is_stored() -> None:
    kept = MemoryAnswers()
    with FakeServer("ok") as server:
        asked = client(server.base_url, answers=kept, retry=QUICK)
        (answer,) = asked.ask([question(1)], check=lambda _request, answer, body: as_failure(answer, body["object"]))
    assert (answer.error_class, answer.error, answer.attempts) == (ErrorClass.LOGPROBS, "chat.completion", 1)
    assert (kept.answers, len(kept.failures)) == ({}, 1)


def test_half_a_surrogate_pair_in_a_question_is_asked_as_an_escape_and_ends_nothing() -> None:
    kept = MemoryAnswers()
    with FakeServer("ok") as server:
        asked = [question(1), question(2, user="a\ud800b")]
        first, second = client(server.base_url, answers=kept).ask(asked)
        assert "a\ud800b" in [payload.get("user") for _, payload in server.requests]
    assert (first.text, second.text) == (sum_of(1), sum_of(2))
    assert second.key == asked[1].key("e1")
