"""Yes-or-no decisions about different people of two groups, of which no two are a pair."""

from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks.scorers import fairness
from evaluators.benchmarks.scorers.items import Scorer


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Parity ((1-DPD) + (1-EOD))/2 (COMPL-AI over DecodingTrust's Adult questions), accuracy and majority beside it."""
    found = fairness.measure(benchmark, samples)
    return tuple(m for m in found if m.metric != "counterfactual_flip_rate")


INCOMES = Scorer(version="1", score_text=fairness.score_text, measure=measure)
