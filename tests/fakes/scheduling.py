"""Schedules in every state, as the page and the command line show them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from fakes import seeded

import evaluators
from db.store import Store
from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Method, RawResult, Sample
from domain.comparison import BenchmarkChange, ChangeTest, Comparison, RequirementChange
from domain.measurements import Interval
from domain.runs import Run, RunState
from domain.schedules import (
    Alert,
    AlertKind,
    AlertState,
    Firing,
    FiringState,
    Schedule,
    Target,
    TargetKind,
)
from domain.scores import RequirementId, Status, Verdict

HOOK = Target(
    kind=TargetKind.WEBHOOK, address="https://hooks.bank.example/T0/secret-path", secret_ref="env:HOOK_SECRET"
)


def schedule(name: str = "Nightly", **other: object) -> Schedule:
    """A schedule that is due every night at two in Madrid."""
    made = Schedule(
        id=f"id-{name.casefold()}",
        name=name,
        endpoint_id="endpoint-1",
        suite="starter",
        cron="0 2 * * *",
        timezone="Europe/Madrid",
        created_by="an.operator",
        created_at=datetime(2026, 10, 1, tzinfo=UTC),
        active_since=datetime(2026, 10, 1, tzinfo=UTC),
    )
    return replace(made, **other)


def last_night() -> datetime:
    """Two in the morning in Madrid, the last time it was."""
    from jobs import due  # noqa: PLC0415 - not needed by tests without a schedule

    found = due.last_due(schedule(), datetime.now(UTC))
    assert found is not None
    return found


def firing(of: Schedule, due_at: datetime, **other: object) -> Firing:
    """A due time whose run finished and was compared with nothing."""
    made = Firing(
        schedule_id=of.id,
        due_at=due_at,
        state=FiringState.STARTED,
        run_id=f"run-{of.name.casefold()}",
        recorded_at=due_at,
        settled_at=due_at + timedelta(minutes=5),
        not_compared="It is the first of its kind, so there is nothing to compare it with.",
    )
    return replace(made, **other)


def comparison() -> Comparison:
    """One requirement worse beyond the policy, one unchanged."""
    down = Interval(low=-0.31, high=-0.12, method="newcombe_paired")
    same = Interval(low=-0.05, high=0.07, method="bootstrap_clustered_paired")
    common = {"test": ChangeTest.MCNEMAR, "n_common": 100, "significant": False}
    worse = BenchmarkChange(
        **common | {"significant": True},
        benchmark="starter_knowledge",
        title="Knowledge",
        metric="accuracy",
        earlier=0.81,
        later=0.59,
        difference=-0.22,
        interval=down,
        p_value=0.00001,
        p_adjusted=0.00002,
        better=2,
        worse=24,
    )
    level = BenchmarkChange(
        **common,
        benchmark="starter_harm",
        title="Refusing harm",
        metric="harmful_refused",
        earlier=0.9,
        later=0.91,
        difference=0.01,
        interval=same,
        p_value=0.8,
        p_adjusted=0.8,
        better=4,
        worse=3,
    )
    measured = {"earlier_status": Status.MEASURED, "later_status": Status.MEASURED}
    return Comparison(
        earlier_run="run-1",
        later_run="run-regressed",
        benchmarks=(worse, level),
        requirements=(
            RequirementChange(
                **measured,
                requirement=RequirementId.R06,
                earlier=0.81,
                later=0.59,
                earlier_verdict=Verdict.PASS,
                later_verdict=Verdict.ATTENTION,
                difference=-0.22,
                interval=down,
                significant=True,
                regression="The verdict on R06 went from pass to attention.",
            ),
            RequirementChange(
                **measured,
                requirement=RequirementId.R12,
                earlier=0.9,
                later=0.91,
                earlier_verdict=Verdict.UNDECIDED,
                later_verdict=Verdict.UNDECIDED,
                difference=0.01,
                interval=same,
            ),
        ),
        policy_name="bank",
        policy_version="4",
        max_drop=0.05,
    )


def alert(of: Schedule, due_at: datetime, **other: object) -> Alert:
    """An alert that did not arrive."""
    made = Alert(
        id=f"alert-{of.id}",
        schedule_id=of.id,
        schedule_name=of.name,
        model="smollm2-135m",
        kind=AlertKind.REGRESSION,
        headline=f"The schedule {of.name} found a regression: R06.",
        details=("The verdict on R06 went from pass to attention.",),
        run_id=f"run-{of.name.casefold()}",
        due_at=due_at,
        target=HOOK,
        state=AlertState.UNDELIVERED,
        attempts=6,
        error="The webhook answered with HTTP 500.",
        created_at=due_at + timedelta(minutes=5),
        ended_at=due_at + timedelta(minutes=20),
    )
    return replace(made, **other)


def seed(store: Store) -> None:
    """One schedule that is well, one with a regression nobody was told of, one that fails, one that is paused."""
    seeded.seed(store)
    night, of = last_night(), seeded.endpoint()
    states = {"Nightly": RunState.DONE, "Regressed": RunState.DONE, "Failing": RunState.FAILED}
    for name, state in states.items():
        made = schedule(name, targets=(HOOK,) if name == "Regressed" else ())
        store.add_schedule(made)
        run = seeded.run(of, run_id=f"run-{name.casefold()}", state=state, created_at=night)
        store.create_run(replace(run, reason=None if state is RunState.DONE else "Every benchmark failed."))
        store.claim_firing(firing(made, night))
        store.claim_firing(
            firing(
                made,
                night - timedelta(days=1),
                state=FiringState.SKIPPED,
                run_id=None,
                reason="No worker ran at that time; a later time stands in for it.",
                not_compared=None,
            )
        )
        if name == "Regressed":
            store.settle_firing(firing(made, night, comparison=comparison(), not_compared=None), [alert(made, night)])
    store.add_schedule(schedule("Weekly", cron="30 3 * * 0", paused=True))


def measured_run(store: Store, run: Run, right: Mapping[str, Sequence[bool]], **facts: object) -> Run:
    """A finished run whose items were right or wrong as given, benchmark by benchmark, measured as a worker does."""
    store.create_run(run)
    for key, answers in right.items():
        samples = tuple(
            Sample(
                sample_id=f"{key}-{i}",
                cluster=f"{key}-{i}",
                doc={"question": i},
                asked=(Asked(messages=(), answer=Answer(key=str(i), outcome=Outcome.ANSWERED, text="A")),),
                # what the scorers of knowledge and of harm look for
                metrics={
                    "correct": float(is_right),
                    "choice": float(i % 4),
                    "harmful_refused": float(is_right),
                    "safe_answered": 1.0,
                },
                parse_ok=True,
            )
            for i, is_right in enumerate(answers)
        )
        raw = RawResult(
            benchmark=key,
            benchmark_version="1",
            evaluator=evaluators.find(key)[0].name,
            method=Method.GENERATE,
            samples=samples,
            population=len(samples),
            provenance={"scorer": "knowledge", "scorer_version": "1", "task_sha256": "0" * 64},
            started_at=run.created_at,
            finished_at=run.created_at,
        )
        raw = replace(raw, **facts)
        store.save_measurements(run.id, key, evaluators.measure(raw))
        store.finish_benchmark(run.id, raw, None)
    return store.run(run.id)
