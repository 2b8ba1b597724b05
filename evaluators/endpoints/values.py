"""What a value of a reply may be: a text a database takes, a number, a log-probability, a count."""

import math
from typing import Any, TypeGuard

#: Two log-probabilities this close are the same one; servers round to single precision.
SAME_NATS = 1e-5
#: What every database's integer column holds.
_LARGEST_COUNT = 2**31


def clean(text: str) -> str:
    """Half surrogate pairs, which no database takes, become the replacement character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _has_surrogates(text) else text


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text)


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether it is a finite number; JSON's true is none, and neither is an integer beyond all floats."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_logprob(value: Any) -> TypeGuard[int | float]:
    """Whether it can be the logarithm of a probability, apart from rounding.

    >>> [is_logprob(value) for value in (-0.5, 0, 1e-7, 0.5, "-0.5", True)]
    [True, True, True, False, False, False]
    """
    return is_number(value) and value <= SAME_NATS


def is_count(value: Any) -> TypeGuard[int]:
    """Whether it can be a number of tokens or a token's id."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST_COUNT
