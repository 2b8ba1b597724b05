"""The log-likelihood of one continuation, with the answers it was made of."""

from collections.abc import Sequence
from dataclasses import dataclass

from domain.answers import Answer, ErrorClass
from evaluators.endpoints.values import SAME_NATS


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A log-likelihood, or why there is none."""

    #: Nats; None with an error.
    value: float | None
    #: Whether the model would have written just this; None where the method cannot tell.
    is_greedy: bool | None = None
    answers: tuple[Answer, ...] = ()
    error: ErrorClass | None = None
    #: One sentence with an error.
    reason: str | None = None
    #: The value is an upper bound: the server did not name the token among its most likely ones.
    is_bound: bool = False


def failed(reason: str, *, answers: Sequence[Answer] = (), error: ErrorClass = ErrorClass.LOGPROBS) -> Scored:
    """A continuation without a log-likelihood."""
    return Scored(value=None, answers=tuple(answers), error=error, reason=reason)


def first_failure(answers: Sequence[Answer]) -> Scored | None:
    """The failure of the first of these answers that is none."""
    bad = next((answer for answer in answers if not answer.is_answer), None)
    if bad is None:
        return None
    return failed(bad.error or "no answer", answers=answers, error=bad.error_class or ErrorClass.LOGPROBS)


def total(answers: Sequence[Answer], logprobs: Sequence[tuple[float, float | None]]) -> Scored:
    """The sum over tokens, given as (log-probability, that of the most likely token at the position)."""
    tops = [top for _, top in logprobs]
    greedy = None if None in tops else all(value >= top - SAME_NATS for value, top in logprobs if top is not None)
    return Scored(value=sum(value for value, _ in logprobs), is_greedy=greedy, answers=tuple(answers))


def move_spaces(pair: tuple[str, str]) -> tuple[str, str]:
    """White space at the end of the context belongs to the continuation: tokens carry their space in front.

    >>> move_spaces(("Answer: ", "A"))
    ('Answer:', ' A')
    """
    context, continuation = pair
    bare = context.rstrip()
    return bare, context[len(bare) :] + continuation
