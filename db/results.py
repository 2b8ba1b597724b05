"""Measurements and assessments: the numbers made of the samples."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, delete, insert, select

from db.codec import unpack
from db.columns import fold
from db.connection import Connected
from db.runs import of_benchmark
from db.tables import ASSESSMENTS, ENDPOINTS, MEASUREMENTS, SCORES
from domain.errors import NotFound
from domain.hashing import sha256_of
from domain.measurements import Measurement
from domain.scores import Assessment, RequirementScore


class Results(Connected):
    """The Store's part on measurements and assessments."""

    def save_measurements(self, run_id: str, benchmark: str, measurements: Sequence[Measurement]) -> None:
        """Keep the numbers of one benchmark, headline first; they replace earlier ones."""
        rows = [
            {
                "run_id": run_id,
                "benchmark": benchmark,
                "position": position,
                "metric": measurement.metric,
                "value": measurement.value,
                "n_scored": measurement.n_scored,
                "body": measurement,
            }
            for position, measurement in enumerate(measurements)
        ]
        with self._writing() as connection:
            connection.execute(delete(MEASUREMENTS).where(*of_benchmark(MEASUREMENTS.c, run_id, benchmark)))
            if rows:
                connection.execute(insert(MEASUREMENTS), rows)

    def measurements(self, run_id: str) -> dict[str, tuple[Measurement, ...]]:
        """Numbers of a run: benchmark → its measurements, headline first."""
        table = MEASUREMENTS.c
        wanted = select(table.benchmark, table.body).where(table.run_id == run_id)
        found: dict[str, tuple[Measurement, ...]] = {}
        with self._reading() as connection:
            for benchmark, body in connection.execute(wanted.order_by(table.benchmark, table.position)):
                found[benchmark] = (*found.get(benchmark, ()), unpack(Measurement, body))
        return found

    def save_assessment(self, assessment: Assessment) -> None:
        """Keep an assessment; the same id replaces it."""
        row = {
            "id": assessment.id,
            "endpoint_key": fold(assessment.endpoint_name),
            "suite": assessment.suite,
            "created_at": assessment.created_at,
            "sha256": sha256_of(assessment),
            "body": assessment,
        }
        scores = [_score_row(assessment.id, score) for score in assessment.scores]
        with self._writing() as connection:
            connection.execute(self._upsert(ASSESSMENTS), row)
            connection.execute(delete(SCORES).where(SCORES.c.assessment_id == assessment.id))
            if scores:
                connection.execute(insert(SCORES), scores)

    def assessment(self, assessment_id: str) -> Assessment:
        """One assessment by its id."""
        found = self._assessments(select(ASSESSMENTS.c.body).where(ASSESSMENTS.c.id == assessment_id))
        if not found:
            raise NotFound(f"No assessment has the id {assessment_id!r}.")
        return found[0]

    def latest_assessment(self, endpoint: str, suite: str | None = None) -> Assessment | None:
        """The latest assessment of a model, by its name or id; of one suite when it is named."""
        wanted = self._of_endpoint(endpoint)
        if suite is not None:
            wanted = wanted.where(ASSESSMENTS.c.suite == suite)
        return next(iter(self._assessments(wanted.limit(1))), None)

    def assessments(self, endpoint: str | None = None, limit: int = 50) -> list[Assessment]:
        """Assessments, latest first; of one model when its name or id is given."""
        return self._assessments(self._of_endpoint(endpoint).limit(limit))

    def _of_endpoint(self, endpoint: str | None) -> Select[tuple[Any]]:
        wanted = select(ASSESSMENTS.c.body).order_by(ASSESSMENTS.c.created_at.desc(), ASSESSMENTS.c.id)
        if endpoint is None:
            return wanted
        by_id = select(ENDPOINTS.c.name_key).where(ENDPOINTS.c.id == endpoint)
        return wanted.where((ASSESSMENTS.c.endpoint_key == fold(endpoint)) | ASSESSMENTS.c.endpoint_key.in_(by_id))

    def _assessments(self, wanted: Select[tuple[Any]]) -> list[Assessment]:
        with self._reading() as connection:
            return [unpack(Assessment, body) for body in connection.scalars(wanted)]


def _score_row(assessment_id: str, score: RequirementScore) -> dict[str, Any]:
    return {
        "assessment_id": assessment_id,
        "requirement": score.requirement,
        "status": score.status,
        "value": score.value,
        "low": score.interval.low if score.interval else None,
        "high": score.interval.high if score.interval else None,
        "verdict": score.verdict,
    }
