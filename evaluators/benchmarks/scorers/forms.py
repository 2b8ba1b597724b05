"""Questions asked in several forms: which of them had all forms answered, and whether all forms got one option."""

from collections.abc import Sequence

from domain.benchmarks import Sample
from evaluators.benchmarks.scorers.items import by_cluster, usable


def complete(samples: Sequence[Sample]) -> list[list[Sample]]:
    """The questions of which every form was answered, each with its forms."""
    answered = set(map(id, usable(samples)))
    return [g for g in by_cluster(samples).values() if len(g) > 1 and answered.issuperset(map(id, g))]


def is_same(group: Sequence[Sample]) -> bool:
    """Whether all forms of a question got the same option; an answer without a clear one breaks it."""
    choices = {s.metrics.get("choice") for s in group}
    return len(choices) == 1 and None not in choices
