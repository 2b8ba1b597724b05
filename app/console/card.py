"""The one object that `--json` prints."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from domain.energy import EnergyReading, label, total
from domain.hashing import plain
from domain.measurements import Measurement
from domain.runs import BenchmarkRun, Run
from domain.scores import Assessment, RequirementScore
from jobs.imports import not_measured
from requirements_map import catalogue

FORMAT = "vera.run/1"


Measured = Mapping[str, Sequence[Measurement]]


def text(run: Run, assessment: Assessment | None, measured: Measured, *, model: str) -> str:
    """The object as text. What is missing is null beside its reason."""
    return json.dumps(card(run, assessment, measured, model=model), indent=2, ensure_ascii=False, allow_nan=False)


def card(run: Run, assessment: Assessment | None, measured: Measured, *, model: str) -> dict[str, Any]:
    """A run with its measurements, and the requirements where it was assessed."""
    return {
        "format": FORMAT,
        "model": model,
        "run": plain_run(run),
        "assessment": _assessment(assessment),
        "requirements": [_requirement(score) for score in assessment.scores] if assessment else [],
        "not_measured": [
            {"benchmark": key, "metric": metric, "value": value, "reason": why}
            for key, metric, value, why in not_measured(run)
        ],
        "measurements": {key: [plain(m) for m in found] for key, found in measured.items()},
        "energy": _energy(total([b.energy for b in run.benchmarks if b.energy is not None])),
    }


def plain_run(run: Run) -> dict[str, Any]:
    """A run as JSON values."""
    return {
        "id": run.id,
        "state": run.state.value,
        "reason": run.reason,
        "suite": run.spec.suite,
        "imported": run.is_imported,
        "options": plain(run.spec.options),
        "identity": run.spec.identity,
        "created_by": run.created_by,
        "created_at": plain(run.created_at),
        "started_at": plain(run.started_at),
        "finished_at": plain(run.finished_at),
        "done": run.done,
        "total": run.total,
        "errors": run.errors,
        "benchmarks": [_benchmark(part) for part in run.benchmarks],
    }


def _benchmark(part: BenchmarkRun) -> dict[str, Any]:
    return {
        "benchmark": part.benchmark,
        "state": part.state.value,
        "reason": part.reason,
        "method": part.method,
        "done": part.done,
        "total": part.total,
        "reused": part.reused,
        "errors": dict(part.errors),
        "prompt_tokens": part.prompt_tokens,
        "completion_tokens": part.completion_tokens,
        "samples_sha256": part.raw_sha256,
        "energy": _energy(part.energy),
    }


def _assessment(assessment: Assessment | None) -> dict[str, Any] | None:
    if assessment is None:
        return None
    return {
        "id": assessment.id,
        "created_at": plain(assessment.created_at),
        "suite": assessment.suite,
        "subset_note": assessment.subset_note,
        "run_ids": list(assessment.run_ids),
        "policy": {
            "name": assessment.policy_name,
            "version": assessment.policy_version,
            "is_example": assessment.policy_is_example,
            "sha256": assessment.policy_sha256,
        },
        "map": {"id": assessment.map_id, "version": assessment.map_version, "sha256": assessment.map_sha256},
        "limitations": list(assessment.limitations),
    }


def _requirement(score: RequirementScore) -> dict[str, Any]:
    return {
        "id": score.requirement.value,
        "name": catalogue.load().requirement(score.requirement).name,
        "status": score.status.value,
        "score": score.value,
        "reason": score.reason,
        "interval": plain(score.interval),
        "n": score.n,
        "coverage": score.coverage,
        "companions": [_companion(m) for b in score.benchmarks for m in b.companions],
        "verdict": score.verdict.value,
        "verdict_reason": score.verdict_reason,
        "thresholds": dict(score.thresholds),
        "benchmarks": [
            {
                "benchmark": b.benchmark,
                "title": b.name,
                "subject": b.subject,
                "score": b.value if b.valid else None,
                "valid": b.valid,
                "invalid_because": list(b.invalid_because),
                "weight": b.weight,
                "run_id": b.run_id,
            }
            for b in score.benchmarks
        ],
    }


def _companion(measurement: Measurement) -> dict[str, Any]:
    return {
        "benchmark": measurement.benchmark,
        "metric": measurement.metric,
        "value": measurement.value,
        "reason": measurement.reason,
        "interval": plain(measurement.interval),
        "n": measurement.n_scored,
    }


def _energy(reading: EnergyReading | None) -> dict[str, Any] | None:
    if reading is None:
        return None
    return {**plain(reading), "coverage": reading.coverage, "co2_g": reading.co2_g, "label": label(reading)}
