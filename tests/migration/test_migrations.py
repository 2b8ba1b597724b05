"""A database is brought to this version's tables, once, after a backup, and never from a newer version."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from fakes import records
from sqlalchemy import Connection, Engine, inspect, text

from db import alembic_run, migrate
from db.connection import create
from db.migrations import HEAD, VERSION_TABLE
from db.store import open_store
from db.tables import METADATA
from domain.choices import Choices
from domain.errors import DatabaseUnusable
from domain.runs import Priority

NEXT_REVISION = f"""
import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{HEAD}"


def upgrade() -> None:
    op.add_column("runs", sa.Column("label", sa.Text()))
    op.create_table("labels", sa.Column("name", sa.Text(), primary_key=True))
    FAIL


def downgrade() -> None:
    op.drop_table("labels")
    op.drop_column("runs", "label")
"""


@pytest.fixture
def engine(empty_url: str) -> Iterator[Engine]:
    made = create(empty_url)
    yield made
    made.dispose()


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This program as its next version will be: one more revision; gives that revision's file."""
    scripts = tmp_path / "scripts"
    shutil.copytree(str(files("db.migrations")), scripts)
    revision = scripts / "versions" / "next.py"
    revision.write_text(NEXT_REVISION.replace("FAIL", "pass"))
    monkeypatch.setattr(alembic_run, "LOCATION", str(scripts))
    monkeypatch.setattr(migrate, "HEAD", "9999")
    return revision


def test_the_migrations_make_exactly_the_tables_of_the_code(empty_url: str, engine: Engine) -> None:
    open_store(empty_url).dispose()
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_the_tables_of_the_code_have_the_migrations_keys_and_cascades(empty_url: str, engine: Engine) -> None:
    open_store(empty_url).dispose()
    inspector = inspect(engine)
    for table in METADATA.sorted_tables:
        assert inspector.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
        cascades = {
            tuple(key["constrained_columns"]): key["options"].get("ondelete")
            for key in inspector.get_foreign_keys(table.name)
        }
        wanted = {tuple(key.column_keys): key.ondelete for key in table.foreign_key_constraints}
        assert cascades == wanted, table.name


def test_the_newest_revision_is_the_one_the_code_names() -> None:
    config = Config()
    config.set_main_option("script_location", alembic_run.LOCATION)
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_every_migration_can_be_undone_and_done_again(engine: Engine) -> None:
    for _ in range(2):
        with engine.begin() as connection:
            alembic_run.upgrade(connection)
            assert set(METADATA.tables) <= set(inspect(connection).get_table_names())
        with engine.begin() as connection:
            alembic_run.downgrade(connection, "base")
            assert inspect(connection).get_table_names() == [VERSION_TABLE]


#: A schedule as version 0003 wrote it: the limit and the seed beside everything else.
BEFORE_CHOICES = {
    "id": "s1",
    "name": "Nightly",
    "endpoint_id": "e1",
    "suite": "starter",
    "limit": 40,
    "seed": 7,
    "cron": "0 2 * * *",
    "paused": False,
    "created_by": "an.opérator",
    "created_at": "2026-10-01T00:00:00+00:00",
    "active_since": "2026-10-01T00:00:00+00:00",
}


def _keep_schedules(connection: Connection, *bodies: dict[str, object]) -> None:
    connection.execute(
        text(
            "INSERT INTO endpoints (id, name, name_key, base_url, model, max_in_flight, timeout_s, created_at) "
            "VALUES ('e1', 'm', 'm', 'http://h/v1', 'm', 1, 1.0, '2026-10-01 00:00:00+00:00')"
        )
    )
    for body in bodies:
        connection.execute(
            text("INSERT INTO schedules (id, name_key, endpoint_id, paused, body) VALUES (:i, :n, 'e1', :p, :b)"),
            {"i": body["id"], "n": body["name"], "p": bool(body["paused"]), "b": json.dumps(body)},
        )


def test_the_limit_and_the_seed_of_a_schedule_become_part_of_its_choices(empty_url: str, engine: Engine) -> None:
    with engine.begin() as connection:
        alembic_run.upgrade(connection, "0003")
        plain = {name: value for name, value in BEFORE_CHOICES.items() if name not in {"limit", "seed"}}
        _keep_schedules(connection, BEFORE_CHOICES, plain | {"id": "s2", "name": "Weekly", "paused": True})
    new = open_store(empty_url)
    nightly, weekly = new.schedules()
    assert (nightly.choices, nightly.paused) == (Choices(limit=40, seed=7), False)
    assert (weekly.choices, weekly.paused) == (Choices(), True)
    assert nightly.created_by == "an.opérator"
    new.dispose()


def test_going_back_a_schedule_is_as_it_was_and_one_that_loses_its_judge_is_paused(
    empty_url: str, engine: Engine
) -> None:
    with engine.begin() as connection:
        alembic_run.upgrade(connection, "0003")
        _keep_schedules(connection, BEFORE_CHOICES, BEFORE_CHOICES | {"id": "s2", "name": "Judged"})
    new = open_store(empty_url)
    judged = new.schedule("s2")
    new.update_schedule(replace(judged, choices=replace(judged.choices, judge="justice"), priority=Priority.LOW))
    new.dispose()
    with engine.begin() as connection:
        alembic_run.downgrade(connection, "0003")
        found = connection.execute(text("SELECT id, paused, body FROM schedules ORDER BY id")).all()
    (first, is_first_paused, body), (second, is_second_paused, judged_body) = found
    assert (first, bool(is_first_paused)) == ("s1", False)
    assert json.loads(body) == BEFORE_CHOICES
    assert (second, bool(is_second_paused)) == ("s2", True)
    assert json.loads(judged_body) == BEFORE_CHOICES | {"id": "s2", "name": "Judged", "paused": True}


