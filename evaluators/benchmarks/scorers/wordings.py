"""Does a question get the same and the right answer in whatever words it is asked."""

from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers import forms, letters
from evaluators.benchmarks.scorers.items import Scorer, Sheet, usable

PLAIN = "plain"


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of questions that got the right option in every wording, and of those that got the same one in all."""
    items = usable(samples)
    groups = forms.complete(samples)
    sheet = Sheet(benchmark, samples)
    _add_groups(sheet, "consistent_and_right", groups, [_is_right(group) for group in groups])
    _add_groups(sheet, "consistency", groups, [forms.is_same(group) for group in groups])
    _add_groups(sheet, "flip_rate", groups, [not forms.is_same(group) for group in groups], higher_is_better=False)
    sheet.share("accuracy_clean", [s for s in items if s.doc["form"] == PLAIN], "correct")
    sheet.share("accuracy_perturbed", [s for s in items if s.doc["form"] != PLAIN], "correct")
    letters.add_top_letter(sheet, items)
    return sheet.done()


def _is_right(group: Sequence[Sample]) -> bool:
    return all(s.metrics.get("correct") == 1 for s in group)


def _add_groups(
    sheet: Sheet,
    metric: str,
    groups: Sequence[Sequence[Sample]],
    hits: Sequence[bool],
    *,
    higher_is_better: bool = True,
) -> None:
    values = [float(hit) for hit in hits]
    sheet.add(
        metric,
        statistics.mean(values),
        interval=statistics.wilson(sum(values), len(values)) if values else None,
        n_scored=sum(len(group) for group in groups),
        n_units=len(groups),
        reason="No question had all of its wordings answered.",
        higher_is_better=higher_is_better,
    )


WORDINGS = Scorer(version="1", score_text=letters.score_text, measure=measure)
