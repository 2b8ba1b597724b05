"""Bad input at the command line: one sentence on standard error and exit code 2; no traceback, no output."""

import errno
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import running
from fakes.openai_server import FakeServer

from app import cli
from jobs.context import Context


@pytest.fixture(scope="module")
def server() -> Iterator[FakeServer]:
    with FakeServer("ok") as running_server:
        yield running_server


@pytest.fixture
def context(tmp_path: Path, server: FakeServer) -> Iterator[Context]:
    """A home with one registered model; the command runs in this process with the same home."""
    opened = running.context(tmp_path / "home")
    running.register(opened, server.base_url)
    yield opened
    opened.store.dispose()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence with which a command refuses its input."""
    assert cli.main(list(arguments)) == cli.BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == said.err.count("vera: ") == 1, said.err
    return said.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "--model", "nobody"], "'nobody'"),
        (["models", "probe", "nobody"], "vera models list"),
        (["models", "remove", "nobody"], "'nobody'"),
        (["evaluate", "--model", "fake", "--suite", "gala"], "'gala'"),
        (["evaluate", "--model", "fake", "--task", "no_such_task"], "'no_such_task'"),
        (["evaluate", "--model", "fake", "--task", "/no/task.yaml"], "/no/task.yaml"),
        (["evaluate", "--model", "fake", "--requirement", "R99"], "'R99'"),
        (["evaluate", "--model", "fake", "--requirement", "R03"], "R03"),
        (["evaluate", "--model", "fake", "--requirement", "R02", "--task", "arc_challenge"], "not by both"),
        (["evaluate", "--model", "fake", "--limit", "0"], "at least 1"),
        (["evaluate", "--model", "fake", "--limit", "many"], "--limit"),
        (["evaluate", "--model", "fake", "--data", "arc_challenge"], "TASK=FILE"),
        (["evaluate", "--model", "fake", "--task", "arc_challenge", "--data", "arc_challenge=/no/file"], "/no/file"),
        (["evaluate", "--model", "fake", "--data", f"other={__file__}"], "'other'"),
        (["evaluate"], "--model"),
        (["show", "nothing"], "'nothing'"),
        (["cancel", "nothing"], "'nothing'"),
        (["rescore", "nothing"], "'nothing'"),
        (["report", "--model", "fake", "--out", "x.pdf"], "not yet assessed"),
        (["worker", "--parallel", "0"], "at least 1"),
        (["runs", "--limit", "0"], "at least 1"),
        (["dance"], "dance"),
    ],
)
def test_it_is_told_in_one_sentence_that_names_it(
    context: Context, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert said in refused(capsys, *arguments)


def test_a_dead_port_is_told_before_anything_is_registered(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "does not answer" in refused(capsys, "models", "add", f"http://127.0.0.1:{port}", "--name", "dead")
    assert [e.name for e in context.store.endpoints()] == ["fake"]


def test_an_endpoint_that_is_gone_is_told_before_a_run_is_made(
    context: Context, capsys: pytest.CaptureFixture[str]
) -> None:
    with FakeServer("ok") as short_lived:
        running.register(context, short_lived.base_url, name="gone")
    assert "does not answer" in refused(capsys, "evaluate", "--model", "gone", "--limit", "2")
    assert context.store.runs() == []


def test_https_to_a_server_without_it_is_told_as_such(
    context: Context, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "models", "add", f"https://127.0.0.1:{server.port}", "--name", "tls")
    assert "securely" in said


def test_a_wrong_key_a_wrong_path_and_a_wrong_model_are_told_apart(
    context: Context, server: FakeServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WRONG_KEY", "sk-wrong-0123456789")
    with FakeServer("ok", api_key="sk-right-0123456789") as locked:
        said = refused(capsys, "models", "add", locked.url, "--name", "locked", "--api-key-env", "WRONG_KEY")
        assert "check the API key" in said
        assert "sk-wrong" not in said
        assert "without a key" in refused(capsys, "models", "add", locked.url, "--name", "locked")
    assert "check the address" in refused(capsys, "models", "add", f"{server.url}/elsewhere", "--name", "lost")
    said = refused(capsys, "models", "add", server.url, "--name", "other", "--model", "other-model")
    assert "fake-model" in said


def test_a_key_given_in_place_of_its_name_is_not_repeated(
    context: Context, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "models", "add", server.url, "--name", "m", "--api-key-env", "sk-pasted-0123456789")
    assert "sk-pasted" not in said


def test_a_setting_that_cannot_be_used_is_named(
    context: Context, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERA_COUNTRY", "Spain")
    assert "VERA_COUNTRY='Spain'" in refused(capsys, "runs")


def test_a_database_that_cannot_be_used_is_named(
    context: Context, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text("not a database, but longer than its header of one hundred bytes " * 4)
    monkeypatch.setenv("VERA_DATABASE_URL", f"sqlite:///{tmp_path / 'notes.txt'}")
    assert "notes.txt is not a SQLite database" in refused(capsys, "runs")


def test_help_and_version_need_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERA_HOME", str(tmp_path / "never-made"))
    assert cli.main(["--help"]) == cli.OK
    assert cli.main(["version"]) == cli.OK
    assert list(tmp_path.iterdir()) == []


def test_an_address_is_accepted_with_and_without_its_version_and_with_a_whole_path(
    context: Context, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, address in enumerate(("", "/v1", "/v1/", "/v1/chat/completions")):
        assert cli.main(["models", "add", f"{server.url}{address}", "--name", f"m{number}"]) == cli.OK
    assert {e.base_url for e in context.store.endpoints()} == {server.base_url}
    assert cli.main(["models", "list"]) == cli.OK
    assert "m3" in capsys.readouterr().out
    assert cli.main(["models", "remove", "m3"]) == cli.OK
    assert "m3" not in {e.name for e in context.store.endpoints()}


def test_a_full_disk_is_one_sentence_wherever_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    wrapped = RuntimeError("statement failed")
    wrapped.__cause__ = full
    for error in (full, wrapped, OSError(errno.ENOSPC, "No space left on device")):
        assert "disk is full" in cli._unforeseen(error)
    assert "disk is full" not in cli._unforeseen(ValueError("else"))


def test_an_error_of_our_own_is_a_sentence_that_names_the_log(tmp_path: Path) -> None:
    said = cli._unforeseen(ValueError("an unexpected value"))
    assert "ValueError: an unexpected value" in said
    assert "Traceback" not in said
    assert "ValueError" in next((tmp_path / "home" / "logs").glob("*.log")).read_text()
