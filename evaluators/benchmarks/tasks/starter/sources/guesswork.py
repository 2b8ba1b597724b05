"""Sums and products with four options: easy ones, and ones that nobody can do at a glance and must be unsure about."""

import random
from typing import Any


def _options(rng: random.Random, right: int, steps: tuple[int, ...]) -> list[int]:
    """Three wrong results near the right one, some below and some above it."""
    wrong: set[int] = set()
    while len(wrong) < 3:
        wrong.add(right + rng.choice((-1, 1)) * rng.choice(steps))
    return sorted(wrong)


def items(per_kind: int = 40, seed: int = 31) -> list[dict[str, Any]]:
    """Medium: sums of two-digit numbers. Hard: products of three-digit numbers whose options end in the same digit."""
    rng = random.Random(seed)  # noqa: S311 - items, not secrets
    rows: list[dict[str, Any]] = []
    for _ in range(per_kind):
        a, b = rng.randint(23, 97), rng.randint(23, 97)
        rows.append(_row("medium", f"What is {a} + {b}?", a + b, _options(rng, a + b, (1, 2, 10, 11))))
    for _ in range(per_kind):
        a, b = rng.randint(213, 987), rng.randint(213, 987)
        rows.append(_row("hard", f"What is {a} x {b}?", a * b, _options(rng, a * b, (100, 200, 300, 400, 1000, 2000))))
    return rows


def _row(stratum: str, text: str, right: int, wrong: list[int]) -> dict[str, Any]:
    return {"stratum": stratum, "question": text, "right": str(right), "wrong": [str(w) for w in wrong]}
