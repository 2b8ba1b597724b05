"""Letters are scored by the sum of the tokens that write them; what is not shown is a bound and says so."""

import math

import pytest
from fakes.asking import capabilities

from domain.answers import Answer, ErrorClass, Outcome, TokenLogprob
from domain.benchmarks import Method
from domain.endpoints import Capability
from evaluators.endpoints import letters, logprobs

TOP = (("A", math.log(0.5)), (" A", math.log(0.2)), ("(B", math.log(0.1)), ("The", math.log(0.05)))


def _answer(top: tuple[tuple[str, float], ...]) -> Answer:
    token = TokenLogprob(top[0][0], top[0][1], top) if top else None
    return Answer(key="k", outcome=Outcome.TRUNCATED, text="A", logprobs=(token,) if token else ())


def test_the_tokens_that_write_a_letter_add_up() -> None:
    scored = letters.letter_score(_answer(TOP), "A", {"A", "B"})
    assert scored.value == pytest.approx(math.log(0.7))
    assert (scored.is_greedy, scored.is_bound) == (True, False)


def test_a_letter_in_brackets_is_the_letter() -> None:
    scored = letters.letter_score(_answer(TOP), "B", {"A", "B"})
    assert scored.value == pytest.approx(math.log(0.1))
    assert scored.is_greedy is False


def test_a_letter_outside_the_shown_tokens_is_a_bound() -> None:
    scored = letters.letter_score(_answer(TOP), "C", {"A", "C"})
    assert scored.value == pytest.approx(math.log(0.05))
    assert scored.is_bound


def test_a_position_without_any_letter_has_no_score() -> None:
    scored = letters.letter_score(_answer((("<think>", -0.01), ("Well", -5.0))), "A", {"A", "B"})
    assert (scored.value, scored.error) == (None, ErrorClass.LOGPROBS)


def test_missing_log_probabilities_are_no_score() -> None:
    assert letters.letter_score(_answer(()), "A", {"A"}).error is ErrorClass.LOGPROBS


def test_more_than_one_letter_cannot_be_scored_this_way() -> None:
    assert letters.letter_score(_answer(TOP), "Apple", {"Apple"}).error is ErrorClass.LOGPROBS


def test_log_probabilities_that_add_up_to_more_than_one_are_not_believed() -> None:
    assert letters.is_normalised(TOP)
    assert not letters.is_normalised((("A", -0.1), ("B", -0.1)))
    assert not letters.is_normalised(())


def test_echo_is_preferred_to_forcing_and_letters_come_only_when_asked_for() -> None:
    both = capabilities(Capability.ECHO_LOGPROBS, Capability.FORCED_LOGPROBS, Capability.TOP_LOGPROBS)
    assert logprobs.method_for(both) is Method.LOGLIKELIHOOD_ECHO
    assert logprobs.method_for(capabilities(Capability.FORCED_LOGPROBS)) is Method.LOGLIKELIHOOD_FORCED
    top = capabilities(Capability.TOP_LOGPROBS)
    assert logprobs.method_for(top) is None
    assert logprobs.method_for(top, letters_possible=True) is Method.LETTERS_TOP_LOGPROBS
    assert logprobs.method_for(capabilities(), letters_possible=True) is None
