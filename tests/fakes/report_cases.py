"""Assessments as a report meets them: full, empty-handed, with hostile names."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from domain.energy import EnergyLevel, EnergyReading, EnergyScope
from domain.measurements import Interval, Measurement, Rates
from domain.scores import Assessment, BenchmarkScore, RequirementId, RequirementScore, Status
from reports.facts import ArticleReference, PrincipleFacts, ReportFacts, RequirementFacts
from requirements_map import assessment as assessing
from requirements_map import catalogue, legal, limitations, policies, verdicts

ROOT = Path(__file__).parents[2]
CREATED = datetime(2026, 11, 12, 14, 2, 33, tzinfo=UTC)
VALUES = {
    "R01": (0.78, 0.72, 0.83),
    "R02": (0.41, 0.33, 0.49),
    "R06": (0.618, 0.611, 0.625),
    "R08": (1.0, 0.96, 1.0),
    "R10": (0.83, 0.70, 0.92),
    "R11": (0.0, 0.0, 0.07),
    "R12": (0.72, 0.64, 0.79),
}
RATES = Rates(error=0.003, empty=0.0, truncated=0.02, refused=0.11, parse_ok=0.97)


def facts_of(assessment: Assessment) -> ReportFacts:
    """The facts a report of this assessment needs, from the catalogue that comes with VERA."""
    loaded = catalogue.load()
    return ReportFacts(
        headline=assessing.headline(assessment),
        suite_title=loaded.suite(assessment.suite).title,
        principles=tuple(
            PrincipleFacts(
                id=p.id,
                name=p.name,
                note=p.note,
                requirements=tuple(
                    RequirementFacts(
                        id=r.id,
                        name=r.name,
                        description=r.description,
                        articles=tuple(
                            ArticleReference(ref=a.ref, basis=a.basis.value, note=a.note) for a in r.act_refs
                        ),
                    )
                    for r in p.requirements
                ),
            )
            for p in loaded.principles
        ),
        disclaimer=loaded.disclaimer,
        mapping_note=loaded.mapping_note,
        legal=tuple(row.sentence(assessment.created_at.date()) for row in legal.load()),
    )


def full(**changes: object) -> Assessment:
    """Seven requirements with a number, one of them in part and one of them exactly 0; each other kind of gap once."""
    return _assessment(tuple(_full_score(r) for r in RequirementId), **changes)


def empty_handed(**changes: object) -> Assessment:
    """Nothing could be scored, and no energy was read."""
    scores = tuple(
        RequirementScore(
            requirement=r,
            status=Status.INSUFFICIENT,
            value=None,
            reason="Only 3 of 40 answers could be read (7 % of at least 90 % needed); the rest was empty text.",
            benchmarks=(_benchmark(r, None),),
        )
        if r.is_measurable
        else _gap(r)
        for r in RequirementId
    )
    return _assessment(scores, **({"energy": {}, "served_model": None, "fingerprint": None} | changes))


def reading(**changes: object) -> EnergyReading:
    """A reading of the asking machine alone."""
    made = EnergyReading(
        level=EnergyLevel.CLIENT_ONLY,
        scope=EnergyScope.CLIENT,
        energy_kwh=0.00041,
        method="cpu: cpu_load (TDP 45 W)",
        tool="codecarbon",
        tool_version="3.3.2",
        host="worker-1",
        seconds_run=61.0,
        seconds_covered=60.4,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def _assessment(scores: tuple[RequirementScore, ...], **changes: object) -> Assessment:
    loaded, policy = catalogue.load(), policies.load()
    judged = tuple(verdicts.judge(score, policy) for score in scores)
    keys = [b.benchmark for s in judged for b in s.benchmarks]
    subset = (
        "Only a part of each benchmark was asked: at most 40 items each, drawn from all their groups by the seed 7."
    )
    made = Assessment(
        id="run-1-0a1b2c3d",
        endpoint_name="smollm2",
        base_url="http://127.0.0.1:18080/v1",
        model="smollm2-135m-instruct",
        served_model="smollm2-135m-instruct",
        fingerprint="b0-unknown",
        suite="starter",
        subset_note=subset,
        run_ids=("run-1",),
        created_at=CREATED,
        scores=judged,
        energy={key: reading() for key in keys},
        policy_name=policy.name,
        policy_version=policy.version,
        policy_is_example=policy.is_example,
        policy_sha256=policy.sha256,
        map_id=loaded.map_id,
        map_version=loaded.version,
        map_sha256=loaded.sha256,
        limitations=limitations.sentences(loaded, "starter", judged, subset=subset, fingerprint="b0-unknown"),
        evidence={key: f"{i:02x}" * 32 for i, key in enumerate(keys, 17)},
        tool_versions={"vera": "0.1.0", "python": "3.11.2", "lm-eval": "0.4.13", "codecarbon": "3.3.2"},
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def _full_score(requirement: RequirementId) -> RequirementScore:
    if requirement not in VALUES:
        return _gap(requirement)
    value, low, high = VALUES[requirement]
    interval = Interval(low=low, high=high, method="wilson")
    partial = requirement is RequirementId.R06
    benchmarks = [_benchmark(requirement, value, interval)]
    if partial:
        benchmarks.append(_benchmark(requirement, None))
    return RequirementScore(
        requirement=requirement,
        status=Status.PARTIAL if partial else Status.MEASURED,
        value=value,
        interval=interval,
        coverage=0.5 if partial else 1.0,
        n=1200 if partial else 120,
        benchmarks=tuple(benchmarks),
    )


def _benchmark(requirement: RequirementId, value: float | None, interval: Interval | None = None) -> BenchmarkScore:
    headline = Measurement(
        benchmark=f"starter_{requirement.lower()}",
        metric="accuracy",
        value=0.5 if value is None else value,
        interval=interval,
        n=120,
        n_scored=119,
        rates=RATES,
    )
    return BenchmarkScore(
        benchmark=f"starter_{requirement.lower()}{'_b' if value is None else ''}",
        title=f"Benchmark of {requirement}",
        weight=1.0,
        value=headline.value,
        interval=interval,
        valid=value is not None,
        invalid_because=() if value is not None else ("Too few answers could be read.",),
        headline=headline,
        normaliser="identity",
        run_id="run-1",
    )


_GAPS: Mapping[str, tuple[Status, str]] = {
    "R03": (
        Status.NEEDS_EVIDENCE,
        "It cannot be observed through an endpoint; a sample or a datasheet of the training corpus is needed.",
    ),
    "R04": (Status.NOT_RUN, "The starter suite has no benchmark for it."),
    "R05": (Status.FAILED, "The benchmark failed: the server closed the connection 40 times in a row."),
    "R07": (
        Status.NOT_MEASURABLE_HERE,
        "Calibration of answer probabilities needs top logprobs, which the probe of this endpoint did not find.",
    ),
    "R09": (
        Status.NEEDS_EVIDENCE,
        "No watermark detector was supplied, so traceability was not assessed.",
    ),
    "N03": (Status.DECLARED, "Declared by Example Provider on 2026-10-01, document sustainability.pdf."),
}


def _gap(requirement: RequirementId) -> RequirementScore:
    needed = catalogue.load().requirement(requirement).evidence_sentence or "It was not asked."
    status, reason = _GAPS.get(requirement, (Status.NEEDS_EVIDENCE, needed))
    return RequirementScore(requirement=requirement, status=status, value=None, reason=reason)
