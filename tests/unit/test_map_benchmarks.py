"""The map and the evaluators speak of the same benchmarks and of the same figures."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes import published_answers, starter_answers

import evaluators
from domain.benchmarks import Benchmark, Method, RawResult, Sample
from evaluators.benchmarks import scorers
from requirements_map import catalogue
from requirements_map.entries import MappedBenchmark

MAP = catalogue.load()
RUNNABLE = {b.key: b for b in MAP.benchmarks("starter") if b.unavailable is None}


def test_every_mapped_benchmark_is_one_the_starter_suite_can_run() -> None:
    starter = pytest.importorskip("evaluators.benchmarks.starter")
    known = {b.key: b for b in starter.STARTER if b.unavailable is None}
    assert set(RUNNABLE) - set(known) == set()
    assert set(known) - set(RUNNABLE) == set()


def test_both_rooms_call_a_benchmark_by_the_same_title() -> None:
    starter = pytest.importorskip("evaluators.benchmarks.starter")
    known = {b.key: b.title for b in starter.STARTER}
    assert {key: entry.title for key, entry in RUNNABLE.items() if key in known} == {
        key: known[key] for key in RUNNABLE if key in known
    }


def test_every_mapped_benchmark_has_items_enough_for_its_number() -> None:
    starter = pytest.importorskip("evaluators.benchmarks.starter")
    for benchmark in starter.STARTER:
        if benchmark.key in RUNNABLE and benchmark.items is not None:
            assert benchmark.items >= RUNNABLE[benchmark.key].min_n, benchmark.key


MAPPED = [
    # Real files have up to sixty thousand questions to be made ready.
    pytest.param(entry, id=f"{name}:{entry.key}", marks=() if name == "starter" else pytest.mark.slow)
    for name, suite in MAP.suites.items()
    for entry in suite.benchmarks
    if entry.unavailable is None
]
#: Items that are enough for every metric to have something to be made of.
_SOME = 400


def _some_samples(benchmark: Benchmark, data: Callable[[], Path]) -> tuple[Sample, ...]:
    """Items of a benchmark from all over its data, each answered with what is expected."""
    if benchmark.source == "starter":
        docs: Sequence[Mapping[str, Any]] = starter_answers.docs(benchmark)
    elif benchmark.source == "published":
        docs = published_answers.loaded(benchmark, data()).docs
    else:
        pytest.skip("its items are fetched by name when it runs")
    some = docs[:: max(1, len(docs) // _SOME)]
    # Probabilities come with the answers to a benchmark that reads them.
    sure = starter_answers.certain if benchmark.scorer == "calibration" else lambda _text: ()
    texts = [str(doc["target"]) for doc in some]
    answered = [
        starter_answers.sample(benchmark, doc, text, logprobs=sure(text)) for doc, text in zip(some, texts, strict=True)
    ]
    return tuple(scorers.score_item(benchmark.scorer, sample) for sample in answered)


@pytest.mark.parametrize("entry", MAPPED)
def test_every_benchmark_of_every_suite_is_found_and_gives_each_figure_the_map_speaks_of(
    entry: MappedBenchmark, request: pytest.FixtureRequest
) -> None:
    evaluator, benchmark = evaluators.find(entry.key)
    assert benchmark.title == entry.title
    assert benchmark.items is None or benchmark.items >= entry.min_n
    now = datetime.now(UTC)
    raw = RawResult(
        benchmark=benchmark.key,
        benchmark_version=benchmark.version,
        evaluator=evaluator.name,
        method=Method.GENERATE,
        samples=_some_samples(benchmark, lambda: request.getfixturevalue("test_data")),
        population=benchmark.items or 0,
        provenance={},
        started_at=now,
        finished_at=now,
    )
    measured = [m.metric for m in evaluators.measure(raw)]
    guards = {name for guard in entry.guards for name in (guard.metric, guard.than) if name is not None}
    assert measured[0] == entry.metric
    assert {entry.metric, *entry.inputs, *entry.companions, *guards} - set(measured) == set()
    assert len(set(measured)) == len(measured)
