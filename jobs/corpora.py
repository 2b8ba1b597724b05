"""Samples of a training corpus that an operator supplies: checked whole, and uploads kept under their hash."""

import hashlib
import re
import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO

from domain.errors import InvalidTask, UserError
from evaluators.corpus import reading

#: Largest upload; a larger file is scanned where it is, with `vera corpus scan`.
LARGEST_MB = 200
#: Folder below the data folder; each corpus in one named by its hash, so that equal uploads are one.
FOLDER = "corpora"
_CHUNK = 1 << 20
_LONGEST_NAME = 100


def check(path: Path) -> reading.Corpus:
    """The corpus with as little of it as tells that all of it can be read; InvalidTask names the line that cannot."""
    if not path.is_file():
        raise InvalidTask(f"There is no file {path}.")
    return reading.read(path, most=1, seed=0)


def keep(content: BinaryIO, name: str, *, data_folder: Path) -> Path:
    """Where an uploaded corpus is kept, ``corpora/SHA256/NAME`` below the data folder; nothing of a wrong one stays."""
    safe = _safe(name)
    root = data_folder / FOLDER
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".upload-", dir=root) as stage:
        copy = Path(stage) / safe
        digest = _copy(content, copy)
        target = root / digest / safe
        if target.is_file():
            return target
        check(copy)
        target.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.move(copy, target)
    return target


def _copy(content: BinaryIO, to: Path) -> str:
    digest, size = hashlib.sha256(), 0
    with to.open("wb") as stream:
        while chunk := content.read(_CHUNK):
            size += len(chunk)
            if size > LARGEST_MB * 1_000_000:
                raise UserError(
                    f"The corpus is larger than {LARGEST_MB} MB; scan it where it is with `vera corpus scan FILE`."
                )
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def _safe(name: str) -> str:
    """A plain file name that still tells which file it was.

    >>> _safe("../my corpus (1).jsonl")
    'my_corpus_1_.jsonl'
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", Path(name).name).lstrip("._") or "corpus"
    ending = next((e for e in reading.ENDINGS if plain.lower().endswith(e)), None)
    if ending is None:
        raise InvalidTask(f"The corpus {name!r} must end in {', '.join(reading.ENDINGS)}.")
    stem = plain[: -len(ending)] or "corpus"
    return stem[: _LONGEST_NAME - len(ending)] + ending
