"""The machine-readable card: the same numbers and words as the PDF, with nothing shortened."""

import json
from pathlib import Path
from typing import Any

from domain import words
from domain.energy import EnergyReading, label, total
from domain.hashing import plain, sha256_of
from domain.measurements import Interval
from domain.scores import Assessment, BenchmarkScore, RequirementScore
from reports import files
from reports.facts import ReportFacts, RequirementFacts, described

#: Raised when a field changes its meaning or goes away.
SCHEMA = 1


def bundle(assessment: Assessment, facts: ReportFacts) -> dict[str, Any]:
    """The assessment as JSON values. A missing number is null beside its reason, never 0."""
    known = described(assessment, facts)
    return {
        "schema": SCHEMA,
        "kind": "vera.assessment",
        "signed": False,
        "id": assessment.id,
        "created_at": plain(assessment.created_at),
        "headline": facts.headline,
        "disclaimer": facts.disclaimer,
        "identity": _identity(assessment, facts),
        "policy": {
            "name": assessment.policy_name,
            "version": assessment.policy_version,
            "is_example": assessment.policy_is_example,
            "sha256": assessment.policy_sha256,
        },
        "map": {"id": assessment.map_id, "version": assessment.map_version, "sha256": assessment.map_sha256},
        "principles": [
            {"id": p.id, "name": p.name, "note": p.note, "requirements": [r.id.value for r in p.requirements]}
            for p in facts.principles
        ],
        "requirements": [
            _requirement(assessment.score(requirement.id), known[requirement.id])
            for principle in facts.principles
            for requirement in principle.requirements
        ],
        "energy": _energy(assessment),
        "subset_note": assessment.subset_note,
        "limitations": list(assessment.limitations),
        "mapping_note": facts.mapping_note,
        "legal": list(facts.legal),
        "evidence": {"benchmarks": dict(assessment.evidence), "sha256": evidence_sha256(assessment)},
    }


def evidence_sha256(assessment: Assessment) -> str:
    """One hash over the hashes of all samples the assessment rests on."""
    return sha256_of(assessment.evidence)


def text(card: dict[str, Any]) -> str:
    """The card as indented JSON; equal cards give equal texts."""
    return json.dumps(card, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(path: Path, assessment: Assessment, facts: ReportFacts) -> Path:
    """Write the card beside its report, whole or not at all."""
    return files.write_atomically(path, text(bundle(assessment, facts)).encode())


def _identity(assessment: Assessment, facts: ReportFacts) -> dict[str, Any]:
    return {
        "endpoint_name": assessment.endpoint_name,
        "base_url": assessment.base_url,
        "model": assessment.model,
        "served_model": assessment.served_model,
        "fingerprint": assessment.fingerprint,
        "suite": assessment.suite,
        "suite_title": facts.suite_title,
        "run_ids": list(assessment.run_ids),
        "tool_versions": plain(assessment.tool_versions),
    }


def _requirement(score: RequirementScore, of: RequirementFacts) -> dict[str, Any]:
    return {
        "id": score.requirement.value,
        "name": of.name,
        "description": of.description,
        "articles": [plain(article) for article in of.articles],
        "status": score.status.value,
        "verdict": score.verdict.value,
        "word": words.score_look(score).word,
        "verdict_reason": score.verdict_reason,
        "score": score.value,
        "score_text": words.score_text(score.value, score.interval),
        "interval": _interval(score.interval),
        "interval_text": words.interval_text(score.interval) if score.value is not None else None,
        "reason": score.reason,
        "thresholds": dict(score.thresholds),
        "n": score.n,
        "coverage": score.coverage,
        "benchmarks": [_benchmark(b) for b in score.benchmarks],
    }


def _benchmark(benchmark: BenchmarkScore) -> dict[str, Any]:
    """Its value stands under ``withheld`` where it does not count, so that nobody takes it for a score."""
    counts = benchmark.valid and benchmark.value is not None
    return {
        "benchmark": benchmark.benchmark,
        "title": benchmark.name,
        "subject": benchmark.subject,
        "weight": benchmark.weight,
        "valid": benchmark.valid,
        "score": benchmark.value if counts else None,
        "withheld": None if counts else benchmark.value,
        "interval": _interval(benchmark.interval),
        "invalid_because": list(benchmark.invalid_because),
        "normaliser": benchmark.normaliser,
        "headline": plain(benchmark.headline),
        "companions": [plain(companion) for companion in benchmark.companions],
        "notes": list(benchmark.notes),
        "tags": list(benchmark.tags),
        "run_id": benchmark.run_id,
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else dict(plain(interval))


def _energy(assessment: Assessment) -> dict[str, Any]:
    together = total(list(assessment.energy.values()))
    return {
        "total": _reading(together),
        "benchmarks": {key: _reading(reading) for key, reading in assessment.energy.items()},
    }


def _reading(reading: EnergyReading | None) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {**plain(reading), "coverage": reading.coverage, "co2_g": reading.co2_g, "label": label(reading)}
