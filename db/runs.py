"""Runs and their benchmarks: what is planned, how far it is, how it ended."""

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, func, insert, select, update
from sqlalchemy.sql.dml import ReturningInsert

from db.codec import unpack
from db.connection import Connected
from db.tables import BENCHMARK_RUNS, ENERGY, RUNS
from domain.benchmarks import Tick
from domain.energy import EnergyReading
from domain.errors import NotFound
from domain.runs import BenchmarkRun, Priority, Run, RunSpec, RunState

_UNFINISHED = frozenset(state for state in RunState if not state.is_final)
_PAUSABLE = frozenset({RunState.QUEUED, RunState.RUNNING, RunState.INTERRUPTED, RunState.PAUSING})
_RUN_FIELDS = ("id", "created_by", "created_at", "started_at", "finished_at", "reason")
_BENCHMARK_FIELDS = (
    *("run_id", "benchmark", "done", "total", "reused", "errors", "prompt_tokens", "completion_tokens", "reason"),
    *("method", "raw_sha256", "provenance", "population", "started_at", "finished_at"),
)


#: Made once, because making a statement takes longer than a server takes to carry it out.
_LATEST = (
    select(RUNS.c.id)
    .where(RUNS.c.identity == bindparam("identity"))
    .order_by(RUNS.c.created_at.desc(), RUNS.c.id)
    .limit(1)
)
_ADD_BENCHMARKS = insert(BENCHMARK_RUNS)


class Runs(Connected):
    """The Store's part on runs."""

    @cached_property
    def _add_run(self) -> ReturningInsert[tuple[str]]:
        return self._insert_new(RUNS).returning(RUNS.c.id)

    def create_run(self, run: Run) -> None:
        """Keep a planned run with its benchmarks; creating the same run again changes nothing."""
        with self._writing() as connection:
            row = {name: getattr(run, name) for name in _RUN_FIELDS}
            row |= {"endpoint_id": run.spec.endpoint_id, "suite": run.spec.suite, "identity": run.spec.identity}
            row |= {"spec": run.spec, "state": run.state, "priority": run.priority}
            if connection.scalar(self._add_run, row) is None:
                return
            known = {b.benchmark: b for b in run.benchmarks}
            planned = {key: known.get(key) or _queued(run.id, key) for key in run.spec.benchmarks} | known
            rows = [_benchmark_row(b, position) for position, b in enumerate(planned.values())]
            if rows:
                connection.execute(_ADD_BENCHMARKS, rows)

    def run(self, run_id: str) -> Run:
        """One run by its id or by the beginning of it, as long as only one run's id begins so."""
        begins = RUNS.c.id.startswith(run_id, autoescape=True)
        with self._reading() as connection:
            rows = connection.execute(select(RUNS).where(begins).order_by(RUNS.c.id).limit(3)).mappings().all()
            exact = [row for row in rows if row["id"] == run_id]
            if not run_id or not rows:
                raise NotFound(f"No run has the id {run_id!r}; `vera runs` lists the runs.")
            if len(rows) > 1 and not exact:
                raise NotFound(f"Several runs have an id that begins with {run_id!r}; give more of it.")
            return self._with_benchmarks(connection, exact or rows)[0]

    def runs(
        self, *, limit: int = 50, endpoint_id: str | None = None, states: Collection[RunState] | None = None
    ) -> list[Run]:
        """Runs, latest first; two queries however many there are."""
        wanted = select(RUNS).order_by(RUNS.c.created_at.desc(), RUNS.c.id).limit(limit)
        if endpoint_id is not None:
            wanted = wanted.where(RUNS.c.endpoint_id == endpoint_id)
        if states is not None:
            wanted = wanted.where(RUNS.c.state.in_(states))
        with self._reading() as connection:
            return self._with_benchmarks(connection, connection.execute(wanted).mappings().all())

    def unfinished_run(self, identity: str, *, states: Collection[RunState] = _UNFINISHED) -> Run | None:
        """The latest run of this identity in one of these states (without them: any that is not final)."""
        wanted = select(RUNS).where(RUNS.c.identity == identity, RUNS.c.state.in_(states))
        with self._reading() as connection:
            rows = connection.execute(wanted.order_by(RUNS.c.created_at.desc(), RUNS.c.id).limit(1)).mappings().all()
            return next(iter(self._with_benchmarks(connection, rows)), None)

    def latest_run_id(self, identity: str) -> str | None:
        """Id of the latest run of this identity, whatever became of it."""
        with self._looking() as connection:
            return connection.scalar(_LATEST, {"identity": identity})

    def set_run_state(self, run_id: str, state: RunState, *, reason: str | None = None) -> None:
        """Move a run on; QUEUED forgets an earlier request to cancel or to pause, so that the run can go on."""
        now = datetime.now(UTC)
        values: dict[str, Any] = {"state": state, "reason": reason, "finished_at": now if state.is_final else None}
        if state is RunState.RUNNING:
            values["started_at"] = func.coalesce(RUNS.c.started_at, now)
        if state is RunState.QUEUED:
            values["cancel_requested_at"] = None
        with self._writing() as connection:
            if not connection.execute(update(RUNS).where(RUNS.c.id == run_id).values(values)).rowcount:
                raise NotFound(f"No run has the id {run_id!r}; `vera runs` lists the runs.")

    def start_run(self, run_id: str) -> bool:
        """Mark a run as running unless it was asked to stop; whether it runs."""
        values = {
            "state": RunState.RUNNING,
            "reason": None,
            "finished_at": None,
            "started_at": func.coalesce(RUNS.c.started_at, datetime.now(UTC)),
        }
        wanted = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.cancel_requested_at.is_(None))
        with self._writing() as connection:
            return connection.execute(wanted.values(values)).rowcount > 0

    def request_cancel(self, run_id: str) -> bool:
        """Ask the run's worker to stop; False when the run is over already."""
        return self._request(run_id, RunState.CANCELLING, _UNFINISHED)

    def request_pause(self, run_id: str) -> bool:
        """Ask the run's worker to leave off; False when the run is over, paused, or being cancelled."""
        return self._request(run_id, RunState.PAUSING, _PAUSABLE)

    def _request(self, run_id: str, state: RunState, among: Collection[RunState]) -> bool:
        ask = update(RUNS).where(RUNS.c.id == run_id, RUNS.c.state.in_(among))
        with self._writing() as connection:
            return connection.execute(ask.values(state=state, cancel_requested_at=datetime.now(UTC))).rowcount > 0

    def stop_requested(self, run_id: str) -> RunState | None:
        """CANCELLING or PAUSING for a run that is to stop, else None."""
        wanted = select(RUNS.c.state).where(RUNS.c.id == run_id, RUNS.c.cancel_requested_at.is_not(None))
        with self._looking() as connection:
            state = connection.scalar(wanted)
        if state is None:
            return None
        return RunState.PAUSING if state in {RunState.PAUSING, RunState.PAUSED} else RunState.CANCELLING

    def start_benchmark(self, run_id: str, benchmark: str, method: str | None = None) -> None:
        """A benchmark begins, or goes on after an interruption (its first start is kept)."""
        table = BENCHMARK_RUNS
        self._change(
            run_id,
            benchmark,
            state=RunState.RUNNING,
            started_at=func.coalesce(table.c.started_at, datetime.now(UTC)),
            finished_at=None,
            reason=None,
            **({} if method is None else {"method": method}),
        )

    def tick(self, run_id: str, benchmark: str, tick: Tick) -> None:
        """Note how far a benchmark is."""
        self._change(
            run_id,
            benchmark,
            done=tick.done,
            total=tick.total,
            reused=tick.reused,
            errors=tick.errors,
            prompt_tokens=tick.prompt_tokens,
            completion_tokens=tick.completion_tokens,
        )

    def end_benchmark(self, run_id: str, benchmark: str, state: RunState, reason: str | None) -> None:
        """A benchmark ends without a result: failed, skipped, cancelled or interrupted."""
        finished = datetime.now(UTC) if state.is_final else None
        self._change(run_id, benchmark, state=state, reason=reason, finished_at=finished)

    def _change(self, run_id: str, benchmark: str, **values: Any) -> None:
        with self._writing() as connection:
            change_benchmark(connection, run_id, benchmark, values)

    @staticmethod
    def _with_benchmarks(connection: Connection, rows: Iterable[RowMapping]) -> list[Run]:
        rows = list(rows)
        if not rows:
            return []
        benchmarks: dict[str, list[BenchmarkRun]] = {row["id"]: [] for row in rows}
        joined = BENCHMARK_RUNS.outerjoin(ENERGY)
        wanted = select(BENCHMARK_RUNS, ENERGY.c.body.label("energy")).select_from(joined)
        wanted = wanted.where(BENCHMARK_RUNS.c.run_id.in_(list(benchmarks)))
        wanted = wanted.order_by(BENCHMARK_RUNS.c.run_id, BENCHMARK_RUNS.c.position)
        for row in connection.execute(wanted).mappings():
            benchmarks[row["run_id"]].append(_benchmark_run(row))
        return [_run(row, tuple(benchmarks[row["id"]])) for row in rows]


