"""Several answers to one question: each sampled, with a seed and a place in the store of its own."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from domain.hashing import sha256_of

#: Nucleus sampling as Chen et al. 2021 (arXiv:2107.03374, §3) sampled programs; of the temperatures they tried, this
#: one solved most problems where many programs are drawn. One answer alone is asked for without chance.
SAMPLING: Mapping[str, Any] = MappingProxyType({"do_sample": True, "temperature": 0.8, "top_p": 0.95})
_LARGEST_SEED = 2**31


def seed_of(seed: int, number: int) -> int:
    """The seed of an answer to a question, counted from 0; servers that honour it give each its own chance.

    The first keeps the run's seed. The others are spread, so that runs with neighbouring seeds share no draw.

    >>> seed_of(7, 0), seed_of(7, 1) != seed_of(8, 0)
    (7, True)
    """
    return seed if number == 0 else int(sha256_of([seed, number])[:8], 16) % _LARGEST_SEED


def repeated(docs: Sequence[dict[str, Any]], times: int) -> list[dict[str, Any]]:
    """Each question so many times in a row, each time an object of its own; once, the questions themselves.

    >>> repeated([{"id": "a"}, {"id": "b"}], 2)
    [{'id': 'a'}, {'id': 'a'}, {'id': 'b'}, {'id': 'b'}]
    """
    return list(docs) if times == 1 else [dict(doc) for doc in docs for _ in range(times)]


def let_sample(task: Any, times: int) -> None:
    """Several answers differ only where the task's generation is left to chance."""
    if times > 1:
        task.set_config("generation_kwargs", {**(task.config.generation_kwargs or {}), **SAMPLING})
