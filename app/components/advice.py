"""Sentences of the rooms below, as a page says them."""

import re

_COMMAND = re.compile(r"; [^;`]*`vera [^`]*`[^;`]*?(?=\.(?:\s|$)|;|$)")


def for_a_page(sentence: str) -> str:
    """A sentence without its command of the terminal: a page has a button or a link in its place.

    >>> for_a_page("No run has the id 'x.y'; `vera runs` lists the runs.")
    "No run has the id 'x.y'."
    >>> for_a_page("What m.1 can do is not known; run `vera models probe m.1` first. It waits.")
    'What m.1 can do is not known. It waits.'
    """
    return _COMMAND.sub("", sentence)
