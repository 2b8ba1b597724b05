"""`vera db …`: what is removed is named first, what assessments stand on stays, and mistakes are one sentence."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fakes import records, running

from app import cli
from domain.runs import RunState
from jobs import queue
from jobs.context import Context


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    monkeypatch.setenv("VERA_HOME", str(opened.settings.home))
    yield opened
    queue.close()
    opened.store.dispose()


def seeded(context: Context) -> tuple[str, str, str]:
    """Three old runs of one model: one without an assessment, one of an earlier and one of the latest assessment."""
    endpoint, now = records.add_endpoint(context.store), datetime.now(UTC)
    ids = []
    for days in (30, 20, 10):
        run = records.run(endpoint.id, "b", created_at=now - timedelta(days=days), state=RunState.DONE)
        context.store.create_run(run)
        ids.append(run.id)
    for run_id, days in ((ids[1], 20), (ids[2], 10)):
        context.store.save_assessment(
            records.assessment(
                id=f"of-{run_id}",
                endpoint_name=endpoint.name,
                created_at=now - timedelta(days=days),
                run_ids=(run_id,),
            )
        )
    return ids[0], ids[1], ids[2]


def test_a_dry_run_names_what_would_go_and_the_latest_assessment_keeps_its_run(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, earlier, latest = seeded(context)
    assert cli.main(["db", "prune", "--keep-days", "5", "--dry-run"]) == cli.OK
    said = capsys.readouterr()
    assert said.out.split() == [plain, earlier]
    assert "2 runs would be removed" in said.err
    assert "1 run kept all the same" in said.err
    assert len(context.store.runs()) == 3
    assert cli.main(["db", "prune", "--keep-days", "5", "--keep-runs", "0"]) == cli.OK
    assert [run.id for run in context.store.runs()] == [latest]
    assert len(context.store.assessments()) == 2
    assert cli.main(["db", "vacuum"]) == cli.OK


def test_a_backup_is_a_database_and_never_written_over(
    context: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeded(context)
    file = tmp_path / "copy.db"
    assert cli.main(["db", "backup", str(file)]) == cli.OK
    copy = sqlite3.connect(file)
    assert copy.execute("SELECT count(*) FROM runs").fetchone() == (3,)
    copy.close()
    assert cli.main(["db", "backup", str(file)]) == cli.BAD_INPUT
    assert cli.main(["db", "backup", str(tmp_path / "no" / "copy.db")]) == cli.BAD_INPUT
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize("arguments", [(), ("--keep-days", "-1"), ("--keep-runs", "-2", "--dry-run")])
def test_a_rule_that_keeps_nothing_by_mistake_is_refused(
    context: Context, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["db", "prune", *arguments]) == cli.BAD_INPUT
    assert "--keep-" in capsys.readouterr().err
