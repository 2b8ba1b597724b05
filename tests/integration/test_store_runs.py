"""Runs and their benchmarks, on both databases."""

from dataclasses import replace
from datetime import timedelta

import pytest
from fakes import records

from db.store import Store
from domain.benchmarks import Agreement, Judge, RunOptions, Tick
from domain.errors import NotFound
from domain.runs import BenchmarkRun, RunSpec, RunState, Worker


def test_a_run_comes_back_with_its_benchmarks_in_the_order_of_its_spec(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    options = RunOptions(limit=5, data_files={"task": "/data/x.jsonl"}, system_prompt="Sé breve.", num_fewshot=0)
    spec = RunSpec(endpoint_id=endpoint.id, suite="s", benchmarks=("z", "a"), options=options, map_sha256="f" * 64)
    run = records.run(endpoint.id, spec=spec)
    store.create_run(run)
    found = store.run(run.id)
    assert found.spec == spec
    assert found.spec.identity == spec.identity
    assert [(b.benchmark, b.state) for b in found.benchmarks] == [("z", RunState.QUEUED), ("a", RunState.QUEUED)]
    assert (found.state, found.created_by, found.created_at) == (run.state, run.created_by, run.created_at)


def test_a_run_comes_back_with_its_judge_and_what_was_measured_of_it(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    agreement = {"judge_harm_agreement": Agreement(value=0.9, low=0.8, high=0.95, n=100, run_id="r1")}
    judge = Judge(endpoint_id="j1", name="justice", prompt_version="1", agreement=agreement)
    spec = replace(records.run(endpoint.id, "a").spec, options=RunOptions(judge=judge))
    run = records.run(endpoint.id, spec=spec)
    store.create_run(run)
    assert store.run(run.id).spec == spec
    assert store.run(run.id).spec.identity == spec.identity


def test_benchmarks_planned_with_a_state_of_their_own_keep_it(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    run = records.run(endpoint.id, "a", "b")
    skipped = BenchmarkRun(run_id=run.id, benchmark="b", state=RunState.SKIPPED, reason="It needs images.", total=3)
    store.create_run(records.run(endpoint.id, "a", "b", id=run.id, benchmarks=(skipped,)))
    assert store.run(run.id).benchmarks[1] == skipped
    assert store.run(run.id).benchmarks[0].state is RunState.QUEUED


def test_creating_a_run_twice_changes_nothing(store: Store) -> None:
    run = records.add_run(store)
    store.set_run_state(run.id, RunState.RUNNING)
    store.create_run(run)
    assert store.run(run.id).state is RunState.RUNNING
    assert len(store.runs()) == 1


def test_a_run_is_found_by_the_beginning_of_its_id_when_only_one_begins_so(store: Store) -> None:
    for run_id in ("abc1", "abc2", "abc", "x_y", "x%y"):
        records.add_run(store, id=run_id)
    assert store.run("abc1").id == "abc1"
    assert store.run("abc").id == "abc"
    assert store.run("x_").id == "x_y"
    with pytest.raises(NotFound, match="Several runs have an id that begins with 'ab'"):
        store.run("ab")
    for unknown in ("nothing", "", "_bc1"):
        with pytest.raises(NotFound, match="No run has the id"):
            store.run(unknown)


def test_runs_are_listed_latest_first_and_filtered(store: Store) -> None:
    first = records.add_run(store, created_at=records.MOMENT)
    second = records.add_run(store, created_at=records.MOMENT + timedelta(seconds=1), state=RunState.DONE)
    assert [run.id for run in store.runs()] == [second.id, first.id]
    assert [run.id for run in store.runs(limit=1)] == [second.id]
    assert [run.id for run in store.runs(endpoint_id=first.spec.endpoint_id)] == [first.id]
    assert [run.id for run in store.runs(states={RunState.DONE, RunState.FAILED})] == [second.id]
    assert store.runs(states=[]) == []


def test_the_list_of_runs_costs_two_queries_however_long_it_is(store: Store) -> None:
    from sqlalchemy import event  # noqa: PLC0415

    for _ in range(5):
        records.add_run(store, "a", "b", "c")
    asked: list[str] = []
    event.listen(store._engine, "before_cursor_execute", lambda *args: asked.append(args[2]))
    assert all(len(run.benchmarks) == 3 for run in store.runs())
    assert len([statement for statement in asked if statement.startswith("SELECT")]) == 2


def test_the_unfinished_run_of_an_identity_is_the_latest_that_is_not_final(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    runs = [
        records.run(endpoint.id, "a", created_at=records.MOMENT + timedelta(seconds=age), state=state)
        for age, state in enumerate([RunState.INTERRUPTED, RunState.RUNNING, RunState.DONE, RunState.CANCELLED])
    ]
    for run in runs:
        store.create_run(run)
    identity = runs[0].spec.identity
    assert store.unfinished_run(identity).id == runs[1].id
    assert store.unfinished_run(identity, states={RunState.CANCELLED}).id == runs[3].id
    assert store.unfinished_run("0" * 64) is None


def test_a_run_knows_when_it_first_started_and_when_it_ended(store: Store) -> None:
    run = records.add_run(store)
    store.set_run_state(run.id, RunState.RUNNING)
    started = store.run(run.id).started_at
    store.set_run_state(run.id, RunState.FAILED, reason="The disk is full.")
    ended = store.run(run.id)
    assert ended.reason == "The disk is full."
    assert ended.finished_at >= started
    store.set_run_state(run.id, RunState.RUNNING)
    again = store.run(run.id)
    assert (again.started_at, again.finished_at, again.reason) == (started, None, None)


def test_a_state_of_an_unknown_run_cannot_be_set(store: Store) -> None:
    with pytest.raises(NotFound, match="No run has the id 'nothing'"):
        store.set_run_state("nothing", RunState.RUNNING)


def test_cancel_is_asked_for_once_and_forgotten_when_the_run_is_queued_again(store: Store) -> None:
    run = records.add_run(store)
    assert not store.stop_requested(run.id)
    assert store.request_cancel(run.id)
    assert store.run(run.id).state is RunState.CANCELLING
    assert store.stop_requested(run.id)
    store.set_run_state(run.id, RunState.CANCELLED)
    assert not store.request_cancel(run.id)
    assert store.run(run.id).state is RunState.CANCELLED
    store.set_run_state(run.id, RunState.QUEUED)
    assert not store.stop_requested(run.id)
    assert store.stop_requested("nothing") is None


def test_progress_of_a_benchmark_is_kept(store: Store) -> None:
    run = records.add_run(store, "a", "b")
    store.start_benchmark(run.id, "b", method="generate")
    errors = {"timeout": 2, "server": 1}
    store.tick(run.id, "b", Tick(done=5, total=9, errors=errors, prompt_tokens=70, completion_tokens=8, reused=4))
    benchmark = store.run(run.id).benchmarks[1]
    assert (benchmark.state, benchmark.method) == (RunState.RUNNING, "generate")
    assert (benchmark.done, benchmark.total, benchmark.reused, benchmark.errors) == (5, 9, 4, errors)
    assert (benchmark.prompt_tokens, benchmark.completion_tokens) == (70, 8)
    assert store.run(run.id).errors == errors


def test_a_benchmark_that_goes_on_keeps_its_first_start_and_its_method(store: Store) -> None:
    run = records.add_run(store)
    store.start_benchmark(run.id, "b", method="generate")
    started = store.run(run.id).benchmarks[0].started_at
    store.end_benchmark(run.id, "b", RunState.FAILED, "The endpoint went away.")
    failed = store.run(run.id).benchmarks[0]
    assert (failed.state, failed.reason) == (RunState.FAILED, "The endpoint went away.")
    assert failed.finished_at is not None
    store.start_benchmark(run.id, "b")
    again = store.run(run.id).benchmarks[0]
    assert (again.started_at, again.finished_at, again.reason, again.method) == (started, None, None, "generate")


def test_an_unknown_benchmark_of_a_run_is_named(store: Store) -> None:
    run = records.add_run(store)
    with pytest.raises(NotFound, match="has no benchmark 'other'"):
        store.tick(run.id, "other", Tick(done=1, total=1))


def test_workers_report_and_are_forgotten(store: Store) -> None:
    started = records.MOMENT
    first = Worker(id="1", host="h", pid=10, version="0.1.0", started_at=started, heartbeat_at=started)
    second = Worker(id="2", host="h", pid=11, version="0.1.0", started_at=started, heartbeat_at=started)
    store.heartbeat(first)
    store.heartbeat(second)
    later = Worker(
        id="1", host="h", pid=10, version="0.1.0", started_at=started, heartbeat_at=started + timedelta(seconds=5)
    )
    store.heartbeat(later)
    assert store.workers() == [later, second]
    store.remove_worker("1")
    store.remove_worker("unknown")
    assert store.workers() == [second]
