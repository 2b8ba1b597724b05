"""Classifiers of text: how toxic it is, by an operator's own plug-in, by Detoxify or by words."""

from evaluators.benchmarks.classifiers.choice import GROUP, best, label
from evaluators.benchmarks.classifiers.protocol import Classifier, checked_scores, classification_of

__all__ = ["GROUP", "Classifier", "best", "checked_scores", "classification_of", "label"]
