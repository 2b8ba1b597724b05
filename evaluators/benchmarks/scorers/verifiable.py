"""Answers to requests with instructions that a program can check: does an answer follow all of its instructions."""

import json
from collections.abc import Sequence

from domain.benchmarks import Benchmark, Sample
from domain.measurements import Measurement
from evaluators import statistics
from evaluators.benchmarks.scorers.items import Doc, Scored, Scorer, Sheet, usable
from evaluators.benchmarks.scorers.verifiable_checks import follows


def score_text(doc: Doc, text: str) -> Scored:
    """``followed`` where all instructions are; beside it how many there are and how many of them were."""
    given = json.loads(doc["arguments"])
    done = [follows(name, text, one) for name, one in zip(doc["instructions"], given, strict=True)]
    return Scored(
        {
            "followed": float(all(done)),
            "instructions": float(len(done)),
            "instructions_followed": float(sum(done)),
        }
    )


def measure(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """Share of requests of which every instruction was followed, by kind of the first; share of instructions."""
    items = [s for s in usable(samples) if s.metrics.get("instructions")]
    sheet = Sheet(benchmark, samples)
    sheet.share("strict_accuracy", items, "followed", grouped=True)
    followed = [float(s.metrics["instructions_followed"] or 0) for s in items]
    asked = [float(s.metrics["instructions"] or 0) for s in items]
    ratio = statistics.ratio(followed, asked)
    sheet.add(
        "instruction_accuracy",
        statistics.point(ratio, len(items)) if items else None,
        interval=statistics.clustered_bootstrap([s.cluster for s in items], {"share": ratio}).get("share"),
        n_scored=len(items),
    )
    return sheet.done()


VERIFIABLE = Scorer(version="1", score_text=score_text, measure=measure)
