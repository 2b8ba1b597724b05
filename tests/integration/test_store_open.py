"""A database that cannot be used is one sentence, without secrets."""

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from fakes import records

from db.store import Store, open_store
from domain.errors import DatabaseUnusable


def _sentence(url: str) -> str:
    with pytest.raises(DatabaseUnusable) as refused:
        open_store(url)
    sentence = refused.value.sentence
    assert "\n" not in sentence
    assert sentence.endswith((".", ")."))
    return sentence


def test_a_new_database_is_made_with_its_folder_closed_to_others(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    open_store(f"sqlite:///{folder / 'vera.db'}").dispose()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_sqlite_file_is_kept_in_write_ahead_mode(tmp_path: Path) -> None:
    file = tmp_path / "vera.db"
    open_store(f"sqlite:///{file}").dispose()
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


@pytest.mark.parametrize("url", ["", "vera.db", "mysql://u:topsecret@h/d", "nonsense://u:topsecret@h/d", "sqlite://"])
def test_an_address_that_is_no_database_says_how_to_write_one(url: str) -> None:
    sentence = _sentence(url)
    assert "sqlite:////folder/vera.db" in sentence
    assert "topsecret" not in sentence


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear reader, " * 200)
    before = file.read_bytes()
    assert "is not a SQLite database" in _sentence(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE songs (title)")
    connection.commit()
    connection.close()
    before = file.read_bytes()
    assert "already holds the table 'songs'" in _sentence(f"sqlite:///{file}")
    assert file.read_bytes() == before


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    assert "cannot be opened" in _sentence(f"sqlite:///{tmp_path}")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert f"The folder {tmp_path / 'file' / 'x'} cannot be made" in _sentence(f"sqlite:///{tmp_path}/file/x/vera.db")


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "vera.db"
    open_store(f"sqlite:///{file}").dispose()
    with file.open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"\xff" * 8000)
    assert "is damaged" in _sentence(f"sqlite:///{file}")


FILL = """
import resource, signal, sys
from fakes import records
from db.store import open_store
from domain.errors import DatabaseUnusable

store = open_store(sys.argv[1])
run = records.add_run(store)
answers = store.answers(run.id)
answers.put([records.answer("kept")])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
try:
    for number in range(1000):
        answers.put([records.answer(f"{number}", text="x" * 20_000)])
except DatabaseUnusable as error:
    print(error.sentence)
print(len(answers.known(["kept"])))
"""


def test_a_file_that_may_not_grow_is_one_sentence_and_keeps_what_it_had(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", FILL, f"sqlite:///{tmp_path / 'vera.db'}"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    sentence, known = done.stdout.strip().split("\n")
    assert "disk" in sentence
    assert known == "1"


def test_a_server_that_does_not_answer_is_one_sentence_without_the_password() -> None:
    sentence = _sentence("postgresql://ana:topsecret@127.0.0.1:1/vera")
    assert "check that the server runs" in sentence
    assert "topsecret" not in sentence


@pytest.mark.postgres
def test_a_database_that_the_server_does_not_have_is_one_sentence(postgres_server_url: str) -> None:
    assert '"nowhere" does not exist' in _sentence(postgres_server_url.replace("/postgres?", "/nowhere?"))


@pytest.mark.postgres
def test_the_short_name_of_a_postgres_address_works_too(shared_postgres_url: str) -> None:
    open_store(shared_postgres_url.replace("postgresql://", "postgresql+psycopg://")).dispose()


def test_a_disposed_store_opens_new_connections_when_it_is_used_again(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    store.dispose()
    assert store.endpoints() == [endpoint]


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'vera.db'}")
    run = records.add_run(store)
    with store._engine.connect() as connection:  # the pool gives the same connection to the write below
        connection.exec_driver_sql("PRAGMA max_page_count=60")
    with pytest.raises(DatabaseUnusable, match="the disk is full; free some space and run the same command again"):
        store.answers(run.id).put([records.answer(text="x" * 1_000_000)])
    assert store.answer_count(run.id) == 0
    store.dispose()
