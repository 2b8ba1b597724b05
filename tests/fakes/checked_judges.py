"""A registered model whose agreement with people was measured, without asking it anything."""

from dataclasses import replace
from datetime import UTC, datetime

from fakes import seeded

from db.store import Store
from domain.runs import RunState
from evaluators.benchmarks import scorers
from jobs import judges


def check(store: Store, agreement: float, *, name: str = "justice", run_id: str = "check") -> None:
    """A finished check of the judge, as its run would have left it."""
    of = store.endpoint(name)
    known = store.capabilities(of.id)
    run = seeded.run(of, run_id=run_id, keys=judges.REFERENCES)
    options = replace(run.spec.options, limit=None)
    spec = replace(run.spec, suite="tasks", options=options, weights=known and known.weights)
    told = {"scorer_version": scorers.VERSION["judge_agreement"]}
    parts = tuple(replace(part, provenance=told, state=RunState.DONE) for part in run.benchmarks)
    store.create_run(replace(run, spec=spec, benchmarks=parts, created_at=datetime.now(UTC)))
    for key in judges.REFERENCES:
        store.save_measurements(run.id, key, (seeded.measurement(key, judges.FIGURE, agreement, n=150),))
