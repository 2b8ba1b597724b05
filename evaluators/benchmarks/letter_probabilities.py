"""Multiple choice on the chat route: the first token's probabilities of the letters, where all choices are letters."""

from collections.abc import Sequence

from domain.answers import Answer, Outcome

#: Alternatives asked for; what OpenAI and most servers allow.
TOP = 20


def is_letter(continuation: str) -> bool:
    """Whether a continuation is one letter, with or without spaces around it.

    >>> is_letter(" A"), is_letter("yes")
    (True, False)
    """
    return len(continuation.strip()) == 1 and continuation.strip().isalpha()


def loglikelihood(answer: Answer, letter: str) -> float | None:
    """Natural log-probability of a letter as first token, the best of its spellings (`A`, ` A`).

    A letter outside the listed alternatives is at most as likely as the last of them, which is taken for it. None where
    the answer holds no alternatives.
    """
    if answer.outcome is Outcome.ERROR or not answer.logprobs:
        return None
    first = answer.logprobs[0]
    listed = [*first.top, (first.token, first.logprob)]
    found = [logprob for token, logprob in listed if token.strip() == letter.strip()]
    return max(found) if found else min(logprob for _, logprob in listed)


def is_greedy(answer: Answer, letter: str, letters: Sequence[str]) -> bool:
    """Whether the letter is the most likely of all letters asked about."""
    values = {other: loglikelihood(answer, other) or float("-inf") for other in letters}
    return max(values, key=lambda other: values[other]) == letter
