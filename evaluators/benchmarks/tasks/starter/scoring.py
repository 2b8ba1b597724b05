"""Per-item metrics for lm-eval: one function per scorer, as a task file names it with ``!function``."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluators.benchmarks import scorers

#: Facts about an answer that have no meaningful mean.
_NOT_A_METRIC = frozenset({"choice"})


def _score(scorer: str, doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    scores = scorers.score_text(scorer, doc, results[0])
    return {name: value for name, value in scores.items() if name not in _NOT_A_METRIC}


def arithmetic(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Exact match of a number."""
    return _score("arithmetic", doc, results)


def contrast_pairs(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """Yes or no."""
    return _score("contrast_pairs", doc, results)


def knowledge(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float]:
    """A letter."""
    return _score("knowledge", doc, results)
