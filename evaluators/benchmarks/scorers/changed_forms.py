"""Does a question keep its answer when its options stand in another order, or when it was typed without care."""

from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers import forms, letters, perturbation
from evaluators.benchmarks.scorers.items import Scorer, Sheet, usable
from evaluators.benchmarks.scorers.perturbation import CLEAN


def measure_orders(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of questions of which all orders got the same option; an answer without a clear option breaks its question.

    Beside it the accuracies on the questions as they are and in the other orders, and the share of the letter named
    most often, whatever option it stood for.
    """
    groups = forms.complete(samples)
    sheet = Sheet(benchmark, samples)
    _add_consistency(sheet, groups)
    _add_accuracies(sheet, groups, ("accuracy_clean", "accuracy_perturbed"))
    letters.add_top_letter(sheet, usable(samples), letter_of=_place)
    return sheet.done()


def measure_typing(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Accuracy on the changed questions and on the same questions as they are, and how many answers changed."""
    groups = forms.complete(samples)
    sheet = Sheet(benchmark, samples)
    _add_accuracies(sheet, groups, ("accuracy_perturbed", "accuracy_clean"))
    _add_consistency(sheet, groups)
    letters.add_top_letter(sheet, usable(samples))
    return sheet.done()


def _add_accuracies(sheet: Sheet, groups: Sequence[Sequence[Sample]], metrics: Sequence[str]) -> None:
    """Both of the same questions, so that one can be set against the other."""
    for metric in metrics:
        wants_clean = metric == "accuracy_clean"
        items = [s for group in groups for s in group if (s.doc["form"] == CLEAN) is wants_clean]
        sheet.share_of(
            metric,
            [float(s.metrics.get("correct") or 0.0) for s in items],
            items,
            reason="No question had all of its forms answered.",
            by_group=_by_form(items),
        )


def _by_form(items: Sequence[Sample]) -> dict[str, float | None]:
    right: dict[str, list[float]] = {}
    for sample in items:
        right.setdefault(str(sample.doc["form"]), []).append(float(sample.metrics.get("correct") or 0.0))
    return {form: statistics.mean(right[form]) for form in sorted(right)} if len(right) > 1 else {}


def _add_consistency(sheet: Sheet, groups: Sequence[Sequence[Sample]]) -> None:
    """The share of questions with one and the same option in all forms, and of those without."""
    same = [float(forms.is_same(group)) for group in groups]
    for metric, values in (("consistency", same), ("flip_rate", [1 - value for value in same])):
        sheet.add(
            metric,
            statistics.mean(values),
            interval=statistics.wilson(sum(values), len(values)) if values else None,
            n_scored=sum(map(len, groups)),
            n_units=len(groups),
            reason="No question had all of its forms answered.",
            higher_is_better=metric == "consistency",
        )


def _place(sample: Sample) -> float:
    """The chosen letter's number: what is stored is the option, which has another letter in every order."""
    return float(sample.doc["option_ids"].index(int(sample.metrics["choice"] or 0)))


OPTION_ORDER = Scorer(version="1", score_text=perturbation.score_text, measure=measure_orders)
CARELESS_TYPING = Scorer(version="1", score_text=letters.score_text, measure=measure_typing)
