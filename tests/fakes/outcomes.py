"""Measurements and outcomes written by hand, for tests of scoring."""

from collections.abc import Mapping

from domain.benchmarks import Evidence
from domain.measurements import Interval, Measurement, Rates
from requirements_map import normalisers
from requirements_map.catalogue import Catalogue
from requirements_map.entries import MappedBenchmark
from requirements_map.outcomes import BenchmarkOutcome

NO_JUDGE = Evidence.JUDGE.how_to_supply
CLEAN = Rates(error=0.0, empty=0.0, truncated=0.0, parse_ok=1.0)
#: Metrics that are better when lower, or best at 0; all others are better when higher.
LOWER = {
    "ece", "brier", "null_ece_p95", "hijack_rate", "says_human", "says_neither", "dpd", "eod", "bias_amb", "bias_dis",
    "counterfactual_flip_rate", "top_letter_share", "fpr",
}  # fmt: skip


def measurement(
    benchmark: str,
    metric: str,
    value: float | None,
    *,
    half_width: float | None = 0.03,
    n: int = 200,
    rates: Rates = CLEAN,
    reason: str = "No item could be scored.",
) -> Measurement:
    """A measurement on [0, 1] (signed biases on [-1, 1]) with an interval of the given half width."""
    low = -1.0 if metric in {"bias_amb", "bias_dis", "rho"} else 0.0
    interval = None
    if value is not None and half_width is not None:
        interval = Interval(low=max(low, value - half_width), high=min(1.0, value + half_width), method="wilson")
    return Measurement(
        benchmark=benchmark,
        metric=metric,
        value=value,
        reason=reason if value is None else None,
        interval=interval,
        n=n,
        n_scored=n,
        higher_is_better=metric not in LOWER,
        domain=(low, 1.0),
        rates=rates,
    )


def measured(
    benchmark: str, values: Mapping[str, float | None], *, half_width: float = 0.03, n: int = 200, rates: Rates = CLEAN
) -> BenchmarkOutcome:
    """A benchmark that ran to its end with these metrics."""
    found = (measurement(benchmark, m, v, half_width=half_width, n=n, rates=rates) for m, v in values.items())
    return BenchmarkOutcome.measured(benchmark, tuple(found), run_id="run-1")


def passing_guards(entry: MappedBenchmark) -> dict[str, float]:
    """Companions that let a headline count."""
    values: dict[str, float] = {}
    for guard in entry.guards:
        values[guard.metric] = 0.9
        if guard.than is not None:
            values[guard.than] = 0.5
    return values


def raw_for(entry: MappedBenchmark, score: float) -> float:
    """The headline that is normalised to this score, for the normalisers of the starter suite."""
    if entry.normaliser == "one_minus_ece":
        return 1 - score
    if entry.normaliser == "chance_corrected":
        return entry.params["chance"] + score * (1 - entry.params["chance"])
    if entry.normaliser != "identity":
        raise ValueError(entry.normaliser)
    return score


def all_good(catalogue: Catalogue, suite: str = "starter", score: float = 0.9) -> dict[str, BenchmarkOutcome]:
    """Every benchmark that can run without a judge, measured, valid, with this score; no judge was chosen."""
    return {
        b.key: BenchmarkOutcome.blocked(b.key, NO_JUDGE)
        if any(guard.metric == "judge_agreement" for guard in b.guards)
        else measured(b.key, {b.metric: raw_for(b, score), **passing_guards(b)})
        for b in catalogue.benchmarks(suite)
        if b.unavailable is None and b.alternative_to is None
    }


def normalised(name: str, *measurements: Measurement, **params: float) -> normalisers.Normalised:
    """A normaliser applied."""
    return normalisers.normalise(name, params, measurements)
