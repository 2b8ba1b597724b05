"""Who is alive: workers are told apart by more than a process number."""

import os
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from jobs import processes

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=1)


def test_this_process_is_alive_though_it_never_reported() -> None:
    assert processes.is_alive(replace(processes.this_worker(), heartbeat_at=LONG_AGO), now=NOW)


def test_a_process_that_is_gone_is_dead_at_once() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    assert not processes.is_alive(replace(processes.this_worker(), pid=gone.pid), now=NOW)


def test_a_stranger_with_the_same_process_number_is_not_the_worker() -> None:
    me = processes.this_worker()
    assert not processes.is_alive(replace(me, started_at=me.started_at - timedelta(minutes=5)), now=NOW)


def test_a_worker_elsewhere_is_alive_for_a_minute_after_its_last_report() -> None:
    elsewhere = replace(processes.this_worker(), id="other-1-77-x", host="other")
    assert processes.is_alive(replace(elsewhere, heartbeat_at=NOW - timedelta(seconds=59)), now=NOW)
    assert not processes.is_alive(replace(elsewhere, heartbeat_at=NOW - timedelta(seconds=61)), now=NOW)


def test_a_silent_worker_stops_before_others_take_it_for_dead() -> None:
    assert processes.FENCE_SECONDS + processes.HEARTBEAT_SECONDS < processes.SILENT_SECONDS


def test_an_account_without_a_name_is_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("uid not found: 10001")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert processes.account() == f"user {os.getuid()}"


def test_a_worker_serves_every_queue_unless_it_names_some() -> None:
    me = processes.this_worker()
    assert me.serves(None)
    assert me.serves("gpu")
    named = replace(me, queues="default,gpu")
    assert named.serves(None)
    assert named.serves("gpu")
    assert not replace(me, queues="gpu").serves(None)


def test_two_workers_never_share_an_id() -> None:
    me = processes.this_worker()
    assert str(me.pid) in me.id
    assert me.id == processes.this_worker().id