def change_benchmark(connection: Connection, run_id: str, benchmark: str, values: dict[str, Any]) -> None:
    """Change the row of one benchmark of a run."""
    wanted = of_benchmark(BENCHMARK_RUNS.c, run_id, benchmark)
    if not connection.execute(update(BENCHMARK_RUNS).where(*wanted).values(values)).rowcount:
        raise NotFound(f"The run {run_id!r} has no benchmark {benchmark!r}; `vera show {run_id}` lists its benchmarks.")


def of_benchmark(columns: Any, run_id: str, benchmark: str) -> tuple[ColumnElement[bool], ...]:
    """Conditions for the rows of one benchmark of one run."""
    return (columns.run_id == run_id, columns.benchmark == benchmark)


def _queued(run_id: str, benchmark: str) -> BenchmarkRun:
    return BenchmarkRun(run_id=run_id, benchmark=benchmark, state=RunState.QUEUED)


def _benchmark_row(benchmark: BenchmarkRun, position: int) -> dict[str, Any]:
    row = {name: getattr(benchmark, name) for name in _BENCHMARK_FIELDS}
    return row | {"state": benchmark.state, "position": position}


def _benchmark_run(row: RowMapping) -> BenchmarkRun:
    values = {name: row[name] for name in _BENCHMARK_FIELDS}
    energy = None if row["energy"] is None else unpack(EnergyReading, row["energy"])
    return BenchmarkRun(**values, state=RunState(row["state"]), energy=energy)


def _run(row: RowMapping, benchmarks: tuple[BenchmarkRun, ...]) -> Run:
    values = {name: row[name] for name in _RUN_FIELDS}
    return Run(
        **values,
        spec=unpack(RunSpec, row["spec"]),
        state=RunState(row["state"]),
        priority=Priority(row["priority"] or Priority.NORMAL),
        benchmarks=benchmarks,
    )
