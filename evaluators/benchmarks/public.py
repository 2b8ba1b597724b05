"""Measurements of tasks whose per-item metrics are lm-eval's own: the mean of each, recomputed from stored samples."""

import math
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from domain.benchmarks import Benchmark, RawResult, Sample
from domain.measurements import Interval, Measurement, Rates
from evaluators import statistics
from evaluators.benchmarks.samples import LOGLIKELIHOOD, WEIGHT

_MOST = sys.float_info.max
#: Scores of generated text that lm-eval gives in percent.
_PERCENT = frozenset({"bleu", "chrf", "ter", "rouge1_max", "rouge2_max", "rougeL_max", "bleu_max"})
_NO_ITEM = "No item could be scored; the errors beside it say why."


def measure(benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
    """Each per-item metric as a mean over the scored items with its interval; perplexities over their weights."""
    directions: Mapping[str, bool] = raw.provenance.get("higher_is_better") or {}
    rates = rates_of(raw.samples)
    return tuple(
        _measurement(benchmark.key, name, raw.samples, rates, directions) for name in _names(raw.samples, directions)
    )


def rates_of(samples: Sequence[Sample]) -> Rates:
    """How the answers came out, as shares of the items asked; refused and parsed as shares of those looked at."""
    n = len(samples)
    if not n:
        return Rates(error=0.0, empty=0.0, truncated=0.0)
    refused = [s.refused for s in samples if s.refused is not None]
    parsed = [s.parse_ok for s in samples if s.parse_ok is not None]
    return Rates(
        error=sum(s.error for s in samples) / n,
        empty=sum(s.empty for s in samples) / n,
        truncated=sum(s.truncated for s in samples) / n,
        refused=sum(refused) / len(refused) if refused else None,
        parse_ok=sum(parsed) / len(parsed) if parsed else None,
    )


def _names(samples: Sequence[Sample], directions: Mapping[str, bool]) -> list[str]:
    """Metrics in the order the task lists them; where no item has any, those the task promises."""
    seen = dict.fromkeys(bare(name) for sample in samples for name in sample.metrics)
    promised = [name for name in directions if name in seen or not seen]
    return list(dict.fromkeys([*promised, *seen]))


def bare(name: str) -> str:
    """A perplexity's name without what says which of its two numbers it is; any other name as it is."""
    return name.removesuffix(LOGLIKELIHOOD).removesuffix(WEIGHT)


def _measurement(
    key: str, name: str, samples: Sequence[Sample], rates: Rates, directions: Mapping[str, bool]
) -> Measurement:
    weighted = any(name + WEIGHT in sample.metrics for sample in samples)
    scored = [s for s in samples if s.metrics.get(name + WEIGHT if weighted else name) is not None]
    values = [float(s.metrics[name + LOGLIKELIHOOD if weighted else name] or 0.0) for s in scored]
    clusters = [s.cluster for s in scored]
    domain = _domain(name, values, weighted=weighted)
    value, interval = None, None
    if values and weighted:
        weights = [float(s.metrics[name + WEIGHT] or 0.0) for s in scored]
        value, interval = _resampled(per_weight(name, values, weights), clusters, domain)
    elif values and set(values) <= {0.0, 1.0}:
        value, interval = statistics.mean(values), statistics.proportion(values, clusters)
    elif values:
        value, interval = _resampled(statistics.ratio(values), clusters, domain)
    return Measurement(
        benchmark=key,
        metric=name,
        value=value,
        reason=None if value is not None else _NO_ITEM,
        interval=interval,
        n=len(samples),
        n_scored=len(scored),
        higher_is_better=directions.get(name.split(",", 1)[0], True),
        domain=domain,
        rates=rates,
        by_group={} if weighted else _by_stratum(scored, values),
    )


def per_weight(name: str, loglikelihoods: Sequence[float], weights: Sequence[float]) -> statistics.Statistic:
    """exp(-Σl/Σw), the perplexity per word or byte, or -Σl/(Σw·ln 2), the bits per byte (Shannon 1948)."""
    ratio = statistics.ratio(loglikelihoods, weights)
    if name.startswith("bits_per_byte"):
        return lambda resamples: -ratio(resamples) / math.log(2)
    return lambda resamples: np.exp(-ratio(resamples))


def _resampled(
    statistic: statistics.Statistic, clusters: Sequence[str], domain: tuple[float, float]
) -> tuple[float | None, Interval | None]:
    value = statistics.point(statistic, len(clusters))
    intervals = statistics.clustered_bootstrap(clusters, {"value": statistic}, domains={"value": domain})
    return value, intervals["value"]


def _domain(name: str, values: Sequence[float], *, weighted: bool) -> tuple[float, float]:
    if weighted:
        return (0.0, _MOST)
    if name.split(",", 1)[0] in _PERCENT:
        return (0.0, 100.0)
    if all(0.0 <= value <= 1.0 for value in values):
        return (0.0, 1.0)
    return (0.0 if all(value >= 0 for value in values) else -_MOST, _MOST)


def _by_stratum(scored: Sequence[Sample], values: Sequence[float]) -> dict[str, float | None]:
    groups: dict[str, list[float]] = {}
    for sample, value in zip(scored, values, strict=True):
        groups.setdefault(sample.stratum, []).append(value)
    return {} if set(groups) <= {""} else {name: statistics.mean(groups[name]) for name in sorted(groups)}
