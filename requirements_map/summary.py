"""What a reader is told first: the one sentence, the principles, the lowest, the weakest."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from domain.scores import Assessment, RequirementId, RequirementScore, Status, Verdict
from requirements_map.catalogue import Catalogue
from requirements_map.limitations import listed

_VERDICT_WORDS = {
    Verdict.FAIL: ("fails", "fail"),
    Verdict.UNDECIDED: ("is undecided", "are undecided"),
    Verdict.ATTENTION: ("needs attention", "need attention"),
    Verdict.PASS: ("passes", "pass"),
    Verdict.NONE: ("has no threshold", "have no threshold"),
}
_STATUS_WORDS = {
    Status.INSUFFICIENT: ("has too little valid evidence", "have too little valid evidence"),
    Status.FAILED: ("failed to run", "failed to run"),
    Status.NOT_MEASURABLE_HERE: ("cannot be measured at this endpoint", "cannot be measured at this endpoint"),
    Status.NEEDS_EVIDENCE: ("needs evidence", "need evidence"),
    Status.DECLARED: ("is declared", "are declared"),
    Status.NOT_RUN: ("was not run", "were not run"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrincipleScore:
    """A principle's mean, given only where each of its measurable requirements has a number."""

    id: str
    name: str
    value: float | None
    #: Why there is no mean: ``1 of 3 requirements measured``.
    reason: str | None
    measured: int
    measurable: int
    requirements: tuple[RequirementId, ...]


def headline(assessment: Assessment) -> str:
    """The verdicts in one breath.

    ``Evidence is sufficient for 9 of 12 requirements. By the example policy, 1 fails (R02) and 8 pass (R01, …).
    Without a number: 3 need evidence (R03, …).``
    """
    measurable = [s for s in assessment.scores if s.requirement.is_measurable]
    numbered = [s for s in measurable if s.value is not None]
    partial = sum(s.status is Status.PARTIAL for s in numbered)
    in_part = f", {partial} of them in part" if partial else ""
    parts = [f"Evidence is sufficient for {len(numbered)} of {len(measurable)} requirements{in_part}."]
    verdicts = [_count(words, [s for s in numbered if s.verdict is v]) for v, words in _VERDICT_WORDS.items()]
    if numbered:
        kind = "example policy" if assessment.policy_is_example else f"policy {assessment.policy_name}"
        parts.append(f"By the {kind}, {listed([v for v in verdicts if v])}.")
    missing = [_count(words, [s for s in measurable if s.status is st]) for st, words in _STATUS_WORDS.items()]
    if len(numbered) < len(measurable):
        parts.append(f"Without a number: {listed([m for m in missing if m])}.")
    return " ".join(parts)


def _count(words: tuple[str, str], scores: Sequence[RequirementScore]) -> str:
    if not scores:
        return ""
    return f"{len(scores)} {words[len(scores) > 1]} ({', '.join(s.requirement for s in scores)})"


def principles(catalogue: Catalogue, scores: Iterable[RequirementScore]) -> tuple[PrincipleScore, ...]:
    """All six principles, also the one without a requirement at model level."""
    by_id = {s.requirement: s for s in scores}
    found = []
    for principle in catalogue.principles:
        ids = tuple(r.id for r in principle.requirements)
        values = [by_id[i].value if i in by_id else None for i in ids if i.is_measurable]
        numbers = [v for v in values if v is not None]
        reason = None
        if not values:
            reason = principle.note or "It has no measurable requirement."
        elif len(numbers) < len(values):
            reason = f"{len(numbers)} of {len(values)} requirements measured"
        found.append(
            PrincipleScore(
                id=principle.id,
                name=principle.name,
                value=fmean(numbers) if reason is None else None,
                reason=reason,
                measured=len(numbers),
                measurable=len(values),
                requirements=ids,
            )
        )
    return tuple(found)


def lowest(scores: Iterable[RequirementScore]) -> RequirementScore | None:
    """The requirement with the lowest number; None when none has one."""
    numbered = [s for s in scores if s.value is not None]
    return min(numbered, key=lambda s: (s.value or 0.0, s.requirement), default=None)


def weakest_evidence(scores: Iterable[RequirementScore]) -> RequirementScore | None:
    """Of the requirements with a number, the one it can be trusted least: least coverage, then widest interval.

    A number without an interval counts as the widest.
    """
    numbered = [s for s in scores if s.value is not None]
    return min(numbered, key=lambda s: (round(s.coverage, 9), -_width(s), s.n, s.requirement), default=None)


def _width(score: RequirementScore) -> float:
    return 1.0 if score.interval is None else score.interval.high - score.interval.low
