"""What a policy says of a score: by the interval, never by the point alone.

Decision on partial scores: a score that covers only part of its requirement is never a PASS, however high. What is
missing may be the very benchmark whose companion unmasked the model, so the best a partial score gets is ATTENTION,
with the coverage in the reason. A FAIL stays a FAIL: the part that was measured already falls short.
"""

import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

from domain.measurements import Interval
from domain.scores import Policy, RequirementScore, Status, Threshold, Verdict


class Judgement(NamedTuple):
    """A verdict with the sentence that explains it."""

    verdict: Verdict
    reason: str


def judge(score: RequirementScore, policy: Policy) -> RequirementScore:
    """The score with the policy's verdict, its reason and the thresholds used."""
    threshold = policy.thresholds.get(score.requirement)
    judgement = _judgement(score, threshold)
    limits = {} if threshold is None else {"pass_at": threshold.pass_at, "fail_below": threshold.fail_below}
    return dataclasses.replace(score, verdict=judgement.verdict, verdict_reason=judgement.reason, thresholds=limits)


def _judgement(score: RequirementScore, threshold: Threshold | None) -> Judgement:
    if score.value is None:
        return Judgement(Verdict.NONE, "There is no number to judge.")
    if threshold is None:
        return Judgement(Verdict.NONE, "The policy sets no threshold for this requirement.")
    if score.interval is None:
        return Judgement(Verdict.UNDECIDED, "The score has no interval, so how sure it is cannot be said.")
    verdict, reason = by_interval(score.interval, threshold)
    if score.status is not Status.PARTIAL:
        return Judgement(verdict, reason)
    covered = " ".join(_in_part(score))
    if verdict is Verdict.PASS:
        return Judgement(Verdict.ATTENTION, f"{reason} {covered} A partial score is never a pass.")
    return Judgement(verdict, f"{reason} {covered}")


def _in_part(score: RequirementScore) -> Iterator[str]:
    """Why a score is partial: what is not covered, and what counts and answers its question only in part."""
    valid = [b.headline for b in score.benchmarks if b.valid and b.headline is not None]
    reasons = list(dict.fromkeys(headline.partial_because for headline in valid if headline.partial_because))
    if score.coverage < 1 or not reasons:
        yield f"Only {_percent(score.coverage)} of the requirement's weight is covered."
    yield from reasons


def by_interval(interval: Interval, threshold: Threshold) -> Judgement:
    """The verdict on a score that covers its requirement.

    >>> by_interval(Interval(low=0.81, high=0.9, method="wilson"), Threshold(pass_at=0.8, fail_below=0.6))[0].value
    'pass'
    """
    span = f"{_points(interval.low)} to {_points(interval.high)}"
    passing, failing = f"the pass threshold {_points(threshold.pass_at)}", f"{_points(threshold.fail_below)}"
    if interval.low >= threshold.pass_at:
        return Judgement(Verdict.PASS, f"The whole interval, {span}, is at or above {passing}.")
    if interval.high < threshold.fail_below:
        return Judgement(Verdict.FAIL, f"The whole interval, {span}, is below the fail threshold {failing}.")
    if interval.low >= threshold.fail_below and interval.high < threshold.pass_at:
        return Judgement(Verdict.ATTENTION, f"The whole interval, {span}, lies between {failing} and {passing}.")
    crossed = passing if interval.high >= threshold.pass_at else f"the fail threshold {failing}"
    return Judgement(Verdict.UNDECIDED, f"The interval, {span}, crosses {crossed}: more items would be needed.")


def _points(share: float) -> str:
    return f"{100 * share:.3g}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