def test_the_extent_of_older_assessments_is_found_in_them(empty_url: str, engine: Engine) -> None:
    old = open_store(empty_url)
    made = records.assessment()
    old.save_assessment(made)
    old.dispose()
    extents = []
    for _ in range(2):
        with engine.begin() as connection:
            extents.append(connection.execute(text("SELECT n_items, basis FROM assessments")).one())
            alembic_run.downgrade(connection, "0004")
            alembic_run.upgrade(connection)
    assert extents[0] == extents[1]
    assert extents[0][0] >= len(made.measured)


def test_opening_again_changes_nothing(empty_url: str, tmp_path: Path) -> None:
    first = open_store(empty_url)
    endpoint = records.add_endpoint(first)
    first.dispose()
    second = open_store(empty_url)
    assert second.endpoints() == [endpoint]
    second.dispose()
    assert list(tmp_path.glob("*.backup-*")) == []


def test_an_older_database_is_migrated_with_its_records(empty_url: str, request: pytest.FixtureRequest) -> None:
    old = open_store(empty_url)
    run = records.add_run(old)
    old.dispose()
    request.getfixturevalue("next_version")
    new = open_store(empty_url)
    assert new.run(run.id).spec == run.spec
    assert {"label"} <= {column["name"] for column in inspect(new._engine).get_columns("runs")}
    new.dispose()


def test_a_sqlite_file_is_copied_before_it_is_migrated(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file = tmp_path / "vera.db"
    old = open_store(f"sqlite:///{file}")
    endpoint = records.add_endpoint(old)  # still in the write-ahead log: the Store stays open
    request.getfixturevalue("next_version")
    open_store(f"sqlite:///{file}").dispose()
    (copy,) = tmp_path.glob(f"vera.db.backup-{HEAD}-*")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT id FROM endpoints").fetchall() == [(endpoint.id,)]
        assert connection.execute("SELECT version_num FROM vera_revision").fetchall() == [(HEAD,)]
    connection.close()
    old.dispose()


def test_a_migration_that_fails_leaves_the_database_as_it_was(empty_url: str, request: pytest.FixtureRequest) -> None:
    old = open_store(empty_url)
    endpoint = records.add_endpoint(old)
    old.dispose()
    revision: Path = request.getfixturevalue("next_version")
    revision.write_text(NEXT_REVISION.replace("FAIL", 'raise RuntimeError("no")'))
    with pytest.raises(RuntimeError, match="no"):
        open_store(empty_url)
    engine = create(empty_url)
    with engine.connect() as connection:
        assert migrate.revision(connection) == HEAD
        assert not inspect(connection).has_table("labels")
        assert connection.scalar(text("SELECT id FROM endpoints")) == endpoint.id
    engine.dispose()


def test_a_database_of_a_newer_version_is_refused_in_one_sentence(empty_url: str, engine: Engine) -> None:
    open_store(empty_url).dispose()
    with engine.begin() as connection:
        connection.execute(text("UPDATE vera_revision SET version_num = 'from the future'"))
    for migrated in (True, False):
        with pytest.raises(DatabaseUnusable, match="written by a newer version of VERA") as refused:
            open_store(empty_url, migrate=migrated)
        assert "\n" not in refused.value.sentence


def test_an_older_database_is_refused_where_migrating_is_not_wanted(
    empty_url: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(DatabaseUnusable, match="start `vera worker` or `vera serve` once"):
        open_store(empty_url, migrate=False)
    open_store(empty_url).dispose()
    open_store(empty_url, migrate=False).dispose()
    request.getfixturevalue("next_version")
    with pytest.raises(DatabaseUnusable, match="start `vera worker` or `vera serve` once"):
        open_store(empty_url, migrate=False)


OPEN = """
import sys
from db.store import open_store
print("ready", flush=True)
sys.stdin.readline()
open_store(sys.argv[1]).dispose()
"""


def test_many_processes_that_open_a_new_database_at_once_all_find_it_ready(empty_url: str, engine: Engine) -> None:
    pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    openers = [subprocess.Popen([sys.executable, "-c", OPEN, empty_url], **pipe) for _ in range(4)]
    for opener in openers:
        assert opener.stdout.readline() == "ready\n"
    for opener in openers:
        opener.stdin.write("go\n")
        opener.stdin.flush()
    outputs = [opener.communicate(timeout=120)[0] for opener in openers]
    assert outputs == [""] * len(openers)
    with engine.connect() as connection:
        assert migrate.revision(connection) == HEAD


def test_migrating_works_from_any_working_directory(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    rooms = str(Path(migrate.__file__).parents[1])
    code = f"import sys; sys.path.insert(0, {rooms!r}); from db.store import open_store; open_store('sqlite:///new.db')"
    subprocess.run([sys.executable, "-c", code], cwd=elsewhere, check=True, timeout=120)
    assert (elsewhere / "new.db").is_file()
