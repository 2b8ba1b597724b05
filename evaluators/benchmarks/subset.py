"""A seeded part of a benchmark's items, from all strata and never splitting a cluster."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any


def choose(docs: Sequence[Mapping[str, Any]], *, limit: int | None, seed: int) -> list[int]:
    """Positions of at most ``limit`` items, ascending; every stratum keeps its share, clusters stay whole.

    Each stratum's clusters are shuffled and spread evenly over [0, 1); the items are taken from the lowest rank on, so
    that a larger limit contains a smaller one. A stratum whose items have a ``draw_weight`` of one half gives a part
    only half of its share. Without a limit, all items.

    >>> docs = [{"stratum": "ab"[i % 2]} for i in range(10)]
    >>> sorted(docs[i]["stratum"] for i in choose(docs, limit=4, seed=1))
    ['a', 'a', 'b', 'b']
    """
    if limit is None or limit >= len(docs):
        return list(range(len(docs)))
    chosen: list[int] = []
    for members in _ranked(_clusters(docs), docs, random.Random(seed)):  # noqa: S311 - a reproducible draw
        if len(chosen) + len(members) <= limit:
            chosen += members
    if not chosen:  # every cluster is larger than the limit
        chosen = next(iter(_clusters(docs).values()))[:limit]
    return sorted(chosen)


def _clusters(docs: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    members: dict[str, list[int]] = defaultdict(list)
    for position, doc in enumerate(docs):
        cluster = doc.get("cluster")
        members[f"#{position}" if cluster is None else f"={cluster}"].append(position)
    return members


def _ranked(
    clusters: Mapping[str, list[int]], docs: Sequence[Mapping[str, Any]], rng: random.Random
) -> list[list[int]]:
    strata: dict[str, list[list[int]]] = defaultdict(list)
    for members in clusters.values():
        strata[str(docs[members[0]].get("stratum", ""))].append(members)
    ranked: list[tuple[float, float, list[int]]] = []
    for stratum in sorted(strata):
        groups = strata[stratum]
        rng.shuffle(groups)
        length = len(groups) * float(docs[groups[0][0]].get("draw_weight") or 1.0)
        ranked += [((place + 0.5) / length, rng.random(), members) for place, members in enumerate(groups)]
    return [members for _, _, members in sorted(ranked)]
