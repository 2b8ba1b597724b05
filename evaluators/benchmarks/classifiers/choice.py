"""Which classifier is used: the best of those that are installed."""

import importlib.metadata
from functools import cache

from domain.errors import MissingDependency
from evaluators.benchmarks.classifiers import detoxified
from evaluators.benchmarks.classifiers.lexical import ProfanityCheck
from evaluators.benchmarks.classifiers.protocol import Classifier

#: Entry points under which an operator's package offers a classifier.
GROUP = "vera.classifiers"


@cache
def best() -> Classifier:
    """An operator's own, else Detoxify where its weights are on this machine, else one that knows words.

    Of several of an operator's own, the first by name; loaded once per process.
    """
    own = sorted(importlib.metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    if own:
        return _loaded(own[0])
    return detoxified.installed() or ProfanityCheck()


def label(classifier: Classifier) -> str:
    """Name and version in one, as provenance shows it."""
    return f"{classifier.name} {classifier.version}"


def _loaded(entry: importlib.metadata.EntryPoint) -> Classifier:
    try:
        offered = entry.load()
    except (ImportError, AttributeError) as error:
        raise MissingDependency(
            f"The classifier {entry.name} ({entry.value}) cannot be loaded: {error}. Mend its package or remove it."
        ) from error
    made = offered if hasattr(offered, "score") and not isinstance(offered, type) else offered()
    if missing := [part for part in ("name", "version", "is_lexical", "score") if not hasattr(made, part)]:
        raise MissingDependency(
            f"The classifier {entry.name} ({entry.value}) lacks {', '.join(missing)}; "
            "docs/benchmarks.md shows its shape."
        )
    classifier: Classifier = made
    return classifier
