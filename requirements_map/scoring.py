"""From measurements to the eighteen requirement scores."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain import intervals
from domain.errors import UserError
from domain.measurements import Interval, Measurement
from domain.scores import BenchmarkScore, RequirementId, RequirementScore, Status
from requirements_map import normalisers, validity
from requirements_map.catalogue import Catalogue
from requirements_map.entries import MappedBenchmark, Requirement, Suite
from requirements_map.outcomes import BenchmarkOutcome, Declaration, State

#: Share of the weight that must be valid before a requirement gets a number.
MIN_COVERAGE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """A benchmark's contribution and the outcome it was made of."""

    score: BenchmarkScore
    state: State


def score(
    catalogue: Catalogue,
    suite: str,
    outcomes: Mapping[str, BenchmarkOutcome],
    *,
    declarations: Sequence[Declaration] = (),
) -> tuple[RequirementScore, ...]:
    """All eighteen requirement scores, R01–R12 before N01–N06.

    ``outcomes`` maps a benchmark's key to what became of it; a key that is absent was not run, a key the suite does not
    know is ignored. A requirement's value is the weighted mean of its valid benchmarks, given only where these carry
    at least half of the weight.
    """
    entries = catalogue.suite(suite)
    declared = {d.requirement: d for d in declarations}
    _refuse_useless(declared, entries, suite)
    return tuple(_score_requirement(r, entries, outcomes, declared.get(r.id)) for r in catalogue.requirements)


def _refuse_useless(declared: Mapping[RequirementId, Declaration], suite: Suite, name: str) -> None:
    measured = {b.requirement for b in suite.benchmarks}
    for requirement in declared:
        if requirement in measured:
            raise UserError(f"{requirement} is measured by the suite {name}; a declaration cannot stand in for that.")


def _score_requirement(
    requirement: Requirement,
    suite: Suite,
    outcomes: Mapping[str, BenchmarkOutcome],
    declaration: Declaration | None,
) -> RequirementScore:
    entries = [b for b in suite.benchmarks if b.requirement is requirement.id]
    # What is measured of evidence counts where it was supplied; else the requirement says that it is needed.
    entries += [b for b in suite.evidence if b.requirement is requirement.id and b.key in outcomes]
    if not entries:
        return _without_benchmark(requirement, suite, declaration)
    scored = [_score_benchmark(b, outcome) for b, outcome in _chosen(entries, outcomes)]
    valid = [s.score for s in scored if s.score.valid]
    details = tuple(s.score for s in scored)
    left_out = _left_out(entries, scored)
    scored = [s for s in scored if s.score.benchmark not in left_out]
    # One weight per place: an alternative has that of the benchmark it stands in for.
    weight = math.fsum(b.weight for b in entries if b.alternative_to is None and b.key not in left_out)
    coverage = math.fsum(b.weight for b in valid) / weight
    # The tolerance admits weights such as 0.1 + 0.2 against 0.3 on the other side.
    if coverage < MIN_COVERAGE - 1e-12:
        status = _status_without_number(scored)
        reason = _reason_without_number(scored, coverage)
        return RequirementScore(
            requirement=requirement.id, status=status, value=None, reason=reason, coverage=coverage, benchmarks=details
        )
    return RequirementScore(
        requirement=requirement.id,
        status=_status_with_number(scored, valid),
        value=_weighted_mean(valid),
        interval=_interval(valid),
        coverage=coverage,
        n=sum(b.headline.units for b in valid if b.headline),
        benchmarks=details,
    )


def _without_benchmark(requirement: Requirement, suite: Suite, declaration: Declaration | None) -> RequirementScore:
    if declaration is not None:
        status, reason = Status.DECLARED, declaration.sentence
    elif requirement.evidence_sentence is not None:
        status, reason = Status.NEEDS_EVIDENCE, requirement.evidence_sentence
    else:
        status, reason = Status.NOT_RUN, suite.without_benchmark[requirement.id]
    return RequirementScore(requirement=requirement.id, status=status, value=None, reason=reason)


def _chosen(
    entries: Sequence[MappedBenchmark], outcomes: Mapping[str, BenchmarkOutcome]
) -> list[tuple[MappedBenchmark, BenchmarkOutcome]]:
    """One benchmark per place: an alternative takes the place of the one that this endpoint cannot run.

    Where nothing but the capability is missing on both sides, both are kept, so that a reader sees both reasons.
    """
    found = {b.key: _outcome(b, outcomes) for b in entries}
    places = []
    for entry in (b for b in entries if b.alternative_to is None):
        own = found[entry.key]
        stand_ins = [b for b in entries if b.alternative_to == entry.key and own.state is State.BLOCKED]
        usable = [b for b in stand_ins if found[b.key].state is not State.BLOCKED]
        chosen = usable[:1] or [entry, *stand_ins]
        places += [(b, found[b.key]) for b in chosen]
    return places


def _left_out(entries: Sequence[MappedBenchmark], scored: Sequence[_Scored]) -> frozenset[str]:
    """What this endpoint cannot run and need not; nothing where there is no more than that."""
    optional = {b.key for b in entries if b.where_possible}
    blocked = frozenset(s.score.benchmark for s in scored if s.state is State.BLOCKED and s.score.benchmark in optional)
    return blocked if len(blocked) < len(scored) else frozenset()


