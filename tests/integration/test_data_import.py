"""Importing data sets: what is wrong is refused with a sentence and leaves nothing behind."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakes import data_folder

from app import cli


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The data folder of the command that runs in this process."""
    return tmp_path / "home" / "data"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two data sets of which one has two files."""
    files = {
        "quiz/lm_eval/quiz.jsonl": data_folder.ROWS,
        "quiz/extra.jsonl": data_folder.ROWS[:2],
        "poll/poll.jsonl": data_folder.ROWS[:3],
    }
    return data_folder.write(tmp_path / "source", files)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_folder_is_imported_listed_and_verified(source: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["data", "import", str(source)]) == cli.OK
    assert "2 data sets" in capsys.readouterr().out
    assert set(contents(home)) == set(contents(source))
    assert cli.main(["data", "list", "--json"]) == cli.OK
    listed = json.loads(capsys.readouterr().out)["data_sets"]
    assert [d["id"] for d in listed] == ["poll", "quiz"]
    assert [f["rows"] for d in listed for f in d["files"]] == [3, 6, 2]
    assert listed[0]["source"] == {"repo": "someone/something", "commit": "c0ffee"}
    assert cli.main(["data", "list"]) == cli.OK
    assert "CC BY 4.0" in capsys.readouterr().out
    assert cli.main(["data", "verify"]) == cli.OK
    assert "3 files" in capsys.readouterr().out


def test_a_second_import_copies_nothing(source: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["data", "import", str(source)]) == cli.OK
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*.jsonl")}
    capsys.readouterr()
    assert cli.main(["data", "import", str(source)]) == cli.OK
    assert "0 files copied, 3 already there" in capsys.readouterr().out
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.jsonl")} == before


def test_a_changed_and_a_missing_file_are_each_named_and_the_exit_code_is_1(
    source: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["data", "import", str(source)]) == cli.OK
    changed = home / "quiz/extra.jsonl"
    changed.write_bytes(changed.read_bytes().replace(b"q1", b"q2", 1))
    (home / "poll/poll.jsonl").unlink()
    capsys.readouterr()
    assert cli.main(["data", "verify"]) == cli.FAILED
    said = capsys.readouterr()
    assert [line.split(" of ")[0] for line in said.out.splitlines()] == [
        "changed: quiz/extra.jsonl",
        "missing: poll/poll.jsonl",
    ]
    assert cli.main(["data", "import", str(source)]) == cli.OK
    assert "2 files copied" in capsys.readouterr().out
    assert cli.main(["data", "verify"]) == cli.OK


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"{}\n"), lambda path: path.unlink()])
def test_a_data_set_with_a_wrong_file_is_left_out_whole_and_the_others_are_imported(
    source: Path, home: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], object]
) -> None:
    damage(source / "quiz/extra.jsonl")
    assert cli.main(["data", "import", str(source)]) == cli.FAILED
    said = capsys.readouterr()
    assert "1 data set imported" in said.out
    assert said.err.startswith("vera: quiz is left out: quiz/extra.jsonl")
    assert said.err.count("\n") == 1
    assert set(contents(home)) == {"poll/poll.jsonl", "MANIFEST.yaml"}
    assert [d["id"] for d in data_folder.read(home)["benchmarks"]] == ["poll"]


def test_where_no_data_set_is_whole_nothing_stays(source: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in source.rglob("*.jsonl"):
        file.write_bytes(b"{}\n")
    assert cli.main(["data", "import", str(source)]) == cli.BAD_INPUT
    assert "Nothing was imported" in capsys.readouterr().err
    assert not home.exists()


def _entry(manifest: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = manifest["benchmarks"][1]
    return entry


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("../outside.jsonl", "'../outside.jsonl'"),
        ("/etc/hostname", "'/etc/hostname'"),
        ("poll/../../outside.jsonl", "not a path below its folder"),
        (".hidden/poll.jsonl", "not a path below its folder"),
        ("MANIFEST.yaml", "not a path below its folder"),
        ("poll//poll.jsonl", "not a path below its folder"),
        ("poll\\poll.jsonl", "not a path below its folder"),
        ("quiz/extra.jsonl", "twice"),
        ("poll/link.jsonl", "symbolic link"),
        ("linked/poll.jsonl", "symbolic link"),
        ("quiz", "not a plain file"),
    ],
)
def test_a_path_that_leads_elsewhere_refuses_the_whole_import(
    source: Path, home: Path, capsys: pytest.CaptureFixture[str], path: str, said: str
) -> None:
    (source.parent / "outside.jsonl").write_bytes((source / "poll/poll.jsonl").read_bytes())
    (source / "poll/link.jsonl").symlink_to(source / "poll/poll.jsonl")
    (source / "linked").symlink_to(source / "poll")
    manifest = data_folder.read(source)
    _entry(manifest)["files"][0]["path"] = path
    data_folder.save(source, manifest)
    assert cli.main(["data", "import", str(source)]) == cli.BAD_INPUT
    refusal = capsys.readouterr().err
    assert said in refusal
    assert refusal.count("\n") == 1
    assert not home.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("schema_version: 2\nbenchmarks: []\n", "schema_version"),
        ("schema_version: 1\nbenchmarks: []\n", "names no data set"),
        ("schema_version: 1\nbenchmarks: [{id: x}]\n", "benchmarks.0.name"),
        ("benchmarks: [\n", "not valid YAML"),
        ("- a\n", "cannot be used"),
        ('schema_version: 1\nbenchmarks: [{id: x, name: "\\e[2J", licence: MIT, files: []}]\n', "cannot be printed"),
        ("schema_version: 1\nbenchmarks: [{id: ../x, name: x, licence: MIT, files: []}]\n", "benchmarks.0.id"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_one_sentence(
    source: Path, home: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    (source / "MANIFEST.yaml").write_text(text)
    assert cli.main(["data", "import", str(source)]) == cli.BAD_INPUT
    refusal = capsys.readouterr().err
    assert said in refusal
    assert refusal.count("\n") == 1
    assert not home.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["import", "/no/such/folder"], "/no/such/folder"),
        (["import", __file__], "--task NAME"),
        (["import", str(Path(__file__).parent)], "MANIFEST.yaml"),
        (["import", str(Path(__file__).parent), "--task", "arc_challenge"], "takes one file"),
        (["import", str(Path(__file__).parent), "--licence", "MIT"], "--licence"),
        (["import", __file__, "--task", "no_such_task"], "'no_such_task'"),
        (["import", __file__, "--task", "arc_challenge"], ".jsonl"),
    ],
)
def test_what_cannot_be_imported_is_said_in_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert cli.main(["data", *arguments]) == cli.BAD_INPUT
    refusal = capsys.readouterr()
    assert said in refusal.err
    assert refusal.err.count("\n") == 1
    assert refusal.out == ""
    assert not home.exists()


def test_a_newer_form_of_a_data_set_takes_the_place_of_the_old_with_all_its_files(source: Path, home: Path) -> None:
    assert cli.main(["data", "import", str(source)]) == cli.OK
    newer = data_folder.write(source.parent / "newer", {"quiz/lm_eval/quiz.jsonl": data_folder.ROWS[:4]})
    assert cli.main(["data", "import", str(newer)]) == cli.OK
    assert set(contents(home)) == {"quiz/lm_eval/quiz.jsonl", "poll/poll.jsonl", "MANIFEST.yaml"}
    assert cli.main(["data", "verify"]) == cli.OK


def test_an_import_that_was_killed_midway_leaves_nothing_that_a_later_one_keeps(source: Path, home: Path) -> None:
    (home / ".import-killed/quiz").mkdir(parents=True)
    (home / ".import-killed/quiz/half.jsonl").write_text("{")
    assert cli.main(["data", "import", str(source)]) == cli.OK
    assert set(contents(home)) == set(contents(source))


def test_a_link_in_the_data_folder_is_not_written_through(
    source: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = source.parent / "elsewhere"
    elsewhere.mkdir()
    home.mkdir(parents=True)
    (home / "quiz").symlink_to(elsewhere)
    assert cli.main(["data", "import", str(source)]) == cli.BAD_INPUT
    assert "symbolic link" in capsys.readouterr().err
    assert not list(elsewhere.iterdir())
    assert [path.name for path in home.iterdir()] == ["quiz"]


def test_the_data_folder_is_not_imported_into_itself(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(source)
    monkeypatch.setenv("VERA_DATA_DIR", str(source))
    assert cli.main(["data", "import", str(source)]) == cli.BAD_INPUT
    assert "data folder itself" in capsys.readouterr().err
    assert contents(source) == before


def test_without_any_import_the_list_says_how_to_begin(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["data", "list"]) == cli.OK
    said = capsys.readouterr()
    assert said.out == ""
    assert "vera data import" in said.err
