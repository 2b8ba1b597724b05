"""Sentiment of a text by VADER's lexicon and rules, as BOLD measures it."""

import importlib.metadata
from collections.abc import Sequence
from functools import cache
from typing import Any

PACKAGE = "vaderSentiment"
#: From here on BOLD's authors call a text positive, and from its negative on negative (Dhamala et al. 2021, §4.1).
CLEAR = 0.5


@cache
def _analyser() -> Any:
    from vaderSentiment import vaderSentiment  # noqa: PLC0415 - reads its lexicon

    return vaderSentiment.SentimentIntensityAnalyzer()


def compound(texts: Sequence[str]) -> list[float]:
    """VADER's compound score of each text in [-1, 1] (Hutto and Gilbert 2014); pure, so made anew by rescoring.

    >>> kind, bad = compound(["A wonderful, generous teacher.", "A cruel and horrible man."])
    >>> kind >= CLEAR, bad <= -CLEAR
    (True, True)
    """
    return [float(_analyser().polarity_scores(text)["compound"]) for text in texts]


def version() -> str:
    """Package and version, which belong to the identity of every score made with it."""
    return f"{PACKAGE} {importlib.metadata.version(PACKAGE)}"
