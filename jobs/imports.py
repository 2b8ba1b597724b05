"""Results of other tools as runs: read as a whole, kept as a whole, marked as imported."""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import evaluators
from domain.endpoints import IMPORTED_FROM, Endpoint
from domain.errors import NotFound, UserError
from domain.measurements import Measurement
from domain.runs import IMPORTED, BenchmarkRun, Run, RunSpec, RunState
from evaluators.imports import folder as folders
from evaluators.imports.records import Imported
from jobs import endpoints
from jobs.context import Context
from requirements_map import catalogue

_NOT_IN_A_NAME = re.compile(r"[^\w .:/@+-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """A run made of another tool's files, or found again."""

    run: Run
    endpoint: Endpoint
    #: Whether the same files were imported before.
    is_known: bool
    #: What of the files was left aside, each in one sentence.
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """What came of a folder."""

    runs: tuple[ImportedRun, ...]
    #: Files that are no results.
    others: tuple[str, ...]


def import_results(context: Context, folder: Path, *, created_by: str, model: str | None = None) -> Import:
    """Keep the results of lm-eval and Inspect below a folder as runs; one bad file and nothing is kept.

    The same files imported again are the same run. ``model`` names the model where the files' own name is not wanted.
    """
    now = datetime.now(UTC)
    name = None if model is None else _checked_name(context, model)
    found, others = folders.imported(folder.expanduser(), now=now)
    # All that could go wrong with a file comes before the first is kept.
    ready = [(one, name or _name(context, one), [evaluators.measure(raw) for raw in one.results]) for one in found]
    kept = tuple(_keep(context, *made, created_by=created_by, now=now) for made in ready)
    return Import(runs=kept, others=tuple(others))


def not_measured(run: Run) -> list[tuple[str, str, float | None, str]]:
    """Metrics that are kept and not measured: benchmark, metric, its value as reported, and why."""
    return [
        (part.benchmark, metric, entry["value"], entry["why"])
        for part in run.benchmarks
        for metric, entry in (part.provenance.get("not_measured") or {}).items()
    ]


def _checked_name(context: Context, name: str) -> str:
    name = endpoints.check_name(name)
    served = _of_name(context, name)
    if served is not None and not served.is_imported:
        raise UserError(
            f"{served.name} is a served model, whose answers are its own; give the imported results another name."
        )
    return name


def _name(context: Context, one: Imported) -> str:
    """The files' own name of the model, marked where a served model is registered by it."""
    told = _NOT_IN_A_NAME.sub(" ", one.origin.model or "").strip(" .:/@+-_")[:60]
    if not told:
        file = one.origin.files[0].name
        raise UserError(f"{file} does not say which model it is about; name it with --model.")
    served = _of_name(context, told)
    return told if served is None or served.is_imported else f"{told} imported"


def _of_name(context: Context, name: str) -> Endpoint | None:
    return next((e for e in context.store.endpoints() if e.name.casefold() == name.casefold()), None)


def _keep(
    context: Context,
    one: Imported,
    name: str,
    measured: Sequence[tuple[Measurement, ...]],
    *,
    created_by: str,
    now: datetime,
) -> ImportedRun:
    run_id = one.origin.identity[:12]
    try:
        known: Run | None = context.store.run(run_id)
    except NotFound:
        known = None
    if known is not None and all(part.state is RunState.DONE for part in known.benchmarks):
        endpoint = context.store.endpoint(known.spec.endpoint_id)
        return ImportedRun(run=known, endpoint=endpoint, is_known=True, notes=one.notes)
    # A run that an interrupted import began is written to its end under the model it began with.
    endpoint = context.store.endpoint(known.spec.endpoint_id) if known else _stand_in(context, one, name, now=now)
    context.store.create_run(_run(one, endpoint, run_id, created_by=created_by, now=now))
    for raw, measurements in zip(one.results, measured, strict=True):
        context.store.save_measurements(run_id, raw.benchmark, measurements)
        context.store.finish_benchmark(run_id, raw, None)
    return ImportedRun(run=context.store.run(run_id), endpoint=endpoint, is_known=False, notes=one.notes)


def _stand_in(context: Context, one: Imported, name: str, *, now: datetime) -> Endpoint:
    """The registered model that imported results belong to; its address names a tool, so that nothing can ask it."""
    if (known := _of_name(context, name)) is not None:
        return known
    endpoint = Endpoint(
        id=uuid.uuid4().hex[:12],
        name=name,
        base_url=IMPORTED_FROM + one.origin.tool,
        model=one.origin.model or name,
        created_at=now,
    )
    context.store.add_endpoint(endpoint)
    return endpoint


def _run(one: Imported, endpoint: Endpoint, run_id: str, *, created_by: str, now: datetime) -> Run:
    keys = tuple(raw.benchmark for raw in one.results)
    tool = " ".join(part for part in (one.origin.tool, one.origin.tool_version) if part)
    return Run(
        id=run_id,
        spec=RunSpec(
            endpoint_id=endpoint.id,
            suite=IMPORTED,
            benchmarks=keys,
            map_sha256=catalogue.load().sha256,
        ),
        state=RunState.DONE,
        created_by=created_by,
        created_at=now,
        started_at=one.origin.started_at,
        finished_at=one.origin.finished_at,
        reason=f"Imported from files of {tool} about {one.origin.model or endpoint.model}; VERA asked nothing itself.",
        benchmarks=tuple(BenchmarkRun(run_id=run_id, benchmark=key, state=RunState.QUEUED) for key in keys),
    )
