"""Measurements and assessments: the numbers made of the samples."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, delete, exists, func, insert, select

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
            "n_items": assessment.n_asked,
            "basis": json.dumps([assessment.map_sha256, assessment.served_model, assessment.fingerprint]),
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
        """The latest assessment of a model, by its name or id, that speaks for it; of one suite when it is named.

        One for which nothing could be asked, as after an outage, does not displace an earlier one, nor does a small
        one a fuller one of the same suite, map and weights.
        """
        wanted = self._of_endpoint(endpoint)
        if suite is not None:
            wanted = wanted.where(ASSESSMENTS.c.suite == suite)
        with self._reading() as connection:
            found = connection.execute(wanted.with_only_columns(*EXTENT)).all()
        return self.assessment(speaking([Extent(*row) for row in found])) if found else None

    def assessments(self, endpoint: str | None = None, limit: int = 50) -> list[Assessment]:
        """Assessments, latest first; of one model when its name or id is given."""
        return self._assessments(self._of_endpoint(endpoint).limit(limit))

    def _of_endpoint(self, endpoint: str | None) -> Select[tuple[Any]]:
        wanted = select(ASSESSMENTS.c.body).order_by(ASSESSMENTS.c.created_at.desc(), ASSESSMENTS.c.id)
        if endpoint is None:
            return wanted
        # A name that is free again may be given to another model: its assessments begin with its registration.
        of_model = (ENDPOINTS.c.name_key == ASSESSMENTS.c.endpoint_key) & (
            ENDPOINTS.c.created_at <= ASSESSMENTS.c.created_at
        )
        still = ENDPOINTS.c.removed_at.is_(None) | (ENDPOINTS.c.removed_at >= ASSESSMENTS.c.created_at)
        by_id = exists().where(ENDPOINTS.c.id == endpoint, of_model, still)
        replaced = exists().where(ENDPOINTS.c.name_key == fold(endpoint), ENDPOINTS.c.removed_at.is_(None), ~of_model)
        return wanted.where(((ASSESSMENTS.c.endpoint_key == fold(endpoint)) & ~replaced) | by_id)

    def _assessments(self, wanted: Select[tuple[Any]]) -> list[Assessment]:
        with self._reading() as connection:
            return [unpack(Assessment, body) for body in connection.scalars(wanted)]


#: Columns of an ``Extent``.
EXTENT = (
    ASSESSMENTS.c.id,
    ASSESSMENTS.c.suite,
    func.coalesce(ASSESSMENTS.c.basis, ""),
    func.coalesce(ASSESSMENTS.c.n_items, 0),
)


class Extent(NamedTuple):
    """How much was asked for an assessment, and of what."""

    id: str
    suite: str
    basis: str
    items: int


def speaking(of_model: Sequence[Extent]) -> str:
    """Id of the assessment that speaks for a model; of its assessments, latest first.

    The latest decides the suite, the map and the weights. Among those of the same it is the latest that asked at least
    half as many items as the fullest: a try of a few questions hides nothing. Asked counts, not what gave a number: an
    endpoint that answers nothing of use must not hide behind better days.
    """
    latest = next((one for one in of_model if one.items), of_model[0])
    alike = [one for one in of_model if (one.suite, one.basis) == (latest.suite, latest.basis)]
    fullest = max(one.items for one in alike)
    return next(one.id for one in alike if 2 * one.items >= fullest)


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
