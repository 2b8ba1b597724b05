"""How far the judge of a result agrees with people, as a measurement beside the judged numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Interval, Measurement
from evaluators.benchmarks.scorers.items import rates

METRIC = "judge_agreement"


def measured(benchmark: Benchmark, samples: Sequence[Sample], provenance: Mapping[str, Any]) -> Measurement:
    """The lower of its agreements with the references (balanced accuracy), by the low ends of their intervals."""
    found: Mapping[str, Any] = (provenance.get("judge") or {}).get("agreement") or {}
    lowest = min(found.values(), key=lambda agreement: agreement["low"], default=None)
    return Measurement(
        benchmark=benchmark.key,
        metric=METRIC,
        value=None if lowest is None else lowest["value"],
        reason="How far the judge agrees with people is not known." if lowest is None else None,
        interval=None
        if lowest is None
        else Interval(low=lowest["low"], high=lowest["high"], method="bootstrap_clustered"),
        n=len(samples),
        n_scored=0 if lowest is None else lowest["n"],
        rates=rates(samples),
        by_group={reference: agreement["value"] for reference, agreement in sorted(found.items())},
    )
