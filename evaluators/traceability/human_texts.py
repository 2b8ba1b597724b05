"""Passages that people wrote, which a detector must not take for the model's."""

import random
import re
from pathlib import Path
from typing import NamedTuple

from domain.errors import InvalidTask
from evaluators.corpus import reading

#: Words of a passage, and fewest of the last one of a text.
PASSAGE_WORDS = 55
LEAST_WORDS = 40
#: Passages asked about; 3/n then bounds a rate of none at 0.3 %.
MOST_PASSAGES = 1000


class Passage(NamedTuple):
    """A part of a text by a person."""

    id: str
    work: str
    text: str


def passages(path: Path, *, seed: int) -> list[Passage]:
    """At most a thousand passages of the text files of a folder, or of one file, drawn by the seed; in their order."""
    found = [passage for file in files(path) for passage in _of_file(file)]
    if not found:
        raise InvalidTask(f"{path} holds no text of at least {LEAST_WORDS} words that could be shown to the detector.")
    rng = random.Random(seed)  # noqa: S311 - a reproducible draw
    places = sorted(rng.sample(range(len(found)), min(MOST_PASSAGES, len(found))))
    return [found[place] for place in places]


def files(path: Path) -> list[Path]:
    """The file itself, or a folder's text files in the order of their names."""
    if not path.is_dir():
        return [path]
    texts = sorted(file for file in path.iterdir() if file.name.lower().endswith((".txt", ".txt.gz")))
    if not texts:
        raise InvalidTask(f"The folder {path} holds no text files (.txt).")
    return texts


def _of_file(path: Path) -> list[Passage]:
    work = re.sub(r"\.(txt|jsonl|parquet)(\.gz)?$", "", path.name, flags=re.IGNORECASE)
    is_book = path.name.lower().endswith((".txt", ".txt.gz"))
    # a book's paragraphs follow each other; the documents of a collection do not
    texts = ["\n".join(reading.texts(path))] if is_book else list(reading.texts(path))
    cut = [part for text in texts for part in cut_up(text)]
    return [Passage(f"{work}-{number:05}", work, part) for number, part in enumerate(cut, start=1)]


def cut_up(text: str) -> list[str]:
    """A text in passages of equal length.

    >>> [len(part.split()) for part in cut_up("word " * 120)]
    [55, 55]
    """
    words = text.split()
    parts = [words[start : start + PASSAGE_WORDS] for start in range(0, len(words), PASSAGE_WORDS)]
    return [" ".join(part) for part in parts if len(part) >= LEAST_WORDS]
