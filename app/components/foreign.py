"""Text of others (names, addresses, words of servers) where Streamlit reads Markdown: shown, never followed."""

import re

#: Streamlit reads these again after Markdown took the backslashes away, so an invisible joint has to part them: the
#: colon of an address or of a shortcode, the dot of a www address, the at sign of a mail address.
_READ_AGAIN = re.compile(r":(?=//)|:(?=[\w+\-/]+:)|(?<=\bwww)(?=\.)|@|(?<=mailto):|(?<=xmpp):", re.IGNORECASE)
_WORD_JOINER = "\N{WORD JOINER}"
_MARKUP = re.compile(r"[\\`*_{}\[\]()#+!|<>~$:&]")
#: What makes a list or a heading of a line, at its beginning only.
_BEGINNING = re.compile(r"^(\d*)([.\-=])")


def plain(text: str) -> str:
    r"""Text of others inside Markdown, on one line: no formatting, no link, no picture, no icon, no formula.

    >>> plain("[a](b) $x$")
    '\\[a\\]\\(b\\) \\$x\\$'
    """
    line = " ".join(showable(text).split())
    parted = _READ_AGAIN.sub(lambda found: found.group() + _WORD_JOINER, line)
    return _BEGINNING.sub(r"\1\\\2", _MARKUP.sub(lambda found: f"\\{found.group()}", parted))


def code(text: str) -> str:
    """Text of others as it is, not made a link."""
    return f"`{' '.join(showable(text).replace('`', '').split())}`"


def showable(text: str) -> str:
    r"""The text without half characters, which no browser can be sent: pairs are joined, a lone half is marked.

    >>> showable("\ud83d\ude00"), showable("a\ud83db")
    ('😀', 'a�b')
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
