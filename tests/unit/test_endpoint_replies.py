"""Every shape of a reply is an outcome of its own."""

import json
import math
from typing import Any

import pytest

from domain.answers import ErrorClass, Outcome, Route, TokenLogprob
from evaluators.endpoints import replies, token_logprobs


def _chat(message: dict[str, Any], finish: str | None = "stop", **more: Any) -> replies.Reply:
    body = {"choices": [{"message": message, "finish_reason": finish}], **more}
    return replies.read(Route.CHAT, 200, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("message", "finish", "outcome", "text", "reasoning"),
    [
        ({"content": "B"}, "stop", Outcome.ANSWERED, "B", None),
        ({"content": "B"}, None, Outcome.ANSWERED, "B", None),
        ({"content": " \n"}, "stop", Outcome.EMPTY, " \n", None),
        ({"content": "B and"}, "length", Outcome.TRUNCATED, "B and", None),
        ({"content": ""}, "length", Outcome.TRUNCATED, "", None),
        ({"content": "B"}, "content_filter", Outcome.FILTERED, "B", None),
        ({"content": None, "reasoning_content": "hm"}, "length", Outcome.TRUNCATED, "", "hm"),
        ({"content": None, "reasoning": "hm"}, "stop", Outcome.EMPTY, "", "hm"),
        ({"content": "B", "reasoning": "hm"}, "stop", Outcome.ANSWERED, "B", "hm"),
        ({"content": "<think>hm</think>\n\nB"}, "stop", Outcome.ANSWERED, "B", "hm"),
        ({"content": "<think>hm"}, "length", Outcome.TRUNCATED, "", "hm"),
        ({"content": "hm</think>B"}, "stop", Outcome.ANSWERED, "B", "hm"),
        ({"content": "B <think>hm</think>"}, "stop", Outcome.ANSWERED, "B <think>hm</think>", None),
        ({"content": None, "refusal": "I won't."}, "stop", Outcome.ANSWERED, "I won't.", None),
        ({"content": [{"type": "text", "text": "B"}]}, "stop", Outcome.ANSWERED, "B", None),
    ],
)
def test_a_message_is_read_as_what_it_is(
    message: dict[str, Any], finish: str | None, outcome: Outcome, text: str, reasoning: str | None
) -> None:
    reply = _chat(message, finish)
    assert (reply.outcome, reply.text, reply.reasoning) == (outcome, text, reasoning)
    assert reply.finish_reason == finish


def test_null_content_after_hidden_reasoning_is_truncated_and_not_an_error() -> None:
    usage = {"completion_tokens": 64, "completion_tokens_details": {"reasoning_tokens": 64}}
    assert _chat({"content": None}, "length", usage=usage).outcome is Outcome.TRUNCATED


@pytest.mark.parametrize(
    "content",
    [
        b"", b"<html>", b"[]", b"null", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b'{"choices": [null]}',
        b'{"choices": null, "error": null}', b'{"error": {"message": "overloaded"}}', b'{"error": "overloaded"}',
        b'{"choices": [{"message": {"content": null}, "finish_reason": "stop"}]}',
        b'{"choices": [{"message": {"content": 5}}]}', b"\xff\xfe",
    ],
)  # fmt: skip
@pytest.mark.parametrize("route", list(Route))
def test_a_successful_status_without_an_answer_is_malformed(route: Route, content: bytes) -> None:
    reply = replies.read(route, 200, content)
    assert (reply.outcome, reply.error_class) == (Outcome.ERROR, ErrorClass.MALFORMED)
    assert reply.error


def test_the_text_of_an_error_body_is_kept() -> None:
    reply = replies.read(Route.CHAT, 200, b'{"error": {"message": "model overloaded"}}')
    assert "model overloaded" in (reply.error or "")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, ErrorClass.NOT_FOUND), (400, ErrorClass.BAD_REQUEST), (401, ErrorClass.UNAUTHORISED),
        (403, ErrorClass.UNAUTHORISED), (404, ErrorClass.NOT_FOUND), (408, ErrorClass.TIMEOUT),
        (413, ErrorClass.BAD_REQUEST), (422, ErrorClass.BAD_REQUEST), (429, ErrorClass.RATE_LIMITED),
        (500, ErrorClass.SERVER), (501, ErrorClass.NOT_FOUND), (502, ErrorClass.SERVER), (503, ErrorClass.SERVER),
        (504, ErrorClass.TIMEOUT), (529, ErrorClass.SERVER),
    ],
)  # fmt: skip
def test_each_status_has_its_error_class(status: int, kind: ErrorClass) -> None:
    reply = replies.read(Route.CHAT, status, b'{"error": {"message": "why"}}')
    assert (reply.outcome, reply.error_class) == (Outcome.ERROR, kind)
    assert reply.error == f"HTTP {status}: why"


def test_a_spent_quota_is_not_waited_for_like_a_rate_limit() -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    assert replies.read(Route.CHAT, 429, json.dumps(body).encode()).error_class is ErrorClass.UNAUTHORISED


