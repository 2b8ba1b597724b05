"""When a schedule falls due, and how it is doing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from fakes import scheduling, seeded

from domain.errors import UserError
from domain.runs import RunState
from domain.schedules import FiringState, Health, TargetKind, judge
from jobs import due, schedules

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
NIGHT = datetime(2026, 11, 30, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "said"),
    [
        ("", "is not a cron text; it has five fields"),
        ("* * * *", "is not a cron text; it has five fields"),
        ("0 2 * * * * *", "is not a cron text; it has five fields"),
        ("61 2 * * *", "a field is unknown or out of its range"),
        ("0 2 * * someday", "a field is unknown or out of its range"),
        ("R 2 * * *", "a field is unknown or out of its range"),
        ("@reboot", "a field is unknown or out of its range"),
        ("0 0 31 2 *", "never comes"),
        ("0 2 * * " + "*" * 200, "…"),
    ],
)
def test_a_bad_cron_text_is_one_sentence(cron: str, said: str) -> None:
    with pytest.raises(UserError, match=said.replace("*", r"\*")) as refused:
        due.check_cron(cron)
    assert "\n" not in refused.value.sentence
    assert len(refused.value.sentence) < 260


def test_a_good_cron_text_comes_back_with_single_spaces() -> None:
    assert due.check_cron(" 0   2 * * mon-fri ") == "0 2 * * mon-fri"
    assert due.check_cron("@daily") == "@daily"


@pytest.mark.parametrize("zone", ["Mars/Base", "", "../../etc/passwd", "europe/madrid "])
def test_an_unknown_time_zone_is_one_sentence(zone: str) -> None:
    with pytest.raises(UserError, match="There is no time zone"):
        due.check_timezone(zone)


def test_the_next_five_times_are_told_in_words_in_the_schedules_own_zone() -> None:
    assert schedules.next_in_words(scheduling.schedule(), now=NOW) == [
        f"{day} December 2026, 02:00 (Europe/Madrid)"
        for day in ("Tuesday 1", "Wednesday 2", "Thursday 3", "Friday 4", "Saturday 5")
    ]


def test_a_nightly_time_comes_once_in_the_night_the_clocks_go_back() -> None:
    nightly = scheduling.schedule(cron="30 2 * * *")
    before = datetime(2026, 10, 24, 12, tzinfo=UTC)
    moments = [moment.astimezone(UTC) for moment in due.next_due(nightly, before, count=2)]
    assert moments == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 26, 1, 30, tzinfo=UTC)]
    assert due.is_due(nightly, datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    assert not due.is_due(nightly, datetime(2026, 10, 25, 1, 30, tzinfo=UTC))
    assert due.last_due(nightly, datetime(2026, 10, 25, 6, tzinfo=UTC)) == moments[0]


def test_an_hourly_time_comes_every_hour_in_that_night() -> None:
    hourly = scheduling.schedule(cron="30 * * * *")
    moments = due.next_due(hourly, datetime(2026, 10, 24, 23, 45, tzinfo=UTC), count=3)
    assert [moment.astimezone(UTC).hour for moment in moments] == [0, 1, 2]


def test_a_time_that_the_clocks_leave_out_becomes_the_next_that_is() -> None:
    nightly = scheduling.schedule(cron="30 2 * * *")
    (moment,) = due.next_due(nightly, datetime(2027, 3, 27, 12, tzinfo=UTC), count=1)
    assert due.in_words(moment, "Europe/Madrid") == "Sunday 28 March 2027, 03:00 (Europe/Madrid)"


def health(*, state: RunState | None, firing: FiringState = FiringState.STARTED, **changed: object) -> Health:
    of = scheduling.schedule()
    told = replace(scheduling.firing(of, NIGHT), state=firing, **changed)
    run = None if state is None else seeded.run(seeded.endpoint(), state=state)
    return judge(of, [told], run, last_due=NIGHT, now=NOW)[0]


def test_a_schedule_whose_last_run_failed_is_failing_though_its_trigger_fired() -> None:
    assert health(state=RunState.DONE) is Health.OK
    for state in (RunState.FAILED, RunState.DONE_WITH_FAILURES, RunState.CANCELLED):
        assert health(state=state) is Health.FAILING
    assert health(state=None, firing=FiringState.FAILED, reason="The model was removed.") is Health.FAILING


def test_a_schedule_is_running_until_its_run_was_compared() -> None:
    assert health(state=RunState.RUNNING) is Health.RUNNING
    assert health(state=RunState.INTERRUPTED) is Health.RUNNING
    assert health(state=RunState.DONE, settled_at=None) is Health.RUNNING


def test_a_regression_is_its_own_bad_state() -> None:
    assert health(state=RunState.DONE, comparison=scheduling.comparison()) is Health.REGRESSED
    assert Health.REGRESSED.is_bad


def test_a_skipped_time_does_not_make_a_failed_run_a_good_one() -> None:
    of = scheduling.schedule()
    skipped = scheduling.firing(of, NIGHT, state=FiringState.SKIPPED, run_id=None)
    failed = scheduling.firing(of, NIGHT - timedelta(days=1))
    run = seeded.run(seeded.endpoint(), state=RunState.FAILED)
    assert judge(of, [skipped, failed], run, last_due=NIGHT, now=NOW)[0] is Health.FAILING
    assert judge(replace(of, paused=True), [skipped, failed], run, last_due=NIGHT, now=NOW)[0] is Health.FAILING


def test_a_time_that_passed_without_anybody_noticing_is_overdue() -> None:
    of = scheduling.schedule()
    earlier = scheduling.firing(of, NIGHT - timedelta(days=1))
    run = seeded.run(seeded.endpoint())
    assert judge(of, [earlier], run, last_due=NIGHT, now=NOW)[0] is Health.OVERDUE
    assert judge(of, [earlier], run, last_due=NIGHT, now=NIGHT + timedelta(seconds=20))[0] is Health.OK
    assert judge(replace(of, active_since=NOW), [earlier], run, last_due=NIGHT, now=NOW)[0] is Health.OK


def test_a_schedule_that_never_ran_says_so() -> None:
    of = scheduling.schedule(active_since=NOW)
    assert judge(of, [], None, last_due=NIGHT, now=NOW) == (Health.WAITING, "Never ran.")
    assert judge(replace(of, paused=True), [], None, last_due=NIGHT, now=NOW)[0] is Health.PAUSED


@pytest.mark.parametrize(
    "address",
    ["ftp://host/x", "https://", "hooks.bank.example", "https://user:pass@host/x", "https://host/a b", "http://[::1"],
)
def test_an_address_that_cannot_be_a_webhook_is_refused_without_repeating_a_password(address: str) -> None:
    with pytest.raises(UserError, match="cannot be a webhook") as refused:
        schedules.target(TargetKind.WEBHOOK, address)
    assert "pass@" not in refused.value.sentence


@pytest.mark.parametrize("address", ["team", "a@b@c", "a b@c", "team@", "a@b\nBcc: c@d"])
def test_what_is_no_mailbox_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="no e-mail address"):
        schedules.target(TargetKind.EMAIL, address)


def test_a_secret_given_in_place_of_its_name_is_not_repeated() -> None:
    with pytest.raises(UserError, match="never stored") as refused:
        schedules.target(TargetKind.WEBHOOK, "https://host/x", secret_ref="hunter2-hunter2")
    assert "hunter2" not in refused.value.sentence
