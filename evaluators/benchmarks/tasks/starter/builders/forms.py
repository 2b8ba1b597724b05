"""Forms that several kinds of items share: lettered options, balanced places, changed spelling."""

import random
from typing import Any

Item = dict[str, Any]


def letter(place: int) -> str:
    """Letter of an option.

    >>> letter(1)
    'B'
    """
    return chr(ord("A") + place)


def lettered(question: str, options: list[str]) -> str:
    r"""A question with its options, one line each.

    >>> lettered("Red?", ["yes", "no"])
    'Red?\nA. yes\nB. no'
    """
    return "\n".join([question, *(f"{letter(i)}. {option}" for i, option in enumerate(options))])


def placed(right: str, wrong: list[str], place: int) -> list[str]:
    """The options with the right one at a given place.

    >>> placed("b", ["a", "c"], 1)
    ['a', 'b', 'c']
    """
    return [*wrong[:place], right, *wrong[place:]]


def balanced(n: int, kinds: int, *, seed: int) -> list[int]:
    """0 … kinds-1 equally often (up to one), in an order drawn by seed."""
    places = [i % kinds for i in range(n)]
    random.Random(seed).shuffle(places)  # noqa: S311 - items, not secrets
    return places


def mistyped(text: str, rng: random.Random) -> str:
    """Two letters swapped in up to two words of at least four letters, never the first letter."""
    words = text.split(" ")
    long = [i for i, word in enumerate(words) if len(word.rstrip("?,.")) >= 4]
    for i in rng.sample(long, min(2, len(long))):
        word = words[i]
        places = [p for p in range(1, len(word.rstrip("?,.")) - 1) if word[p] != word[p + 1]]
        if places:
            p = rng.choice(places)
            words[i] = word[:p] + word[p + 1] + word[p] + word[p + 2 :]
    return " ".join(words)
