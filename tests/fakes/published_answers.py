"""Answers to published questions by imaginary models, over the items a task file makes of the real files."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fakes import starter_answers

from domain.benchmarks import Benchmark, RunOptions, Sample
from domain.scores import RequirementScore
from evaluators.benchmarks import loading
from evaluators.benchmarks.loading import LoadedTask
from requirements_map import catalogue, policies, scoring, verdicts
from requirements_map.outcomes import BenchmarkOutcome

CATALOGUE = catalogue.load()
#: benchmark → the suite it belongs to
SUITE_OF = {b.key: suite for suite in ("full", "screening", "screening_es") for b in CATALOGUE.benchmarks(suite)}


@cache
def loaded(benchmark: Benchmark, data: Path) -> LoadedTask:
    """The task of a benchmark with the items of its real files."""
    return loading.load(benchmark, RunOptions(data_files={benchmark.key: str(data / benchmark.data)}))


def required(benchmark: Benchmark, samples: list[Sample]) -> RequirementScore:
    """The requirement's score and verdict where only this benchmark was run, and every other could not be."""
    suite = SUITE_OF[benchmark.key]
    outcomes = {
        other.key: BenchmarkOutcome.blocked(other.key, "not asked here")
        for other in CATALOGUE.benchmarks(suite)
        if other.unavailable is None
    }
    measurements = starter_answers.measured(benchmark, starter_answers.scored(benchmark, samples))
    outcomes[benchmark.key] = BenchmarkOutcome.measured(benchmark.key, measurements)
    scores = scoring.score(CATALOGUE, suite, outcomes)
    score = next(s for s in scores if any(b.benchmark == benchmark.key for b in s.benchmarks))
    return verdicts.judge(score, policies.load())


def answered(benchmark: Benchmark, task: LoadedTask, positions: list[int], name: str) -> Iterator[list[Sample]]:
    """The samples of a degenerate model; twice where its probabilities can be sharp or flat."""
    confidences = (starter_answers.certain, starter_answers.hedging)
    docs = [task.docs[i] for i in positions]
    texts = [_text(benchmark, task, doc, name, number) for number, doc in enumerate(docs)]
    for confidence in confidences if benchmark.scorer == "calibration" else confidences[:1]:
        yield [
            starter_answers.sample(benchmark, doc, text, logprobs=confidence(text))
            for doc, text in zip(docs, texts, strict=True)
        ]


def _text(benchmark: Benchmark, task: LoadedTask, doc: Mapping[str, Any], name: str, number: int) -> str:
    if name == "echo":
        return str(task.task.doc_to_text(doc))
    return starter_answers.DEGENERATE[name](benchmark, doc, number % 1000)
