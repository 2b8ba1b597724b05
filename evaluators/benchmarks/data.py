"""Items of a task read from files into memory: nothing is copied to a cache folder, and a bad line is named."""

import gzip
import io
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datasets
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from domain.errors import InvalidTask
from domain.hashing import sha256_of_file

#: dataset_path of a task whose items are files; lm-eval would hand these to the loaders of `datasets`.
FILE_LOADERS = frozenset({"json", "csv", "parquet"})
_ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A file of items and the hash of its bytes."""

    path: Path
    sha256: str

    @classmethod
    def of(cls, path: Path) -> "DataFile":
        """Hash a file; InvalidTask where it cannot be read."""
        try:
            return cls(path=path, sha256=sha256_of_file(path))
        except OSError as error:
            raise InvalidTask(f"The data file {path} cannot be read: {error.strerror or error}.") from error


def files_of(path: Path) -> list[Path]:
    """The file itself, or a folder's data files in the order of their names; InvalidTask where there is none."""
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.name.removesuffix(".gz").endswith(_ENDINGS))
    if not files:
        raise InvalidTask(f"The folder {path} holds no data file ({', '.join(_ENDINGS)}).")
    return files


def read_rows(path: Path, *, field: str | None = None) -> list[dict[str, Any]]:
    """The items of a .jsonl, .json, .csv, .tsv or .parquet file (all but the last also gzipped); never empty."""
    name = path.name.removesuffix(".gz")
    try:
        if name.endswith(".parquet"):
            rows = _parquet(path)
        elif name.endswith((".csv", ".tsv")):
            rows = _csv(path, separator="," if name.endswith(".csv") else "\t")
        elif name.endswith((".jsonl", ".json")):
            rows = list(_json(path, field))
        else:
            raise InvalidTask(
                f"The data file {path} must end in .jsonl, .json, .csv, .tsv (or .gz of these) or .parquet."
            )
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InvalidTask(f"The data file {path} cannot be read: {error}.") from error
    if not rows:
        raise InvalidTask(f"The data file {path} holds no items.")
    return rows


def as_text(row: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """The row with some fields as JSON text, where a folder's files hold them as lists here and as text there.

    >>> as_text({"groups": ["old"], "label": 2}, ["groups"])
    {'groups': '["old"]', 'label': 2}
    """
    kept = {name: row[name] for name in fields if not isinstance(row.get(name), str | None)}
    return {**row, **{name: json.dumps(value, ensure_ascii=False) for name, value in kept.items()}}


def dataset(rows: list[dict[str, Any]], *, origin: str) -> Any:
    """Rows as the in-memory table of `datasets` that task functions expect."""
    columns = {key: [row.get(key) for row in rows] for key in dict.fromkeys(key for row in rows for key in row)}
    try:
        return datasets.Dataset.from_dict(columns)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        detail = " ".join(str(error).split())
        raise InvalidTask(f"Fields of {origin} mix types in one column: {detail}.") from error


def _text(path: Path) -> str:
    content = gzip.decompress(path.read_bytes()) if path.name.endswith(".gz") else path.read_bytes()
    return content.decode("utf-8-sig")


def _csv(path: Path, *, separator: str) -> list[dict[str, Any]]:
    """Rows with the types the CSV loader of `datasets` would infer; an empty cell is None, notes above are skipped."""
    lines = _text(path).splitlines(keepends=True)
    notes = next((number for number, line in enumerate(lines) if not line.startswith("# ")), 0)
    try:
        frame = pd.read_csv(io.StringIO("".join(lines[notes:])), sep=separator)
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise InvalidTask(f"The data file {path} is not valid CSV: {str(error).strip()}.") from error
    return frame.astype(object).where(frame.notna(), None).to_dict("records")  # type: ignore[return-value]


def _parquet(path: Path) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    except pa.ArrowInvalid as error:
        raise InvalidTask(f"The data file {path} is not a Parquet file: {error}.") from error
    return rows


def _json(path: Path, field: str | None) -> Iterator[dict[str, Any]]:
    text = _text(path)
    if field or not path.name.removesuffix(".gz").endswith(".jsonl"):
        yield from _whole(path, text, field)
        return
    yield from _lines(path, text)


def _lines(path: Path, text: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InvalidTask(
                f"{path}, line {number}: not valid JSON ({error.msg} at column {error.colno})."
            ) from error
        if not isinstance(row, dict):
            raise InvalidTask(f"{path}, line {number}: an item must be a JSON object, not {type(row).__name__}.")
        _refuse_surrogates(row, line, f"{path}, line {number}")
        yield row


def _refuse_surrogates(row: dict[str, Any], text: str, place: str) -> None:
    """Half a surrogate pair, which JSON can escape, has no UTF-8 form: no table, request or database takes it."""
    if r"\u" not in text:  # only an escape can bring one
        return
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start : error.start + 1]
        raise InvalidTask(f"{place}: {half!r} is half of a surrogate pair and no character; remove it.") from error


def _whole(path: Path, text: str, field: str | None) -> Iterator[dict[str, Any]]:
    """A .json file: a list of objects (below ``field`` if named, or the only list of an object), or one per line."""
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        if field is None and "\n" in text.strip():
            yield from _lines(path, text)
            return
        raise InvalidTask(f"{path}, line {error.lineno}: not valid JSON ({error.msg}).") from error
    if field is None and _is_tree(content):
        content = list(_leaves(content, path.name.split(".")[0], ()))
    if field is not None:
        content = content.get(field) if isinstance(content, Mapping) else None
    elif isinstance(content, Mapping):
        lists = [value for value in content.values() if isinstance(value, list)]
        content = lists[0] if len(lists) == 1 else content
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        where = f" below the field {field!r}" if field else ""
        raise InvalidTask(f"The data file {path} must hold a list of JSON objects{where}.")
    for number, row in enumerate(content, start=1):
        _refuse_surrogates(row, text, f"{path}, item {number}")
        yield row


def _is_tree(content: Any) -> bool:
    """Whether it is lists of texts under names, or under names of names."""
    if isinstance(content, Mapping):
        return bool(content) and all(isinstance(part, list | Mapping) and _is_tree(part) for part in content.values())
    return isinstance(content, list) and all(isinstance(text, str) for text in content)


def _leaves(content: Any, file: str, names: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Each text of such a tree with the file and the names above it.

    >>> list(_leaves({"birds": {"owl": ["It hoots."]}}, "animals", ()))
    [{'file': 'animals', 'names': ['birds', 'owl'], 'text': 'It hoots.'}]
    """
    if isinstance(content, Mapping):
        for name, part in content.items():
            yield from _leaves(part, file, (*names, str(name)))
        return
    for text in content:
        yield {"file": file, "names": list(names), "text": text}
