"""Schedules, due times and alerts are kept on both databases alike."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from fakes import scheduling, seeded

from db.store import Store
from domain.choices import Choices, GivenFile
from domain.errors import NotFound, UserError
from domain.runs import RunState
from domain.schedules import AlertState, FiringState

NIGHT = scheduling.last_night()
CHOICES = Choices(
    limit=40,
    quick=False,
    judge="justice",
    data_files={"corpus_scan": GivenFile(path="/data/crawl.jsonl", sha256="ab" * 32)},
    detector="env:DETECTOR",
    detector_threshold=2.0,
)


@pytest.fixture
def kept(store: Store) -> Store:
    store.add_endpoint(seeded.endpoint())
    return store


def test_a_schedule_comes_back_as_it_was_given_by_name_and_by_id(kept: Store) -> None:
    of = scheduling.schedule(targets=(scheduling.HOOK,), requirements=("R01", "R02"), choices=CHOICES)
    kept.add_schedule(of)
    assert kept.schedule("NIGHTLY") == kept.schedule(of.id) == of
    changed = replace(of, name="Every night", paused=True)
    kept.update_schedule(changed)
    assert kept.schedules() == [changed]
    with pytest.raises(NotFound, match="'Nightly'"):
        kept.schedule("Nightly")


def test_two_names_that_differ_only_in_case_are_one_sentence(kept: Store) -> None:
    kept.add_schedule(scheduling.schedule())
    other = scheduling.schedule(id="other", name="NIGHTLY")
    with pytest.raises(UserError, match="A schedule named 'NIGHTLY' exists already"):
        kept.add_schedule(other)
    kept.add_schedule(replace(other, name="Weekly"))
    with pytest.raises(UserError, match="exists already"):
        kept.update_schedule(replace(other, name="nightly"))


def test_a_due_time_is_claimed_once_however_many_try(kept: Store) -> None:
    of = scheduling.schedule()
    kept.add_schedule(of)
    wanted = [scheduling.firing(of, NIGHT, run_id=f"run-{i}", settled_at=None) for i in range(16)]
    with ThreadPoolExecutor(8) as pool:
        held = set(pool.map(lambda firing: kept.claim_firing(firing).run_id, wanted))
    assert len(held) == 1
    assert len(kept.firings(of.id)) == 1


def test_open_times_are_those_nobody_has_settled(kept: Store) -> None:
    of = scheduling.schedule()
    kept.add_schedule(of)
    going = scheduling.firing(of, NIGHT, settled_at=None)
    failed = scheduling.firing(of, NIGHT - timedelta(days=1), state=FiringState.FAILED, settled_at=None)
    skipped = scheduling.firing(of, NIGHT - timedelta(days=2), state=FiringState.SKIPPED, settled_at=None)
    done = scheduling.firing(of, NIGHT - timedelta(days=3))
    for firing in (going, failed, skipped, done):
        kept.claim_firing(firing)
    assert kept.open_firings() == [failed, going]
    kept.settle_firing(replace(going, settled_at=NIGHT, comparison=scheduling.comparison()), [])
    assert kept.open_firings() == [failed]
    assert kept.firing(of.id, NIGHT).comparison == scheduling.comparison()


def test_an_alert_is_kept_once_and_outlives_its_schedule(kept: Store) -> None:
    of = scheduling.schedule()
    kept.add_schedule(of)
    firing, alert = scheduling.firing(of, NIGHT), scheduling.alert(of, NIGHT, state=AlertState.PENDING)
    kept.claim_firing(firing)
    kept.settle_firing(firing, [alert])
    kept.update_alert(replace(alert, state=AlertState.DELIVERED))
    # settled once more by another worker: what was delivered is not pending again
    kept.settle_firing(firing, [alert])
    assert kept.alerts(states={AlertState.PENDING}) == []
    kept.remove_schedule(of.id)
    assert kept.schedules() == kept.firings(of.id) == []
    assert [a.state for a in kept.alerts(schedule_id=of.id)] == [AlertState.DELIVERED]
    with pytest.raises(NotFound):
        kept.claim_firing(firing)


def test_the_run_before_is_the_last_whole_one_of_the_same_identity(kept: Store) -> None:
    of, day = seeded.endpoint(), timedelta(days=1)
    states = {1: RunState.DONE_WITH_FAILURES, 2: RunState.FAILED, 3: RunState.DONE, 4: RunState.DONE}
    for age, state in states.items():
        kept.create_run(seeded.run(of, run_id=f"run-{age}", state=state, created_at=NIGHT - age * day))
    kept.create_run(seeded.run(of, run_id="other", created_at=NIGHT - day / 2, keys=("starter_harm",)))
    now = seeded.run(of, run_id="now", created_at=NIGHT)
    kept.create_run(now)
    assert kept.run_before(now).id == "run-3"
    assert kept.run_before(kept.run("run-4")) is None
