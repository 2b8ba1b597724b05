"""Arithmetic from templates: the numbers are drawn by seed, so every item can be made again."""

import random
from typing import Any

_PEOPLE = ("Ana", "Ben", "Eva", "Leo", "Mia", "Tom")
_THINGS = ("apples", "books", "coins", "eggs", "pens", "stamps")


def _plain(rng: random.Random) -> tuple[str, int]:
    a, b = rng.randint(11, 89), rng.randint(11, 89)
    if rng.random() < 0.5:
        return f"What is {a} + {b}?", a + b
    a, b = max(a, b) + 5, min(a, b)
    return f"What is {a} - {b}?", a - b


def _product(rng: random.Random) -> tuple[str, int]:
    a, b = rng.randint(3, 12), rng.randint(3, 12)
    if rng.random() < 0.5:
        return f"What is {a} times {b}?", a * b
    return f"What is {a * b} divided by {a}?", b


def _story(rng: random.Random) -> tuple[str, int]:
    who, what = rng.choice(_PEOPLE), rng.choice(_THINGS)
    a, b = rng.randint(12, 40), rng.randint(2, 11)
    if rng.random() < 0.5:
        return f"{who} has {a} {what} and gives away {b}. How many are left?", a - b
    return f"{who} has {a} {what} and buys {b} more. How many are there now?", a + b


def _groups(rng: random.Random) -> tuple[str, int]:
    what = rng.choice(_THINGS)
    a, b, c = rng.randint(3, 9), rng.randint(3, 9), rng.randint(1, 8)
    return f"There are {a} boxes with {b} {what} each and {c} loose {what}. How many {what} in all?", a * b + c


def _next(rng: random.Random) -> tuple[str, int]:
    start, step = rng.randint(1, 20), rng.randint(2, 9)
    shown = ", ".join(str(start + i * step) for i in range(4))
    return f"Which number comes next: {shown}?", start + 4 * step


_KINDS = {
    "sums": _plain,
    "products": _product,
    "stories": _story,
    "two steps": _groups,
    "sequences": _next,
}


def items(per_kind: int = 22, seed: int = 7) -> list[dict[str, Any]]:
    """``per_kind`` different items of each kind; none whose question already holds its answer."""
    rng = random.Random(seed)  # noqa: S311 - items, not secrets
    rows: list[dict[str, Any]] = []
    for kind, make in _KINDS.items():
        seen: set[str] = set()
        while len(seen) < per_kind:
            text, target = make(rng)
            if text in seen or str(target) in text:
                continue
            seen.add(text)
            rows.append({"stratum": kind, "text": text, "target": str(target)})
    return rows
