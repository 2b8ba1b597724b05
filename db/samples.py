"""What a benchmark gathered: its samples, question by question, and the raw result they make up."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select

from db.codec import unpack
from db.columns import fold
from db.connection import Connected
from db.runs import change_benchmark, of_benchmark
from db.tables import BENCHMARK_RUNS, ENERGY, SAMPLES
from domain.benchmarks import Method, RawResult, Sample
from domain.energy import EnergyReading
from domain.errors import NotFound
from domain.runs import RunState

#: What a reader may narrow samples to. ``failed``: scored, and below half of what the item could give.
Only = Literal["failed", "error", "empty", "truncated", "refused", "unparsed"]

_ROWS_AT_ONCE = 500
_ONLY: dict[str, ColumnElement[bool]] = {
    "failed": and_(SAMPLES.c.score < 0.5, SAMPLES.c.error.is_(False)),
    "error": SAMPLES.c.error.is_(True),
    "empty": SAMPLES.c.empty.is_(True),
    "truncated": SAMPLES.c.truncated.is_(True),
    "refused": SAMPLES.c.refused.is_(True),
    "unparsed": SAMPLES.c.parse_ok.is_(False),
}


class Samples(Connected):
    """The Store's part on samples and raw results."""

    def finish_benchmark(self, run_id: str, raw: RawResult, energy: EnergyReading | None) -> None:
        """Keep a result with all its samples in one transaction; it replaces an earlier one of the same benchmark.

        Without a reading (a result that was only scored anew) the reading of the time it was asked stays.
        """
        row = _result_row(raw)
        with self._writing() as connection:
            change_benchmark(connection, run_id, raw.benchmark, row)
            connection.execute(delete(SAMPLES).where(*of_benchmark(SAMPLES.c, run_id, raw.benchmark)))
            for rows in _batches(_sample_rows(run_id, raw)):
                connection.execute(insert(SAMPLES), rows)
            if energy is not None:
                connection.execute(self._upsert(ENERGY), _energy_row(run_id, raw.benchmark, energy))

    def samples(
        self,
        run_id: str,
        benchmark: str,
        *,
        text: str | None = None,
        only: Only | None = None,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[list[Sample], int]:
        """A page of samples in order, and how many there are in all; ``text`` is found in any case and accents."""
        conditions = [*of_benchmark(SAMPLES.c, run_id, benchmark)]
        if text:
            conditions.append(SAMPLES.c.search_text.contains(fold(text), autoescape=True))
        if only:
            conditions.append(_ONLY[only])
        page = select(SAMPLES.c.body).where(*conditions).order_by(SAMPLES.c.position).offset(offset).limit(limit)
        with self._reading() as connection:
            total = connection.scalar(select(func.count()).select_from(SAMPLES).where(*conditions)) or 0
            return [unpack(Sample, body) for body in connection.scalars(page)], total

    def sample(self, run_id: str, benchmark: str, sample_id: str) -> Sample:
        """One sample by its id."""
        wanted = select(SAMPLES.c.body).where(*of_benchmark(SAMPLES.c, run_id, benchmark))
        with self._reading() as connection:
            body = connection.scalar(wanted.where(SAMPLES.c.sample_id == sample_id))
        if body is None:
            raise NotFound(f"The benchmark {benchmark!r} of the run {run_id!r} has no sample {sample_id!r}.")
        return unpack(Sample, body)

    def raw_result(self, run_id: str, benchmark: str) -> RawResult | None:
        """Everything a benchmark gathered, as `measure` wants it; None before it is finished."""
        wanted = select(BENCHMARK_RUNS).where(*of_benchmark(BENCHMARK_RUNS.c, run_id, benchmark))
        with self._reading() as connection:
            row = connection.execute(wanted).one_or_none()
            if row is None or row.raw_sha256 is None:
                return None
            return RawResult(
                benchmark=row.benchmark,
                benchmark_version=row.benchmark_version,
                evaluator=row.evaluator,
                method=Method(row.method),
                samples=tuple(_all_samples(connection, run_id, benchmark)),
                population=row.population,
                provenance=row.provenance,
                started_at=row.asked_from,
                finished_at=row.asked_until,
            )


def _all_samples(connection: Connection, run_id: str, benchmark: str) -> Iterator[Sample]:
    wanted = select(SAMPLES.c.body).where(*of_benchmark(SAMPLES.c, run_id, benchmark)).order_by(SAMPLES.c.position)
    # read piece by piece: the JSON of ten thousand samples need not be in memory beside the samples
    streamed = connection.execution_options(yield_per=_ROWS_AT_ONCE)
    for body in streamed.scalars(wanted):
        yield unpack(Sample, body)


def _result_row(raw: RawResult) -> dict[str, Any]:
    return {
        "state": RunState.DONE,
        "reason": None,
        # When the answers came; scored anew, a benchmark did not take until today.
        "finished_at": raw.finished_at,
        "method": raw.method,
        "raw_sha256": raw.sha256,
        "benchmark_version": raw.benchmark_version,
        "evaluator": raw.evaluator,
        "population": raw.population,
        "provenance": raw.provenance,
        "asked_from": raw.started_at,
        "asked_until": raw.finished_at,
    }


def _sample_rows(run_id: str, raw: RawResult) -> Iterator[dict[str, Any]]:
    for position, sample in enumerate(raw.samples):
        yield {
            "run_id": run_id,
            "benchmark": raw.benchmark,
            "position": position,
            "sample_id": sample.sample_id,
            "score": _score(sample),
            "error": sample.error,
            "empty": sample.empty,
            "truncated": sample.truncated,
            "refused": sample.refused,
            "parse_ok": sample.parse_ok,
            "search_text": _search_text(sample),
            "body": sample,
        }


def _score(sample: Sample) -> float | None:
    first = next(iter(sample.metrics.values()), None)
    return None if first is None else float(first)


def _search_text(sample: Sample) -> str:
    """What a reader sees of a sample, as it is searched; the question once, however often it was asked."""
    seen = dict.fromkeys([sample.sample_id, sample.target or ""])
    if not sample.asked:  # a document that was read and not asked about
        seen[_texts(sample.doc.get("text"))] = None
    for asked in sample.asked:
        seen.update(dict.fromkeys(_texts(message.get("content")) for message in asked.messages))
        seen.update(dict.fromkeys([asked.continuation or "", asked.answer.text, asked.answer.reasoning or ""]))
    return fold("\n".join(part for part in seen if part))


def _texts(content: Any) -> str:
    """Text of a chat message: a string, or parts of which some are text."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(str(part["text"]) for part in content if isinstance(part, dict) and "text" in part)
    return ""


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, _ROWS_AT_ONCE)):
        yield batch


def _energy_row(run_id: str, benchmark: str, energy: EnergyReading) -> dict[str, Any]:
    return {
        "run_id": run_id,
        "benchmark": benchmark,
        "level": energy.level,
        "scope": energy.scope,
        "energy_kwh": energy.energy_kwh,
        "body": energy,
    }
