"""BBQ (Parrish et al. 2022) over its published questions, many of which are one template with other names filled in."""

from collections.abc import Sequence
from dataclasses import replace

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks.scorers import bias
from evaluators.benchmarks.scorers.items import Scorer


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """As the bias questions of the starter suite, with the template and not the single text as the independent unit.

    A category is some 25 templates filled in some hundred times each; a model that leans in one of them leans in all
    its copies, so an interval that took the copies for independent would be far too narrow.
    """
    return bias.measure(benchmark, [replace(s, cluster=str(s.doc["template"])) for s in samples])


BBQ = Scorer(version="1", score_text=bias.score_text, measure=measure)
