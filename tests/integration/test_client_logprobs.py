"""Log-likelihoods are the server's own numbers, or an error; never a number that does not fit the prompt."""

import math

import pytest
from fakes import language
from fakes.asking import capabilities, client
from fakes.openai_server import FakeServer

from domain.answers import ErrorClass, MemoryAnswers
from domain.benchmarks import Method
from domain.endpoints import Capability
from domain.errors import CapabilityMissing
from evaluators.endpoints import logprobs

CONTEXT = "The capital of France is"
WITH_IDS, WITHOUT_IDS = capabilities(Capability.TOKENIZE), capabilities()
ECHO, FORCED, LETTERS = Method.LOGLIKELIHOOD_ECHO, Method.LOGLIKELIHOOD_FORCED, Method.LETTERS_TOP_LOGPROBS


def _expected(context: str, *pieces: str) -> float:
    """What the fake language itself says of these tokens."""
    value = 0.0
    for piece in pieces:
        value += language.logprob(context, piece, language.sensible(context))
        context += piece
    return value


@pytest.mark.parametrize(
    ("mode", "method", "known"),
    [
        ("ok", ECHO, WITH_IDS),
        ("echo", ECHO, WITHOUT_IDS),
        ("spaceless", ECHO, WITH_IDS),
        ("ok", FORCED, WITH_IDS),
        ("forced", FORCED, WITH_IDS),
    ],
)
def test_every_method_gives_the_models_own_numbers(mode, method, known) -> None:
    pairs = [(CONTEXT, " Paris"), (CONTEXT, " banana"), (f"{CONTEXT} ", "London"), (CONTEXT, " Paris and London")]
    with FakeServer(mode) as server:
        scored = logprobs.score_continuations(client(server.base_url), known, pairs, method=method)
    assert [s.value for s in scored] == pytest.approx(
        [
            _expected(CONTEXT, " Paris"),
            _expected(CONTEXT, " banana"),
            _expected(CONTEXT, " London"),
            _expected(CONTEXT, " Paris", " and", " London"),
        ]
    )
    assert [s.is_greedy for s in scored] == [True, False, False, False]
    assert [len(s.answers) for s in scored] == ([1, 1, 1, 3] if method is FORCED else [1, 1, 1, 1])


def test_only_the_continuations_log_probabilities_are_kept() -> None:
    kept = MemoryAnswers()
    with FakeServer("ok") as server:
        pairs = [(CONTEXT, " Paris and London")]
        logprobs.score_continuations(client(server.base_url, answers=kept), WITH_IDS, pairs, method=ECHO)
    (answer,) = kept.answers.values()
    assert [token.token for token in answer.logprobs] == [" Paris", " and", " London"]
    assert answer.text == "Paris"


def test_one_text_cut_in_two_places_is_scored_in_both() -> None:
    pairs = [(CONTEXT, " Paris and"), (f"{CONTEXT} Paris", " and")]
    with FakeServer("echo") as server:
        long, short = logprobs.score_continuations(client(server.base_url), WITHOUT_IDS, pairs, method=ECHO)
        assert len(server.requests) == 1
    assert long.value == pytest.approx(_expected(CONTEXT, " Paris", " and"))
    assert short.value == pytest.approx(_expected(f"{CONTEXT} Paris", " and"))


@pytest.mark.parametrize("method", [ECHO, FORCED])
def test_scores_of_an_earlier_run_are_reused(method: Method) -> None:
    kept, pairs = MemoryAnswers(), [(CONTEXT, " Paris"), (CONTEXT, " two words")]
    with FakeServer("ok") as server:
        first = logprobs.score_continuations(client(server.base_url, answers=kept), WITH_IDS, pairs, method=method)
        asked = len(server.requests)
        again = logprobs.score_continuations(client(server.base_url, answers=kept), WITH_IDS, pairs, method=method)
        assert len(server.requests) == asked
    assert first == again


def test_a_bos_the_server_adds_is_not_part_of_the_context() -> None:
    with FakeServer("bos_adding") as server:
        paris, first = logprobs.score_continuations(
            client(server.base_url), WITHOUT_IDS, [(CONTEXT, " Paris"), ("", "The capital")], method=ECHO
        )
    assert paris.value == pytest.approx(math.log(0.6))
    assert first.value == pytest.approx(_expected(language.BOS, "The", " capital"))


