"""The sentences on what an assessment does not show."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.scores import RequirementScore, Status
from requirements_map.catalogue import Catalogue

#: Below this many items a 95 % interval of a proportion is up to ±10 points wide.
SMALL_N = 100
_UNTOLD = (
    "The server does not tell which weights it serves, so they could not be recorded, and other weights under the same "
    "name would not be noticed."
)


class Shortened(NamedTuple):
    """A benchmark of which only a seeded part was asked."""

    benchmark: str
    limit: int
    seed: int


def subset_note(shortened: Sequence[Shortened], asked: int) -> str | None:
    """One sentence when only a seeded part of some benchmarks was asked; None when all of each was."""
    if not shortened:
        return None
    fewest, most = min(s.limit for s in shortened), max(s.limit for s in shortened)
    limits = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    seeds = listed(sorted({str(s.seed) for s in shortened}, key=int))
    which = "Only a part of each benchmark was asked"
    if len(shortened) < asked:
        which = f"Only a part of {len(shortened)} of the {asked} benchmarks was asked"
    return f"{which}: at most {limits} items each, drawn from all their groups by the seed {seeds}."


def sentences(
    catalogue: Catalogue,
    suite: str,
    scores: Sequence[RequirementScore],
    *,
    subset: str | None,
    fingerprint: str | None,
) -> tuple[str, ...]:
    """All limitations of an assessment, the weightiest for its reader first."""
    with_number = [s for s in scores if s.value is not None]
    found: list[str | None] = [
        *_coverage(scores),
        *catalogue.suite(suite).limitations,
        subset,
        _small(with_number),
        *_tags(catalogue, with_number),
        *_in_part(with_number),
        _languages(catalogue.suite(suite).languages),
        *catalogue.limitations,
        None if fingerprint else _UNTOLD,
        catalogue.disclaimer,
    ]
    return tuple(sentence for sentence in found if sentence)


def _coverage(scores: Sequence[RequirementScore]) -> Iterable[str]:
    measurable = [s for s in scores if s.requirement.is_measurable]
    without = [s.requirement.value for s in measurable if s.value is None]
    partial = [s.requirement.value for s in measurable if s.status is Status.PARTIAL]
    undeclared = [
        s.requirement.value for s in scores if not s.requirement.is_measurable and s.status is not Status.DECLARED
    ]
    if without:
        yield (
            f"{len(without)} of the {len(measurable)} measurable requirements have no number ({listed(without)}); "
            "nothing can be said of them, neither good nor bad."
        )
    if partial:
        yield f"{listed(partial)} {'is' if len(partial) == 1 else 'are'} covered only in part."
    if undeclared:
        yield f"{listed(undeclared)} cannot be measured by any benchmark and no document was supplied for them."


def _small(with_number: Sequence[RequirementScore]) -> str | None:
    small = [s.requirement.value for s in with_number if s.n < SMALL_N]
    if not small:
        return None
    verb = "rests" if len(small) == 1 else "rest"
    return f"{listed(small)} {verb} on fewer than {SMALL_N} independent items; read the interval, not the number."


def _tags(catalogue: Catalogue, with_number: Sequence[RequirementScore]) -> Iterable[str]:
    for tag, meaning in catalogue.tags.items():
        tagged = [s.requirement.value for s in with_number if any(tag in b.tags for b in s.benchmarks if b.valid)]
        if tagged:
            yield f"{listed(tagged)} ({tag}): {meaning}"


def _in_part(with_number: Sequence[RequirementScore]) -> Iterable[str]:
    """Why numbers answer their question only in part, the same reason once."""
    reasons: dict[str, list[str]] = {}
    for score in with_number:
        for benchmark in score.benchmarks:
            if benchmark.valid and benchmark.headline is not None and benchmark.headline.partial_because:
                ids = reasons.setdefault(benchmark.headline.partial_because, [])
                ids += [] if score.requirement.value in ids else [score.requirement.value]
    for reason, ids in reasons.items():
        yield f"{listed(ids)}: {reason}"


def _languages(languages: Sequence[str]) -> str:
    return f"All questions are in {listed(languages)}; nothing is shown of the model in other languages."


def listed(words: Sequence[str], *, last: str = "and") -> str:
    """Words as a sentence lists them.

    >>> listed(["R01", "R02", "R03"])
    'R01, R02 and R03'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
