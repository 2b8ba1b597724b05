"""Text of others (model names, addresses, reasons of servers) as it may stand on paper."""

import re
import unicodedata

#: Not printed as they are: controls, invisible formatting (which can turn a name around), private use, half characters.
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs"})
_LONG_WORD = 24
_ZERO_WIDTH_SPACE = "\u200b"
#: A hash stays whole, so that it can be copied from the page and compared.
_DIGEST = re.compile("[0-9a-f]{64}")


def visible(text: str, unprintable: frozenset[str] = frozenset()) -> str:
    r"""The text on one line, with every character that cannot be shown written as its code; a number keeps its "%".

    >>> visible("safe\u202etxt.exe"), visible("two\nlines"), visible("名", frozenset("名"))
    ('safe⟨U+202E⟩txt.exe', 'two lines', '⟨U+540D⟩')
    """
    spaced = " ".join(text.split())
    shown = "".join(_code(c) if c in unprintable or unicodedata.category(c) in _HIDDEN else c for c in spaced)
    return shown.replace(" %", "\u00a0%")


def breakable(text: str) -> str:
    r"""The text with places to break a line inside words that are longer than a narrow column.

    >>> breakable("short words stay"), breakable("x" * 25).count("\u200b")
    ('short words stay', 1)
    """
    return re.sub(rf"\S{{{_LONG_WORD + 1},}}", lambda word: _with_breaks(word.group()), text)


def _with_breaks(word: str) -> str:
    if _DIGEST.fullmatch(word):
        return word
    pieces = re.findall(rf"[^/_.:@?&=-]{{1,{_LONG_WORD}}}[/_.:@?&=-]*|[/_.:@?&=-]+", word)
    return _ZERO_WIDTH_SPACE.join(pieces)


def _code(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"