@pytest.mark.parametrize("mode", ["no_echo", "forced", "shifted", "short", "nulls"])
def test_arrays_that_do_not_fit_the_prompt_are_an_error_and_never_a_number(mode: str) -> None:
    kept = MemoryAnswers()
    with FakeServer(mode) as server:
        scored = logprobs.score_continuations(
            client(server.base_url, answers=kept), WITHOUT_IDS, [(CONTEXT, " Paris"), (CONTEXT, " x")], method=ECHO
        )
    assert [(s.value, s.is_greedy, s.error) for s in scored] == [(None, None, ErrorClass.LOGPROBS)] * 2
    assert all(s.reason for s in scored)
    assert kept.answers == {}


def test_a_context_without_a_token_boundary_at_its_end_is_an_error() -> None:
    with FakeServer("echo") as server:
        (scored,) = logprobs.score_continuations(client(server.base_url), WITHOUT_IDS, [("cap", "ital x")], method=ECHO)
    assert (scored.value, scored.error) == (None, ErrorClass.LOGPROBS)
    assert "boundary" in (scored.reason or "")


def test_with_token_ids_the_boundary_stays_where_it_is() -> None:
    with FakeServer("ok") as server:
        (scored,) = logprobs.score_continuations(client(server.base_url), WITH_IDS, [("cap", "ital x")], method=ECHO)
    assert scored.value == pytest.approx(_expected("cap", "ital", " x"))


def test_another_token_than_the_forced_one_is_an_error() -> None:
    with FakeServer("bias_ignored") as server:
        (scored,) = logprobs.score_continuations(
            client(server.base_url), WITH_IDS, [(CONTEXT, " banana")], method=FORCED
        )
    assert (scored.value, scored.error) == (None, ErrorClass.LOGPROBS)
    assert "was forced" in (scored.reason or "")


def test_an_unreachable_endpoint_is_that_error_and_not_a_mismatch() -> None:
    with FakeServer("unauthorised") as server:
        (scored,) = logprobs.score_continuations(client(server.base_url), WITHOUT_IDS, [("a", " b")], method=ECHO)
    assert scored.error is ErrorClass.UNAUTHORISED


def test_without_token_ids_nothing_can_be_forced() -> None:
    with FakeServer("no_echo") as server:
        (scored,) = logprobs.score_continuations(client(server.base_url), WITHOUT_IDS, [("a", " b")], method=FORCED)
    assert (scored.value, scored.error) == (None, ErrorClass.LOGPROBS)


def test_letters_cost_one_request_per_question() -> None:
    question = "Which is a fruit?\nA. pear\nB. stone\nAnswer with the letter only."
    chosen = language.sensible(question)
    with FakeServer("ok") as server:
        pairs = [(question, " A"), (question, "B")]
        scored = logprobs.score_continuations(client(server.base_url), WITHOUT_IDS, pairs, method=LETTERS)
        assert len(server.requests) == 1
    by_letter = dict(zip("AB", scored, strict=True))
    assert by_letter[chosen].value == pytest.approx(math.log(0.6), abs=0.05)
    assert by_letter[chosen].is_greedy
    assert (by_letter["B" if chosen == "A" else "A"].value or 0.0) < math.log(0.4)


def test_a_method_without_log_likelihoods_is_refused() -> None:
    with pytest.raises(CapabilityMissing):
        logprobs.score_continuations(client("http://h/v1"), WITHOUT_IDS, [], method=Method.GENERATE)


@pytest.mark.parametrize(("method", "context_length"), [(ECHO, 5), (FORCED, 4)])
def test_a_long_text_is_scored_in_windows_that_share_one_token(method: Method, context_length: int) -> None:
    words = [f" w{chr(97 + i)}" for i in range(9)]
    known = capabilities(Capability.TOKENIZE, context_length=context_length)
    with FakeServer("bos_telling") as server:
        (scored,) = logprobs.rolling(client(server.base_url), known, ["".join(words)], method=method)
        asked = [payload for _, payload in server.requests]
    windows = [(language.BOS, words[:3]), (words[2], words[3:6]), (words[5], words[6:])]
    assert scored.value == pytest.approx(sum(_expected(start, *window) for start, window in windows))
    assert max(len(payload["prompt"]) + payload["max_tokens"] for payload in asked) == context_length


def test_a_context_too_short_for_a_window_still_has_windows_of_one_token() -> None:
    known = capabilities(Capability.TOKENIZE, context_length=1)
    with FakeServer("bos_telling") as server:
        (scored,) = logprobs.rolling(client(server.base_url), known, ["one two"], method=ECHO)
    assert scored.value is not None
