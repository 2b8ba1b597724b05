"""What `vera suites`, `runs`, `show`, `rescore` and `report` do."""

import json
import sys
from pathlib import Path

import evaluators
from app.console import card, tables
from app.console.start import open_here
from domain.errors import UserError
from domain.runs import Run
from domain.settings import Settings
from jobs import assessments, imports, reports
from jobs import runs as verbs
from jobs.context import Context
from requirements_map import catalogue


def suites() -> None:
    """Suites with their requirements and benchmarks, then what else can be named with --task."""
    maps = catalogue.load()
    for name, suite in maps.suites.items():
        print(f"{name}: {suite.title}. {suite.description}")
        for entry in suite.benchmarks:
            remark = f" ({entry.unavailable})" if entry.unavailable else ""
            instead = f" (where {entry.alternative_to} cannot run)" if entry.alternative_to else ""
            print(f"  {entry.requirement.value}  {entry.key:28}  {entry.title}{instead}{remark}")
        for entry in suite.evidence:
            evidence = evaluators.find(entry.key)[1].evidence
            supplied = f" (where a {evidence.value} is supplied)" if evidence else ""
            print(f"  {entry.requirement.value}  {entry.key:28}  {entry.title}{supplied}")
    mapped = {entry.key for suite in maps.suites.values() for entry in suite.all_benchmarks}
    others = [b for b in evaluators.benchmarks() if b.key not in mapped]
    if folder := Settings.load().tasks_dir:
        others += evaluators.discover_tasks(folder)
    print("Others, by --task (any lm-eval task of a known name, or a task file, works too):")
    for benchmark in others:
        name = benchmark.title if benchmark.source == "own" else benchmark.key
        print(f"       {name:28}  {benchmark.description if benchmark.source == 'own' else benchmark.title}")


def runs(*, model: str | None, limit: int, as_json: bool) -> None:
    """Runs, latest first."""
    if limit < 1:
        raise UserError(f"A limit of {limit} runs shows nothing; give a number of at least 1.")
    context = open_here()
    verbs.settle_orphans(context)
    endpoint_id = context.store.endpoint(model).id if model else None
    found = context.store.runs(limit=limit, endpoint_id=endpoint_id)
    if as_json:
        print(json.dumps({"runs": [card.plain_run(run) for run in found]}, indent=2, ensure_ascii=False))
    elif not found:
        print("There are no runs yet; start one with `vera evaluate --model NAME`.", file=sys.stderr)
    else:
        tables.show_runs(found, {run.spec.endpoint_id: _name(context, run) for run in found})


def show(run_id: str, *, as_json: bool) -> None:
    """One run with the scorecard that was made of it."""
    context = open_here()
    verbs.settle_orphans(context)
    print_run(context, context.store.run(run_id), as_json=as_json)


def rescore(run_id: str, *, as_json: bool) -> None:
    """Score the stored answers of a run again."""
    context = open_here()
    run = context.store.run(run_id)
    assessments.rescore_run(context, run.id)
    print_run(context, run, as_json=as_json)


def report(*, model: str, suite: str | None, out: Path) -> None:
    """Write the PDF and its card beside it."""
    made = reports.report(open_here(), model, suite=suite)
    for path in reports.write(made, out):
        print(path)


def print_run(context: Context, run: Run, *, as_json: bool) -> None:
    """A run and its scorecard on standard output."""
    assessment = assessments.of_run(context, run.id)
    name, measured = _name(context, run), context.store.measurements(run.id)
    if as_json:
        print(card.text(run, assessment, measured, model=name))
        return
    tables.show_run(run, name)
    if assessment is not None:
        tables.show_scorecard(assessment)
    else:
        tables.show_measurements(measured)
        tables.show_not_measured(imports.not_measured(run))


def _name(context: Context, run: Run) -> str:
    return context.store.endpoint(run.spec.endpoint_id).name
