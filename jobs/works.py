"""Works of an operator that a model is asked to continue: uploads checked whole and kept under their hash."""

from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from evaluators.benchmarks import works
from jobs import uploads

#: The benchmark that asks for their continuation.
BENCHMARK = "passage_continuation"
#: Largest upload; a larger file is read where it is, with `--data`.
LARGEST_MB = 50
#: Folder below the data folder.
FOLDER = "works"


def keep(content: BinaryIO, name: str, *, data_folder: Path) -> Path:
    """Where uploaded works are kept, ``works/SHA256/NAME`` below the data folder; nothing of a wrong file stays."""
    return uploads.keep(
        content,
        name,
        root=data_folder / FOLDER,
        what="file of works",
        endings=works.ENDINGS,
        largest_mb=LARGEST_MB,
        instead=f"give it where it is with --data {BENCHMARK}=FILE",
        check=works.read,
    )


@lru_cache(maxsize=8)
def names(path: Path) -> tuple[str, ...]:
    """By what names the works of an upload are listed; each once. Its place has its hash, so it is read once."""
    return tuple(dict.fromkeys(work.name for work in works.read(path)))
