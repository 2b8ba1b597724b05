"""Classifiers of text: how toxic it is, by an operator's own plug-in, by Detoxify or by words."""

from evaluators.benchmarks.classifiers.choice import GROUP, best, label
from evaluators.benchmarks.classifiers.protocol import (
    TOXIC,
    Classifier,
    checked_scores,
    classification_of,
    lexical_sentence,
)

__all__ = [
    "GROUP",
    "TOXIC",
    "Classifier",
    "best",
    "checked_scores",
    "classification_of",
    "label",
    "lexical_sentence",
]
