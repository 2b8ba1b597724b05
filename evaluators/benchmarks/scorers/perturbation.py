"""Does a question get the same answer when only its form changes: option order, typing errors, capitals."""

from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers import forms, letters
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable

CLEAN = "clean"


def score_text(doc: Doc, text: str) -> Scored:
    """``correct``, and ``choice`` as the number of the chosen option in the clean form, whatever its place here."""
    choice = letters.parse(text, doc["options"])
    metrics = {"correct": float(choice is not None and letters.letter(choice) == doc["target"])}
    if choice is not None:
        metrics["choice"] = float(doc["option_ids"][choice])
    return Scored(metrics, parse_ok=choice is not None)


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of groups whose forms all got the same option; a form without a clear option breaks its group."""
    items = usable(samples)
    groups = forms.complete(samples)
    same = [float(forms.is_same(group)) for group in groups]
    sheet = Sheet(benchmark, samples)
    sheet.add(
        "consistency",
        statistics.mean(same),
        interval=statistics.wilson(sum(same), len(same)) if same else None,
        n_scored=sum(len(group) for group in groups),
        n_units=len(groups),
        reason="No question had all of its forms answered.",
        by_group=_by_form(groups),
    )
    sheet.share("accuracy_clean", [s for s in items if s.doc["form"] == CLEAN], "correct")
    sheet.share("accuracy_perturbed", [s for s in items if s.doc["form"] != CLEAN], "correct")
    return sheet.done()


def _by_form(groups: Sequence[Sequence[Sample]]) -> dict[str, float | None]:
    """For each kind of change, the share of questions that kept the option of their clean form."""
    kept: dict[str, list[float]] = {}
    for group in groups:
        clean = next((s.metrics.get("choice") for s in group if s.doc["form"] == CLEAN), None)
        for sample in group:
            if sample.doc["form"] != CLEAN:
                same = clean is not None and sample.metrics.get("choice") == clean
                kept.setdefault(str(sample.doc["form"]), []).append(float(same))
    return {form: statistics.mean(kept[form]) for form in sorted(kept)}


PERTURBATION = Scorer(version="2", score_text=score_text, measure=measure)
