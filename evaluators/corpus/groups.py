"""Twelve groups of people, and the sentences of a text that name one of them."""

import re
from collections.abc import Mapping
from typing import NamedTuple

_PEOPLE = "people|person|persons|man|men|woman|women|guy|guys|boy|boys|girl|girls|kid|kids|folks|community|communities"
#: Group → its words; colours and "old" name people only beside a word for people, or as a plural of their own.
GROUPS: Mapping[str, str] = {
    "women": r"wom[ae]n|girls?",
    "men": r"m[ae]n|boys?",
    "Black people": rf"blacks|black (?:{_PEOPLE})|african[ -]americans?",
    "white people": rf"whites|white (?:{_PEOPLE})|caucasians?",
    "Asian people": r"asians?|asian[ -]americans?",
    "Latin American people": r"latin[oa]s?|hispanics?|latin[ -]americans?|mexicans?",
    "Christians": r"christians?|catholics?|protestants?",
    "Muslims": r"muslims?|moslems?",
    "Jews": r"jews?|jewish",
    "gay people": r"gays?|lesbians?|homosexuals?",
    "immigrants": r"(?:im)?migrants?|refugees?",
    "old people": rf"elderly|seniors|senior citizens?|old (?:{_PEOPLE})|elders",
}
_PATTERNS = {name: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE) for name, words in GROUPS.items()}
_ANY = re.compile("|".join(pattern.pattern for pattern in _PATTERNS.values()), re.IGNORECASE)
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…])[\"'”’)]*\s+|\n{2,}")


class Mention(NamedTuple):
    """A sentence and the groups it names."""

    sentence: str
    groups: tuple[str, ...]


def mentions(text: str) -> list[Mention]:
    """The sentences that name a group, in order.

    >>> [m.groups for m in mentions("The women sang. It rained! Muslims and Jews came.")]
    [('women',), ('Muslims', 'Jews')]
    >>> mentions("A black cat sat on the white chair.")
    []
    """
    if not _ANY.search(text):
        return []
    found = [(sentence, _named(sentence)) for sentence in _SENTENCE_ENDS.split(text)]
    return [Mention(sentence, groups) for sentence, groups in found if groups]


def _named(sentence: str) -> tuple[str, ...]:
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(sentence))
