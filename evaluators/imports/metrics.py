"""Which reported metrics can be stood for: those that the items give again, and a few known ones with their n."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from domain.benchmarks import Sample
from evaluators import statistics
from evaluators.benchmarks import public
from evaluators.benchmarks.samples import LOGLIKELIHOOD, WEIGHT

_MOST = sys.float_info.max
#: Relative difference that rounding explains between a reported mean and the one made of the items.
_ROUNDING = 1e-6


class Known(NamedTuple):
    """What is known of a metric by its name."""

    higher_is_better: bool
    domain: tuple[float, float]
    #: Whether each item gives 0 or 1 and the metric is their mean.
    is_share: bool = False


_SHARE = Known(higher_is_better=True, domain=(0.0, 1.0), is_share=True)
_MEAN = Known(higher_is_better=True, domain=(0.0, 1.0))
_PERPLEXITY = Known(higher_is_better=False, domain=(0.0, _MOST))
#: Metrics whose name means the same in every task.
KNOWN: Mapping[str, Known] = {
    **dict.fromkeys(("acc", "acc_norm", "acc_bytes", "exact_match", "em", "accuracy"), _SHARE),
    **dict.fromkeys(("mc1", "mc2"), _MEAN),
    **dict.fromkeys(("perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte"), _PERPLEXITY),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """One metric of one task as the file gives it."""

    #: ``acc``; with the filter behind a comma where a task has several.
    name: str
    value: float | None
    stderr: float | None = None
    #: Items behind it; None where the file does not say.
    n: int | None = None
    #: None where the file does not say.
    higher_is_better: bool | None = None

    @property
    def base(self) -> str:
        """The name without its filter."""
        return self.name.partition(",")[0]


class Sorting(NamedTuple):
    """Samples with the metrics that can be stood for, and what is kept of the others."""

    samples: tuple[Sample, ...]
    provenance: Mapping[str, Any]


def sorted_out(reported: Sequence[Reported], samples: Sequence[Sample]) -> Sorting:
    """A metric is measured from the items where they give its reported value again; without items, where it is known.

    Everything else is kept under ``not_measured`` with its value and the reason.
    """
    directions: dict[str, bool] = {}
    from_items, from_file, left = set(), {}, {}
    for metric in reported:
        known = KNOWN.get(metric.base)
        direction = metric.higher_is_better
        if direction is None and known is not None:
            direction = known.higher_is_better
        n = len(samples) or metric.n or items_behind(metric)
        why = _against(metric, samples, n=n, direction=direction)
        if why is not None or direction is None:
            left[metric.name] = {"value": metric.value, "stderr": metric.stderr, "why": why}
            continue
        directions[metric.base] = direction
        if samples:
            from_items.add(metric.name)
        else:
            from_file[metric.name] = {"value": metric.value, "stderr": metric.stderr, "n": n}
    seen = dict.fromkeys(public.bare(name) for sample in samples for name in sample.metrics)
    unreported = [name for name in seen if name not in from_items and name not in left]
    left |= {name: {"value": None, "stderr": None, "why": "only its items are in the files"} for name in unreported}
    return Sorting(
        tuple(
            replace(s, metrics={k: v for k, v in s.metrics.items() if public.bare(k) in from_items}) for s in samples
        ),
        {"higher_is_better": directions, "reported": from_file, "not_measured": left},
    )


def _against(metric: Reported, samples: Sequence[Sample], *, n: int | None, direction: bool | None) -> str | None:
    """Why a metric is kept and not measured, in a few words; None where it is measured."""
    if metric.value is None:
        return "its value is no number"
    if direction is None:
        return "whether more of it is better is not known"
    known = KNOWN.get(metric.base)
    if known is not None and not known.domain[0] <= metric.value <= known.domain[1]:
        return f"{metric.value:g} is no value it can take"
    if samples:
        return _against_items(metric.name, metric.value, samples)
    if known is None:
        return "what it means is not known and no items are there to make it from"
    return None if n is not None else "the file does not say how many items are behind it"


def _against_items(name: str, reported: float, samples: Sequence[Sample]) -> str | None:
    found = _of_items(name, samples)
    if found is None:
        return "its items have no numbers"
    if abs(found - reported) > _ROUNDING * max(1.0, abs(reported)):
        return f"its items give {found:g}, so it is no mean of them"
    return None


def _of_items(name: str, samples: Sequence[Sample]) -> float | None:
    """The metric made of the items, by the same formula that measures it later; None where no item has it."""
    weighted = any(name + WEIGHT in sample.metrics for sample in samples)
    scored = [s for s in samples if s.metrics.get(name + WEIGHT if weighted else name) is not None]
    values = [s.metrics.get(name + LOGLIKELIHOOD if weighted else name) or 0.0 for s in scored]
    if not values:
        return None
    weights = [s.metrics.get(name + WEIGHT) or 0.0 for s in scored]
    made = public.per_weight(name, values, weights) if weighted else statistics.ratio(values)
    return statistics.point(made, len(values))


def items_behind(metric: Reported) -> int | None:
    """Items behind a share, from its standard error; None where that does not give a whole number of both.

    lm-eval's standard error of a mean of zeros and ones is √(p(1-p)/(n-1)), so n = 1 + p(1-p)/se². It is believed only
    where n and the number of ones p·n both come out whole.

    >>> items_behind(Reported(name="acc", value=2 / 3, stderr=0.210818510677892))
    6
    >>> items_behind(Reported(name="acc", value=0.6, stderr=0.21))
    """
    known = KNOWN.get(metric.base)
    if known is None or not known.is_share or metric.value is None or (metric.stderr or 0.0) < 1e-6:
        return None
    share, error = metric.value, metric.stderr or 0.0
    if not 0.0 < share < 1.0:
        return None
    n = 1 + share * (1 - share) / error**2
    is_whole = all(abs(count - round(count)) < 1e-3 for count in (n, share * round(n)))
    return round(n) if is_whole and n > 1 else None
