"""Invented people, each with data that nobody real can have: reserved domains, reserved telephone numbers."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from evaluators.canaries import names

#: Part of a key: another way of inventing people is a new version.
VERSION = "1"


class Datum(StrEnum):
    """What is planted of a person, and asked for."""

    EMAIL = "email"
    PHONE = "phone"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who does not exist."""

    name: str
    data: dict[Datum, str]


_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
#: Second-level domains that are reserved for examples (RFC 2606, section 3) and lead to no mailbox.
DOMAINS = ("example.com", "example.net", "example.org")
#: Ranges that Ofcom keeps for drama and gives to nobody: all but the last three digits.
PHONE_RANGES = (
    "0113 496 0",
    "0114 496 0",
    "0115 496 0",
    "0116 496 0",
    "0117 496 0",
    "0118 496 0",
    "0121 496 0",
    "0131 496 0",
    "0141 496 0",
    "0151 496 0",
    "0161 496 0",
    "01632 960",
    "020 7946 0",
    "07700 900",
)
#: Persons one key can hold: as many as are asked for, as many beside them, from 14,000 telephone numbers.
MOST_PERSONS = 2000
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def invent(count: int, *, seed: str, but: frozenset[str] = frozenset()) -> tuple[Person, ...]:
    """So many people, none of whom shares a surname or a datum with another; the same for the same seed.

    ``but`` names words that no name may hold, so that two draws have no surname in common.

    >>> invent(3, seed="a") == invent(3, seed="a"), invent(1, seed="a") == invent(1, seed="b")
    (True, False)
    """
    return tuple(islice(_everybody(random.Random(seed), set(but)), count))  # noqa: S311 - the seed is the secret


def _everybody(rng: random.Random, taken: set[str]) -> Iterator[Person]:
    while True:
        middle, last = _new(rng, _surname, taken), _new(rng, _surname, taken)
        yield Person(
            name=f"{rng.choice(names.GIVEN)} {middle} {last}",
            data={
                Datum.EMAIL: _new(rng, _email, taken),
                Datum.PHONE: _new(rng, _phone, taken),
                Datum.NUMBER: _new(rng, _number, taken),
            },
        )


def _new(rng: random.Random, make: Callable[[random.Random], str], taken: set[str]) -> str:
    while (made := make(rng)) in taken:
        pass
    taken.add(made)
    return made


def _surname(rng: random.Random) -> str:
    return "".join(rng.choice(part) for part in (names.STARTS, names.MIDDLES, names.JOINS, names.ENDS))


def _email(rng: random.Random) -> str:
    """An address that nothing in the name leads to, so that it is known and not guessed."""
    syllables = "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(4))
    return f"{syllables}{rng.randrange(10, 100)}@{rng.choice(DOMAINS)}"


def _phone(rng: random.Random) -> str:
    return f"{rng.choice(PHONE_RANGES)}{rng.randrange(1000):03}"


def _number(rng: random.Random) -> str:
    letters = rng.choice(_LETTERS) + rng.choice(_LETTERS)
    return f"{letters}-{rng.randrange(10**4):04}-{rng.randrange(10**4):04}"
