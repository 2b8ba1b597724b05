"""A corpus is read document by document; a wrong line is named, and nothing of a file fills the memory."""

import gzip
import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from domain.errors import InvalidTask, UserError
from evaluators.corpus import reading
from jobs import corpora


def _written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def _texts(path: Path) -> list[str]:
    return [document.text for document in reading.read(path, most=1000, seed=1).documents]


def test_a_json_line_is_a_document_and_blank_ones_are_none(tmp_path: Path) -> None:
    lines = '{"text": "one"}\n\n{"text": "   "}\n{"text": "two\\nlines", "id": 3}\n'
    assert _texts(_written(tmp_path / "a.jsonl", lines)) == ["one", "two\nlines"]
    assert _texts(_written(tmp_path / "a.jsonl.gz", gzip.compress(lines.encode()))) == ["one", "two\nlines"]


def test_a_blank_line_ends_a_document_of_a_text_file(tmp_path: Path) -> None:
    assert _texts(_written(tmp_path / "a.txt", "\none\ntwo\n\n\nthree\n")) == ["one\ntwo", "three"]


def test_a_document_of_many_lines_is_read_whole_and_may_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _written(tmp_path / "a.txt", f"{'x' * 99}\n" * 500 + "\nend\n")
    assert [len(text) for text in reading.texts(path)] == [49_999, 3]
    monkeypatch.setattr(reading, "LONGEST_LINE", 40_000)
    with pytest.raises(InvalidTask, match=r"a.txt, line 401: its document is longer"):
        _texts(path)


def test_a_column_of_texts_that_are_not_utf_8_is_named(tmp_path: Path) -> None:
    ends = pa.py_buffer((0).to_bytes(4, "little") + (2).to_bytes(4, "little"))
    column = pa.Array.from_buffers(pa.string(), 1, [None, ends, pa.py_buffer(b"\xff\xfe")])
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet")
    with pytest.raises(InvalidTask, match="not a Parquet file that can be read"):
        _texts(tmp_path / "a.parquet")


def test_a_text_file_without_blank_lines_has_a_document_per_line(tmp_path: Path) -> None:
    assert _texts(_written(tmp_path / "a.txt", "\ufeffone\r\ntwo\r\n\r\n")) == ["one", "two"]


def test_a_parquet_file_is_read_by_its_column_of_texts(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2, 3], "text": ["one", None, "three"]}), tmp_path / "a.parquet")
    assert _texts(tmp_path / "a.parquet") == ["one", "three"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", '{"text": "one"}\n{"text": \n', "a.jsonl, line 2: not valid JSON"),
        ("a.jsonl", '{"text": "one"}\n{"body": "two"}\n', "a.jsonl, line 2: each line must be an object"),
        ("a.jsonl", '["one"]', "a.jsonl, line 1: each line must be an object"),
        ("a.jsonl", '{"text": "\\ud83d"}', "half of a surrogate pair"),
        ("a.txt", b"one\ntw\xff\n", "a.txt, line 2: not UTF-8"),
        ("a.txt", " \n\n", "holds no text"),
        ("a.jsonl", "", "holds no text"),
        ("a.parquet", b"PAR1 nothing of the kind", "not a Parquet file"),
        ("a.txt.gz", b"not compressed", "cannot be read"),
        ("a.txt.gz", gzip.compress(b"", mtime=0)[:10] + b"\xff" * 40, "cannot be read"),
        ("a.csv", "text\none\n", "must end in .jsonl"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    with pytest.raises(InvalidTask, match=re.escape(said)):
        reading.read(_written(tmp_path / name, content), most=10, seed=1)


@pytest.mark.parametrize(
    ("columns", "said"),
    [({"body": ["one"]}, "no column 'text'; it has body"), ({"text": [1]}, "holds int64, not text")],
)
def test_a_parquet_file_without_texts_is_refused(tmp_path: Path, columns: dict[str, list[object]], said: str) -> None:
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(InvalidTask, match=said):
        reading.read(tmp_path / "a.parquet", most=10, seed=1)


def test_a_line_without_an_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST_LINE", 1000)
    with pytest.raises(InvalidTask, match="line 1: longer than"):
        reading.read(_written(tmp_path / "a.txt.gz", gzip.compress(b"a" * 100_000)), most=10, seed=1)


def test_of_a_large_corpus_a_sample_is_drawn_by_the_seed_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.jsonl", "\n".join(json.dumps({"text": f"text {i}"}) for i in range(500)))
    first, again, other = (reading.read(path, most=50, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first.population == 500
    numbers = [document.number for document in first.documents]
    assert numbers == sorted(numbers)
    assert numbers[-1] > 250
    assert len(set(numbers)) == 50


def test_of_a_long_document_the_beginning_is_read(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.jsonl", json.dumps({"text": "x" * 5000}) + '\n{"text": "short"}')
    long, short = reading.read(path, most=10, seed=1).documents
    assert (len(long.text), long.cut, short.cut) == (reading.READ_CHARACTERS, True, False)


def test_no_text_holds_what_a_database_cannot_keep(tmp_path: Path) -> None:
    assert _texts(_written(tmp_path / "a.jsonl", '{"text": "a\\u0000b"}')) == ["a\ufffdb"]


def test_an_upload_is_kept_once_under_its_hash(tmp_path: Path) -> None:
    source = _written(tmp_path / "a.jsonl", '{"text": "one"}\n')
    kept = []
    for _ in range(2):
        with source.open("rb") as stream:
            kept.append(corpora.keep(stream, "../../etc/my corpus.jsonl", data_folder=tmp_path / "data"))
    corpus = reading.read(kept[0], most=10, seed=1)
    assert kept[0] == kept[1] == tmp_path / "data" / "corpora" / corpus.sha256 / "my_corpus.jsonl"
    assert kept[0].read_bytes() == source.read_bytes()


@pytest.mark.parametrize("content", ["no JSON", "[" * 200_000, '{"text": ' + "9" * 5000 + "}"])
def test_nothing_stays_of_an_upload_that_cannot_be_read(content: str, tmp_path: Path) -> None:
    source = _written(tmp_path / "a.jsonl", content)
    with source.open("rb") as stream, pytest.raises(InvalidTask, match="line 1"):
        corpora.keep(stream, "a.jsonl", data_folder=tmp_path / "data")
    assert list((tmp_path / "data" / "corpora").iterdir()) == []


def test_a_larger_upload_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "LARGEST_MB", 0)
    source = _written(tmp_path / "a.jsonl", '{"text": "one"}\n')
    with source.open("rb") as stream, pytest.raises(UserError, match="vera corpus scan"):
        corpora.keep(stream, "a.jsonl", data_folder=tmp_path / "data")
    assert list((tmp_path / "data" / "corpora").iterdir()) == []
