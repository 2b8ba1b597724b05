"""Samples of a training corpus that an operator supplies: checked whole, and uploads kept under their hash."""

from pathlib import Path
from typing import BinaryIO

from domain.errors import InvalidTask
from evaluators.corpus import reading
from jobs import uploads

#: Largest upload; a larger file is scanned where it is, with `vera corpus scan`.
LARGEST_MB = 200
#: Folder below the data folder; each corpus in one named by its hash, so that equal uploads are one.
FOLDER = "corpora"


def check(path: Path) -> reading.Corpus:
    """The corpus with as little of it as tells that all of it can be read; InvalidTask names the line that cannot."""
    if not path.is_file():
        raise InvalidTask(f"There is no file {path}.")
    return reading.read(path, most=1, seed=0)


def keep(content: BinaryIO, name: str, *, data_folder: Path) -> Path:
    """Where an uploaded corpus is kept, ``corpora/SHA256/NAME`` below the data folder; nothing of a wrong one stays."""
    return uploads.keep(
        content,
        name,
        root=data_folder / FOLDER,
        what="corpus",
        endings=reading.ENDINGS,
        largest_mb=LARGEST_MB,
        instead="scan it where it is with `vera corpus scan FILE`",
        check=check,
    )
