"""Old runs go with all that belongs to them; what an assessment stands on, or what goes on, stays."""

from datetime import timedelta
from pathlib import Path

import pytest
from fakes import records
from sqlalchemy import func, select

from db.store import Store, open_store
from db.tables import ANSWERS, BENCHMARK_RUNS, FAILURES, MEASUREMENTS, RUNS, SAMPLES
from domain.errors import UserError
from domain.runs import RunState

DAY = timedelta(days=1)


def rows(store: Store) -> dict[str, int]:
    tables = (RUNS, BENCHMARK_RUNS, ANSWERS, FAILURES, SAMPLES, MEASUREMENTS)
    with store._reading() as connection:
        return {t.name: connection.scalar(select(func.count()).select_from(t)) or 0 for t in tables}


def aged(store: Store, endpoint_id: str, days: int, state: RunState = RunState.DONE) -> str:
    run = records.run(endpoint_id, "b", created_at=records.MOMENT - days * DAY, state=state)
    store.create_run(run)
    return run.id


def test_age_and_count_choose_what_is_removed_and_both_must_agree(store: Store) -> None:
    first, second = records.add_endpoint(store).id, records.add_endpoint(store).id
    old = [aged(store, first, days) for days in (9, 7, 5, 0)]
    other = aged(store, second, 8)
    before = records.MOMENT - 6 * DAY
    assert store.runs_to_remove(before=before, beyond=None) == [old[0], other, old[1]]
    assert store.runs_to_remove(before=None, beyond=2) == [old[0], old[1]]
    assert store.runs_to_remove(before=before, beyond=3) == [old[0]]


def test_what_is_not_over_is_never_removed(store: Store) -> None:
    endpoint = records.add_endpoint(store).id
    going = {aged(store, endpoint, 90, state) for state in RunState if not state.is_final}
    assert store.runs_to_remove(before=records.MOMENT, beyond=0) == []
    assert store.remove_runs(going) == []
    assert {run.id for run in store.runs()} == going


def test_a_removed_run_leaves_nothing_behind(store: Store) -> None:
    endpoint = records.add_endpoint(store).id
    run_id = aged(store, endpoint, 9)
    store.answers(run_id, "b").put([records.answer("k")])
    store.answers(run_id, "b").failed([records.failure("f")])
    store.finish_benchmark(run_id, records.raw_result(records.sample()), None)
    store.save_measurements(run_id, "b", [records.measurement()])
    assert all(rows(store).values())
    assert store.remove_runs([run_id, "nothing"]) == [run_id]
    assert not any(rows(store).values())
    store.vacuum()


def test_the_latest_assessment_of_each_model_and_suite_names_the_runs_it_stands_on(store: Store) -> None:
    for number, (name, suite) in enumerate((("a", "starter"), ("a", "starter"), ("a", "full"), ("b", "starter"))):
        store.save_assessment(
            records.assessment(
                id=f"a{number}",
                endpoint_name=name,
                suite=suite,
                created_at=records.MOMENT + number * DAY,
                run_ids=(f"run{number}", "shared"),
            )
        )
    assert store.runs_under_assessments() == {"run1", "run2", "run3", "shared"}


def test_a_copy_is_a_whole_database_and_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    run = records.add_run(store)
    copy = tmp_path / "copy.db"
    if store._engine.dialect.name == "postgresql":
        with pytest.raises(UserError, match="pg_dump"):
            store.backup(copy)
        return
    store.backup(copy)
    again = open_store(f"sqlite:///{copy}")
    assert again.run(run.id).spec == run.spec
    again.dispose()
    with pytest.raises(UserError, match="exists already"):
        store.backup(copy)
