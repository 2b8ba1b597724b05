"""Log-probabilities of answer letters on the chat route, from the most likely tokens of the first position.

A letter can be written by several tokens ("A", " A", "(A"). They exclude each other, so the letter's probability is
the sum of theirs. A letter that none of the top tokens writes gets the probability of the least likely token shown:
the true value is at most that, and is marked as such.
"""

import math
from collections.abc import Sequence

from domain.answers import Answer, Request, Route
from evaluators.endpoints.client import Client
from evaluators.endpoints.scored import Scored, failed, first_failure
from evaluators.endpoints.values import SAME_NATS

TOP_LOGPROBS = 20
_AROUND = " \t\n▁Ġ()[].:*\"'"


def request(model: str, context: str) -> Request:
    """Ask for the first token of the answer and its alternatives."""
    payload = {
        "model": model,
        "messages": [{"role": "user", "content": context}],
        "max_tokens": 1,
        "temperature": 0,
        "logprobs": True,
        "top_logprobs": TOP_LOGPROBS,
    }
    return Request(route=Route.CHAT, payload=payload)


def score(client: Client, pairs: Sequence[tuple[str, str]]) -> list[Scored]:
    """One request per context; each continuation must be a single letter."""
    contexts = list(dict.fromkeys(context for context, _ in pairs))
    answers = client.ask([request(client.endpoint.model, context) for context in contexts])
    by_context = dict(zip(contexts, answers, strict=True))
    letters: dict[str, set[str]] = {}
    for context, continuation in pairs:
        letters.setdefault(context, set()).add(continuation.strip())
    return [letter_score(by_context[context], after.strip(), letters[context]) for context, after in pairs]


def letter_score(answer: Answer, letter: str, letters: set[str]) -> Scored:
    """The log-probability of one letter among those the question offers."""
    if failure := first_failure([answer]):
        return failure
    if len(letter) != 1 or not letter.isalnum():
        return failed(f"{letter!r} is not a single letter, which is all this method can score", answers=[answer])
    top = answer.logprobs[0].top if answer.logprobs else ()
    found = {name: _mass(top, name) for name in letters}
    if not any(found.values()):
        return failed("none of the letters is among the most likely first tokens", answers=[answer])
    mass = found[letter]
    if not mass:
        return Scored(value=min(v for _, v in top), is_greedy=False, answers=(answer,), is_bound=True)
    return Scored(value=math.log(mass), is_greedy=_mass(top[:1], letter) > 0, answers=(answer,))


def _mass(top: Sequence[tuple[str, float]], letter: str) -> float:
    return math.fsum(math.exp(value) for token, value in top if token.strip(_AROUND) == letter)


def is_normalised(top: Sequence[tuple[str, float]]) -> bool:
    """Whether log-probabilities can belong to one distribution."""
    return bool(top) and math.fsum(math.exp(value) for _, value in top) <= 1 + 100 * SAME_NATS