@pytest.mark.parametrize(
    "error",
    [
        {"code": "content_filter", "message": "filtered"},
        {"code": "bad", "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}}},
    ],
)
def test_a_refused_prompt_of_the_content_filter_is_an_outcome_and_no_error(error: dict[str, Any]) -> None:
    reply = replies.read(Route.CHAT, 400, json.dumps({"error": error}).encode())
    assert reply.outcome is Outcome.FILTERED
    assert reply.error_class is None


def test_tokens_are_counted_only_where_the_server_counts() -> None:
    counted = _chat({"content": "B"}, usage={"prompt_tokens": 7, "completion_tokens": 1})
    assert (counted.prompt_tokens, counted.completion_tokens) == (7, 1)
    assert (_chat({"content": "B"}).prompt_tokens, _chat({"content": "B"}, usage="?").completion_tokens) == (None, None)


def test_half_a_surrogate_pair_cannot_reach_a_database() -> None:
    reply = replies.read(Route.CHAT, 200, b'{"choices": [{"message": {"content": "a\\ud83d b"}}]}')
    assert reply.text == "a\ufffd b"


def test_both_shapes_of_log_probabilities_are_read_the_same() -> None:
    legacy = {"tokens": [" A", " b"], "token_logprobs": [-0.5, -1.0], "top_logprobs": [{" B": -2.0, " A": -0.5}, None]}
    top = [{"token": " A", "logprob": -0.5}, {"token": " B", "logprob": -2}]
    entries = [{"token": " A", "logprob": -0.5, "top_logprobs": top}, {"token": " b", "logprob": -1.0}]
    expected = (TokenLogprob(" A", -0.5, ((" A", -0.5), (" B", -2.0))), TokenLogprob(" b", -1.0))
    assert token_logprobs.read(legacy) == expected
    assert token_logprobs.read({"content": entries}) == expected


def test_infinite_or_missing_log_probabilities_are_left_out_and_never_a_number() -> None:
    arrays = b'{"tokens": ["a", "b", "c"], "token_logprobs": [null, -Infinity, -1]}'
    reply = replies.read(Route.COMPLETIONS, 200, b'{"choices": [{"text": "x", "logprobs": %b}]}' % arrays)
    assert reply.logprobs == (TokenLogprob("c", -1.0),)
    assert all(math.isfinite(token.logprob) for token in reply.logprobs)


def test_arrays_of_different_length_are_no_log_probabilities() -> None:
    assert token_logprobs.read({"tokens": ["a", "b"], "token_logprobs": [-1.0]}) == ()


def test_vectors_come_in_the_order_of_the_texts() -> None:
    body = {"data": [{"index": 1, "embedding": [2, 3]}, {"index": 0, "embedding": [0.5, 1]}]}
    assert replies.read(Route.EMBEDDINGS, 200, json.dumps(body).encode()).vectors == ((0.5, 1.0), (2.0, 3.0))


@pytest.mark.parametrize("name", ["relevance_score", "score"])
def test_rerank_scores_come_in_the_order_of_the_documents(name: str) -> None:
    body = {"results": [{"index": 1, name: 0.9}, {"index": 0, name: 0.1}]}
    assert replies.read(Route.RERANK, 200, json.dumps(body).encode()).vectors == ((0.1,), (0.9,))


def test_an_embedding_that_holds_no_numbers_is_malformed() -> None:
    body = {"data": [{"index": 0, "embedding": [None]}]}
    assert replies.read(Route.EMBEDDINGS, 200, json.dumps(body).encode()).error_class is ErrorClass.MALFORMED


@pytest.mark.parametrize(
    ("choice", "more"),
    [
        ({"message": {"content": ""}, "finish_reason": "error", "error": {"message": "upstream died"}}, {}),
        ({"message": {"content": "The answer"}, "finish_reason": "error", "error": {"message": "upstream died"}}, {}),
        ({"message": {"content": "The answer"}, "finish_reason": "stop", "error": {"message": "upstream died"}}, {}),
        ({"message": {"content": "The answer"}, "finish_reason": "error"}, {}),
        ({"message": {"content": "The answer"}, "finish_reason": "abort"}, {}),
        ({"message": {"content": ""}, "finish_reason": "stop"}, {"error": {"message": "upstream died"}}),
        ({"message": {"content": "The answer"}, "finish_reason": "length"}, {"error": "upstream died"}),
        ({"message": {"content": ""}, "finish_reason": None}, {}),
        ({"message": {"content": " "}}, {}),
        ({"message": {"content": ""}, "finish_reason": "shutdown"}, {}),
        ({"message": {"content": None, "reasoning": "hm"}, "finish_reason": None}, {}),
    ],
)
def test_a_failure_of_the_server_is_never_stored_as_an_answer(choice: dict[str, Any], more: dict[str, Any]) -> None:
    reply = replies.read(Route.CHAT, 200, json.dumps({"choices": [choice], **more}).encode())
    assert (reply.outcome, reply.error_class) == (Outcome.ERROR, ErrorClass.MALFORMED)
    assert "upstream died" in (reply.error or "") or "finish" in (reply.error or "")


@pytest.mark.parametrize("finish", ["stop", "eos", "eos_token", "stop_sequence", "end_turn", "tool_calls", "STOP"])
def test_an_empty_text_after_a_regular_end_is_an_empty_answer(finish: str) -> None:
    assert _chat({"content": ""}, finish).outcome is Outcome.EMPTY


@pytest.mark.parametrize("nothing", [None, "", {}, []])
def test_an_error_field_that_holds_nothing_is_no_error(nothing: Any) -> None:
    assert _chat({"content": "B"}, "stop", error=nothing).outcome is Outcome.ANSWERED


def test_rows_beside_an_error_are_no_vectors() -> None:
    body = {"data": [{"index": 0, "embedding": [1.0]}], "error": {"message": "out of memory"}}
    assert replies.read(Route.EMBEDDINGS, 200, json.dumps(body).encode()).error_class is ErrorClass.MALFORMED
