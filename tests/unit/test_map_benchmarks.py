"""The map and the starter suite speak of the same benchmarks."""

import pytest

from requirements_map import catalogue

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
