"""The order in which requests are sent: those that begin alike one after the other and not at once.

A server reads a beginning it has just read from its cache. Requests about one text that are sent together reach it
before any of them was read, and each slot reads the whole text.
"""

from collections.abc import Sequence

#: What two requests must share beyond what all of them share, as a part of the rest.
_ALIKE = 0.25


def order(bodies: Sequence[bytes], *, lanes: int) -> list[int]:
    """Positions of the requests in the order of sending; neighbours that begin alike are ``lanes`` apart.

    Runs of neighbours that begin alike are dealt out to as many lanes as requests are under way at once, each to the
    shortest; the lanes take turns. Requests that share nothing keep their order.

    >>> order([b"cats: 1", b"cats: 2", b"dogs: 1", b"dogs: 2"], lanes=2)
    [0, 2, 1, 3]
    >>> order([b"one", b"two", b"three"], lanes=2)
    [0, 1, 2]
    """
    groups = _groups(bodies)
    if lanes < 2 or len(groups) == len(bodies):
        return list(range(len(bodies)))
    dealt: list[list[int]] = [[] for _ in range(lanes)]
    for group in groups:
        min(dealt, key=len).extend(group)
    turns = range(max(map(len, dealt)))
    return [lane[turn] for turn in turns for lane in dealt if turn < len(lane)]


def _groups(bodies: Sequence[bytes]) -> list[list[int]]:
    common = _shared(min(bodies, default=b""), max(bodies, default=b""))
    groups: list[list[int]] = []
    for position, body in enumerate(bodies):
        first = bodies[groups[-1][0]] if groups else b""
        if groups and _shared(first, body) - common > _ALIKE * (len(body) - common):
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


def _shared(one: bytes, other: bytes) -> int:
    """Length of the beginning two have in common; by halving, because a body may hold a picture."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