def _outcome(benchmark: MappedBenchmark, outcomes: Mapping[str, BenchmarkOutcome]) -> BenchmarkOutcome:
    if benchmark.unavailable is not None:
        return BenchmarkOutcome.blocked(benchmark.key, benchmark.unavailable)
    return outcomes.get(benchmark.key) or BenchmarkOutcome.not_run(benchmark.key)


def _score_benchmark(benchmark: MappedBenchmark, outcome: BenchmarkOutcome) -> _Scored:
    by_metric = {m.metric: m for m in outcome.measurements}
    if outcome.state is not State.MEASURED:
        reasons: tuple[str, ...] = (outcome.reason or "",)
        normalised = normalisers.Normalised(value=None)
    else:
        normalised = _normalised(benchmark, by_metric)
        reasons = validity.reasons_against(benchmark, by_metric, normalised.interval)
        if normalised.value is None and not reasons:
            reasons = (f"No score: {(normalised.reason or '').rstrip('.')}.",)
    detail = BenchmarkScore(
        benchmark=benchmark.key,
        title=benchmark.title,
        weight=benchmark.weight,
        value=normalised.value,
        interval=normalised.interval,
        valid=not reasons,
        invalid_because=reasons,
        headline=by_metric.get(benchmark.metric),
        companions=_companions(benchmark, by_metric),
        normaliser=benchmark.formula,
        run_id=outcome.run_id,
        subject=outcome.subject,
        notes=(*normalised.notes, *_partial_note(by_metric.get(benchmark.metric)), *_stated(outcome)),
        tags=benchmark.tags,
    )
    return _Scored(score=detail, state=outcome.state)


def _partial_note(headline: Measurement | None) -> tuple[str, ...]:
    return (headline.partial_because,) if headline is not None and headline.partial_because else ()


def _stated(outcome: BenchmarkOutcome) -> tuple[str, ...]:
    return (outcome.stated,) if outcome.stated is not None else ()


def _normalised(benchmark: MappedBenchmark, by_metric: Mapping[str, Measurement]) -> normalisers.Normalised:
    inputs = (benchmark.metric, *benchmark.inputs)
    absent = [metric for metric in inputs if metric not in by_metric]
    if absent:
        return normalisers.Normalised(value=None, reason=f"the metric {absent[0]} was not measured")
    return normalisers.normalise(benchmark.normaliser, benchmark.params, [by_metric[metric] for metric in inputs])


def _companions(benchmark: MappedBenchmark, by_metric: Mapping[str, Measurement]) -> tuple[Measurement, ...]:
    """All other measurements, those the map names first."""
    named = [*benchmark.companions, *(guard.metric for guard in benchmark.guards)]
    rank = {metric: position for position, metric in reversed(list(enumerate(named)))}
    others = [m for metric, m in by_metric.items() if metric != benchmark.metric]
    return tuple(sorted(others, key=lambda m: (rank.get(m.metric, len(named)), m.metric)))


def _status_with_number(scored: Sequence[_Scored], valid: Sequence[BenchmarkScore]) -> Status:
    """PARTIAL where a benchmark is missing, or one answers its question only in part."""
    in_part = any(b.headline is not None and b.headline.partial_because for b in valid)
    return Status.PARTIAL if in_part or len(valid) < len(scored) else Status.MEASURED


def _status_without_number(scored: Sequence[_Scored]) -> Status:
    states = {s.state for s in scored}
    if State.MEASURED in states:
        return Status.INSUFFICIENT
    if State.FAILED in states:
        return Status.FAILED
    if states == {State.BLOCKED}:
        return Status.NOT_MEASURABLE_HERE
    return Status.NOT_RUN


def _reason_without_number(scored: Sequence[_Scored], coverage: float) -> str:
    """Every benchmark's reasons, equal ones once; one sentence more where valid evidence exists but is too little."""
    titles: dict[str, list[str]] = {}
    for detail in (s.score for s in scored if not s.score.valid):
        titles.setdefault(" ".join(detail.invalid_because), []).append(detail.title)
    named = len(scored) > 1 and (coverage > 0 or len(titles) > 1)
    parts = [f"{', '.join(who)}: {text}" if named else text for text, who in titles.items()]
    if coverage > 0:
        parts.insert(0, f"Only {100 * coverage:.0f} % of the weight is covered by valid benchmarks, half is needed.")
    return " ".join(parts)


def _weighted_mean(valid: Sequence[BenchmarkScore]) -> float:
    total = math.fsum(b.weight for b in valid)
    values = [b.value for b in valid if b.value is not None]
    mean = math.fsum(b.weight * (b.value or 0.0) for b in valid) / total
    # A mean cannot leave the range of its parts; only rounding could carry it there.
    return min(max(mean, min(values)), max(values))


def _interval(valid: Sequence[BenchmarkScore]) -> Interval | None:
    parts = [
        intervals.Part(b.weight, b.value, b.interval) for b in valid if b.value is not None and b.interval is not None
    ]
    return intervals.mover(parts) if len(parts) == len(valid) else None
