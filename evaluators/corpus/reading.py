"""A sample of a corpus from a file, read document by document, so that a large file need not fit into memory."""

import gzip
import itertools
import json
import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from domain.errors import InvalidTask
from domain.hashing import sha256_of_file

#: So much of a document is read; its toxicity and its mentions are those of this part.
READ_CHARACTERS = 2000
ENDINGS = (".jsonl", ".jsonl.gz", ".txt", ".txt.gz", ".parquet")
#: Longest line, and longest document of a text file; a compressed file could hold one that fills the memory.
LONGEST_LINE = 50_000_000
#: Field of a JSON line, and column of a Parquet file.
FIELD = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document of a corpus, as far as it is read."""

    #: Its place among the documents of the file, from 1.
    number: int
    text: str
    #: Whether it goes on beyond what is read.
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A seeded sample of a file's documents, in the order of the file."""

    name: str
    sha256: str
    #: Documents of the file that hold any text.
    population: int
    documents: tuple[Document, ...]

    @property
    def title(self) -> str:
        """Name and hash, by which a reader knows what a score is of."""
        return f"the corpus {self.name} (sha256 {self.sha256[:12]}…)"


def read(path: Path, *, most: int, seed: int) -> Corpus:
    """At most so many documents of a .jsonl, .txt (both also gzipped) or .parquet file, each as likely as another.

    A JSON line is an object with the field ``text``; a Parquet file has the column ``text``. In a text file a blank
    line ends a document; one without blank lines holds a document per line. InvalidTask names the line that is wrong.
    """
    rng, population = random.Random(seed), 0  # noqa: S311 - a reproducible draw
    kept: list[Document] = []
    for number, text in enumerate(texts(path), start=1):
        document = Document(number=number, text=text[:READ_CHARACTERS], cut=len(text) > READ_CHARACTERS)
        population = number
        if len(kept) < most:
            kept.append(document)
        elif (place := rng.randrange(number)) < most:  # Vitter 1985, algorithm R
            kept[place] = document
    if not kept:
        raise InvalidTask(f"The corpus {path.name} holds no text.")
    documents = tuple(sorted(kept, key=lambda document: document.number))
    return Corpus(name=path.name, sha256=sha256_of_file(path), population=population, documents=documents)


def texts(path: Path) -> Iterator[str]:
    """The documents that hold any text, in order."""
    reader = _reader(path)
    try:
        for text in reader(path):
            if text.strip():
                # no database keeps the character NUL in a text
                yield text.replace("\x00", "\ufffd").strip()
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidTask(f"The corpus {path.name} cannot be read: {error}.") from error


def _reader(path: Path) -> Callable[[Path], Iterator[str]]:
    name = path.name.lower()
    if name.endswith(".parquet"):
        return _parquet
    if name.endswith((".jsonl", ".jsonl.gz")):
        return _json_lines
    if name.endswith((".txt", ".txt.gz")):
        return _paragraphs
    raise InvalidTask(f"The corpus {path.name} must end in {', '.join(ENDINGS)}.")


def _open(path: Path) -> BinaryIO:
    return gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb")  # type: ignore[return-value]


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with _open(path) as stream:
        for number in itertools.count(1):
            line = stream.readline(LONGEST_LINE + 1)
            if not line:
                return
            if len(line) > LONGEST_LINE:
                raise InvalidTask(f"{path.name}, line {number}: longer than {LONGEST_LINE // 1_000_000} MB.")
            try:
                yield number, line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise InvalidTask(
                    f"{path.name}, line {number}: not UTF-8 ({error.reason}); store the file as UTF-8."
                ) from error


def _json_lines(path: Path) -> Iterator[str]:
    for number, line in _lines(path):
        if line.strip():
            yield _text_of(line, f"{path.name}, line {number}")


def _text_of(line: str, place: str) -> str:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:  # a number of too many digits is a plain ValueError
        detail = getattr(error, "msg", "nested too deeply, or a number too long")
        raise InvalidTask(f"{place}: not valid JSON ({detail}).") from error
    text = row.get(FIELD) if isinstance(row, dict) else None
    if not isinstance(text, str):
        raise InvalidTask(f'{place}: each line must be an object with the text of a document, {{"{FIELD}": "…"}}.')
    return _whole(text, place)


def _whole(text: str, place: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidTask(f"{place}: the text holds half of a surrogate pair, which is no character.") from error
    return text


def _paragraphs(path: Path) -> Iterator[str]:
    if not _has_blank_lines(path):
        yield from (line for _, line in _lines(path))
        return
    paragraph: list[str] = []
    characters = 0
    for number, line in _lines(path):
        if not line.strip():
            if paragraph:
                yield "\n".join(paragraph)
            paragraph, characters = [], 0
            continue
        paragraph.append(line)
        characters += len(line) + 1
        if characters > LONGEST_LINE:
            raise InvalidTask(
                f"{path.name}, line {number}: its document is longer than {LONGEST_LINE // 1_000_000} MB; end each by "
                "a blank line."
            )
    yield "\n".join(paragraph)


def _has_blank_lines(path: Path) -> bool:
    """Whether a blank line stands between two that are not."""
    blank = begun = False
    for _, line in _lines(path):
        if not line.strip():
            blank = begun
        elif blank:
            return True
        else:
            begun = True
    return False


def _parquet(path: Path) -> Iterator[str]:
    import pyarrow as pa  # noqa: PLC0415 - takes a while
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    try:
        with pq.ParquetFile(path) as file:
            _check_column(path, file.schema_arrow, pa)
            number = 0
            for batch in file.iter_batches(batch_size=256, columns=[FIELD]):
                for value in _values(batch.column(0)):
                    number += 1
                    if value is not None:
                        yield _whole(value, f"{path.name}, row {number}")
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise InvalidTask(f"The corpus {path.name} is not a Parquet file that can be read: {error}.") from error


def _values(column: Any) -> Sequence[str | None]:
    values: list[str | None] = column.to_pylist()
    return values


def _check_column(path: Path, schema: Any, pa: Any) -> None:
    if FIELD not in schema.names:
        raise InvalidTask(f"The corpus {path.name} has no column {FIELD!r}; it has {', '.join(schema.names)}.")
    kind = schema.field(FIELD).type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        raise InvalidTask(f"The column {FIELD!r} of {path.name} holds {kind}, not text.")
