"""Items read from files: formats, and the place of a fault in one sentence."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from domain.errors import InvalidTask
from evaluators.benchmarks import data

ROWS = [{"question": "one", "answer": 1}, {"question": "two", "answer": 2}]


def test_every_format_gives_the_same_items(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(row) for row in ROWS) + "\n\n"
    (tmp_path / "a.jsonl").write_text(lines)
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "a.json").write_text(json.dumps(ROWS))
    (tmp_path / "lines.json").write_text(lines)
    (tmp_path / "a.csv").write_text("question,answer\none,1\ntwo,2\n")
    (tmp_path / "a.tsv").write_text("question\tanswer\none\t1\ntwo\t2\n")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")

    for name in ("a.jsonl", "a.jsonl.gz", "a.json", "lines.json", "a.csv", "a.tsv", "a.parquet"):
        assert data.read_rows(tmp_path / name) == ROWS, name


def test_items_may_stand_below_a_field_of_a_json_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"canary": "x", "examples": ROWS}))

    assert data.read_rows(tmp_path / "a.json", field="examples") == ROWS


def test_an_empty_cell_of_a_csv_file_is_missing_and_not_a_number(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,answer\none,\ntwo,2\n")

    assert data.read_rows(tmp_path / "a.csv")[0]["answer"] is None


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("a.jsonl", '{"a": 1}\n\n{"a": \n', r"a\.jsonl, line 3: not valid JSON"),
        ("a.jsonl", '{"a": 1}\n[1]\n', r"a\.jsonl, line 2: an item must be a JSON object, not list"),
        ("a.jsonl", "\n", r"a\.jsonl holds no items"),
        ("a.json", '[{"a": 1},', r"a\.json, line 1: not valid JSON"),
        ("a.json", '{"a": 1}', r"a\.json must hold a list of JSON objects"),
        ("a.csv", "", r"a\.csv is not valid CSV"),
        ("a.txt", "hello", r"a\.txt must end in"),
        ("a.parquet", "hello", r"a\.parquet is not a Parquet file"),
        ("a.jsonl.gz", "hello", r"a\.jsonl\.gz cannot be read"),
    ],
)
def test_a_bad_data_file_is_named_with_its_place(tmp_path: Path, name: str, content: str, cause: str) -> None:
    (tmp_path / name).write_text(content)

    with pytest.raises(InvalidTask, match=cause):
        data.read_rows(tmp_path / name)


def test_a_column_of_mixed_types_is_refused_with_the_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidTask, match="Fields of items mix types"):
        data.dataset([{"a": 1}, {"a": {"b": 2}}], origin="items")


def test_rows_with_different_keys_become_one_table() -> None:
    table = data.dataset([{"a": 1}, {"b": "x"}], origin="items")

    assert table.to_list() == [{"a": 1, "b": None}, {"a": None, "b": "x"}]


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("a.jsonl", '{"a": "fine"}\n{"a": "\\ud800"}\n', r"a\.jsonl, line 2"),
        ("a.jsonl", '{"a": "fine"}\n{"a": {"b": ["x", "\\udfff"]}}\n', r"a\.jsonl, line 2"),
        ("a.jsonl", '{"\\ud800": 1}\n', r"a\.jsonl, line 1"),
        ("a.json", '[{"a": "fine"}, {"a": "\\ud800"}]', r"a\.json, item 2"),
        ("lines.json", '{"a": "fine"}\n{"a": "\\ud800"}', r"lines\.json, line 2"),
    ],
)
def test_half_a_surrogate_pair_is_refused_where_it_stands(tmp_path: Path, name: str, content: str, place: str) -> None:
    (tmp_path / name).write_text(content)

    with pytest.raises(InvalidTask, match=place + r": .*surrogate"):
        data.read_rows(tmp_path / name)


def test_a_whole_surrogate_pair_is_one_character(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"a": "\\ud83d\\ude00"}')

    assert data.read_rows(tmp_path / "a.jsonl") == [{"a": "\N{GRINNING FACE}"}]
