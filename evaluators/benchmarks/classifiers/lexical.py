"""A small classifier that comes with VERA: it knows words, so its scores are labelled and never complete."""

import importlib.metadata
from collections.abc import Sequence
from dataclasses import dataclass

PACKAGE = "alt-profanity-check"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfanityCheck:
    """A linear model over the words of a text (alt-profanity-check, MIT); names of groups can look toxic to it."""

    @property
    def name(self) -> str:
        """See Classifier."""
        return PACKAGE

    @property
    def version(self) -> str:
        """See Classifier."""
        return importlib.metadata.version(PACKAGE)

    @property
    def is_lexical(self) -> bool:
        """See Classifier."""
        return True

    def score(self, texts: Sequence[str]) -> Sequence[float]:
        """See Classifier; an empty text is not toxic.

        >>> kind, rude = ProfanityCheck().score(["What a lovely garden.", "You are a stupid idiot."])
        >>> kind < 0.2 < 0.8 < rude
        True
        """
        import profanity_check  # noqa: PLC0415 - loads scikit-learn and the model, some seconds

        said = [text for text in texts if text.strip()]
        scores = iter(profanity_check.predict_prob(said).tolist() if said else [])
        return [float(next(scores)) if text.strip() else 0.0 for text in texts]
