"""A part of a benchmark: seeded, from all strata, clusters whole."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaluators.benchmarks import subset

DOCS = [{"stratum": f"s{i % 3}", "cluster": f"c{i // 2}"} for i in range(60)]


def test_without_a_limit_all_items_are_asked() -> None:
    assert subset.choose(DOCS, limit=None, seed=1) == list(range(60))
    assert subset.choose(DOCS, limit=60, seed=1) == list(range(60))


def test_a_part_is_never_just_the_first_items() -> None:
    assert subset.choose([{} for _ in range(100)], limit=10, seed=1) != list(range(10))


def test_every_stratum_keeps_its_share() -> None:
    docs = [{"stratum": "a" if i < 80 else "b"} for i in range(100)]

    chosen = subset.choose(docs, limit=20, seed=7)

    assert Counter(docs[i]["stratum"] for i in chosen) == {"a": 16, "b": 4}


@given(limit=st.integers(1, 60), seed=st.integers(0, 99))
def test_items_that_belong_together_stay_together(limit: int, seed: int) -> None:
    chosen = subset.choose(DOCS, limit=limit, seed=seed)

    assert chosen == sorted(set(chosen))
    assert 0 < len(chosen) <= limit
    if limit > 1:
        assert set(Counter(DOCS[i]["cluster"] for i in chosen).values()) == {2}


@given(limit=st.integers(2, 50), seed=st.integers(0, 99))
def test_a_larger_part_contains_the_smaller_one(limit: int, seed: int) -> None:
    smaller = subset.choose(DOCS, limit=limit, seed=seed)

    assert set(smaller) <= set(subset.choose(DOCS, limit=limit + 10, seed=seed))


def test_the_same_seed_draws_the_same_items() -> None:
    assert subset.choose(DOCS, limit=20, seed=3) == subset.choose(DOCS, limit=20, seed=3)
    assert subset.choose(DOCS, limit=20, seed=3) != subset.choose(DOCS, limit=20, seed=4)


def test_a_stratum_of_half_the_weight_gives_a_part_half_of_its_share_and_the_whole_all_of_it() -> None:
    docs = [{"stratum": "ab"[i % 2], "draw_weight": (1.0, 0.5)[i % 2]} for i in range(88)]

    chosen = subset.choose(docs, limit=60, seed=7)

    assert Counter(docs[i]["stratum"] for i in chosen) == {"a": 40, "b": 20}
    assert len(subset.choose(docs, limit=None, seed=7)) == 88
    assert set(chosen) <= set(subset.choose(docs, limit=80, seed=7))
