"""The ways in which a question is typed without care; what it says, its figures, formulas and quotations stay."""

import random
import re
from collections.abc import Callable, Collection

Change = Callable[[str, random.Random, Collection[str]], str]

#: What stands between quotation marks is somebody's wording, between dollars a formula; apostrophes are neither.
_QUOTED = re.compile(r"\$[^$]+\$|\"[^\"]*\"|“[^”]*”|‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)|`[^`]*`")
#: A word of prose: no abbreviation, symbol, variable, figure or formula, such as ``Bxy`` for "x is bigger than y".
_WORD = re.compile(r"(?![A-Za-z]xyz?\b)[A-Za-z][a-z]+(?=[.,;:?!)]*$)")
#: Slips are made in words long enough to be known all the same.
_LONG = 5
#: One word of so many is mistyped, and one gap of so many is wide.
_ONE_OF = 4
#: Words on which the answer turns stay legible.
_DECIDING = frozenset({"except", "false", "incorrect", "least", "never", "unlikely", "untrue", "without", "wrong"})
#: Slips that would make another word which the questions at hand may happen not to hold.
_OTHER_WORDS = frozenset(
    re.findall(
        r"\w+",
        "angel angle averse beast beat breast casual causal chart coma comma contact conversation county "
        "curse dairy decent desert dessert diary diner dinner diving entre exit fiction fiend filed fires "
        "form friction fried friend fries from genial infraction later latter loose lose marital martial "
        "miosis morality nuclear pants perfect pint prefect pubic quiet quite sacred scared signed signing "
        "silver singed singing slice sliver stable statue stuck there three through tired topics trail trial "
        "tropics unclear united untied venus weird wired",
    )
)
_SHORT_FORMS = {
    **{
        f"{verb} not": f"{verb}n't"
        for verb in ("is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "would", "could", "should")
    },
    "can not": "can't",
    "cannot": "can't",
    "will not": "won't",
    **{f"{word} is": f"{word}'s" for word in ("what", "who", "where", "it", "there", "that")},
    **{f"{word} are": f"{word}'re" for word in ("they", "we", "you")},
}
_LONG_FORM = re.compile(
    # a short form needs something to lean on: "what it is?" has none, and NOT in capitals is meant to be seen
    rf"\b(?P<first>[A-Za-z])(?P<rest>{'|'.join(re.escape(form[1:]) for form in _SHORT_FORMS)})(?= [A-Za-z])"
)


def mistyped(text: str, rng: random.Random, known: Collection[str]) -> str:
    """One long word of four with a slip inside it, never at its first or last letter and never making a known word."""
    parts = _parts(text)
    places = [i for i, part in enumerate(parts) if len(_plain(part)) >= _LONG and _plain(part) not in _DECIDING]
    for i in sorted(rng.sample(places, min(len(places), max(1, len(places) // _ONE_OF)))):
        word = _plain(parts[i])
        slips = [slip for slip in _slips(word) if slip.casefold() not in known and slip.casefold() not in _OTHER_WORDS]
        parts[i] = parts[i].replace(word, rng.choice(slips), 1) if slips else parts[i]
    return "".join(parts)


def in_lower_case(text: str, rng: random.Random, known: Collection[str]) -> str:  # noqa: ARG001 - a Change
    """Every word of prose without its capital; abbreviations, symbols and words of one or two letters stay.

    >>> in_lower_case("In Paris, what does DNA (or He) do?", random.Random(1), ())
    'In paris, what does DNA (or He) do?'
    """
    return "".join(part.lower() if len(_plain(part)) > 2 else part for part in _parts(text))


def with_wide_gaps(text: str, rng: random.Random, known: Collection[str]) -> str:  # noqa: ARG001 - a Change
    """One gap of four between words of prose two or three blanks wide."""
    parts = _parts(text)
    gaps = [i for i in range(1, len(parts) - 1) if parts[i] == " " and _plain(parts[i - 1]) and _plain(parts[i + 1])]
    for i in rng.sample(gaps, min(len(gaps), max(1, len(gaps) // _ONE_OF))):
        parts[i] = " " * rng.choice((2, 3))
    return "".join(parts)


def with_short_forms(text: str, rng: random.Random, known: Collection[str]) -> str:  # noqa: ARG001 - a Change
    """Short forms as in speech, where the words allow them.

    >>> with_short_forms("What is it that does not grow, and what is NOT it? Say what it is.", random.Random(1), ())
    "What's it that doesn't grow, and what's NOT it? Say what it is."
    """

    def short(found: re.Match[str]) -> str:
        form = _SHORT_FORMS.get(found[0][:1].lower() + found[0][1:])
        return found[0] if form is None else found["first"] + form[1:]

    return "".join(part if is_quoted else _LONG_FORM.sub(short, part) for part, is_quoted in _by_quotation(text))


#: Name of a change → how it is made; the rarest that a question allows comes first.
CHANGES: dict[str, Change] = {
    "short forms": with_short_forms,
    "typing errors": mistyped,
    "lower case": in_lower_case,
    "wide gaps": with_wide_gaps,
}


def words(text: str) -> set[str]:
    """The words of a text, in lower case."""
    return {word.casefold() for word in re.findall(r"[A-Za-z]+", text)}


def changed(text: str, name: str, known: Collection[str]) -> tuple[str, str] | None:
    """The name of a change and the text with it, both always the same for a text; None where it allows none.

    Few questions allow short forms, so those that do get them; the others get one of the other changes by their name.
    """
    rng = random.Random(name)  # noqa: S311 - a reproducible draw
    rare, *others = CHANGES
    rng.shuffle(others)
    made = ((kind, CHANGES[kind](text, rng, known)) for kind in (rare, *others))
    return next(((kind, other) for kind, other in made if other != text), None)


def _by_quotation(text: str) -> list[tuple[str, bool]]:
    parts, end = [], 0
    for found in _QUOTED.finditer(text):
        parts += [(text[end : found.start()], False), (found[0], True)]
        end = found.end()
    return [*parts, (text[end:], False)]


def _parts(text: str) -> list[str]:
    """Words and gaps in turn; a quotation is one part."""
    return [
        piece
        for part, is_quoted in _by_quotation(text)
        for piece in ([part] if is_quoted else re.split(r"(\s+)", part))
        if piece
    ]


def _plain(part: str) -> str:
    """The word of prose in a part between blanks; "" where it is none.

    >>> [_plain(p) for p in ("(Which", "cells?", "DNA", "x2", "pH", "blood/air", "Bxy:", " ")]
    ['Which', 'cells', '', '', '', '', '', '']
    """
    found = _WORD.match(part.lstrip("("))
    return found[0] if found else ""


def _slips(word: str) -> list[str]:
    """The word with two neighbours swapped, a letter doubled or one left out."""
    inner = range(1, len(word) - 1)
    swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in inner[:-1] if word[i] != word[i + 1]]
    doubled = [word[: i + 1] + word[i:] for i in inner]
    left_out = [word[:i] + word[i + 1 :] for i in inner]
    return [*swapped, *doubled, *left_out]
