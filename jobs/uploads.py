"""Files that a reader uploads: checked whole and kept under their hash; nothing of a wrong one stays."""

import hashlib
import shutil
import tempfile
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from domain.errors import InvalidTask, UserError

_CHUNK = 1 << 20
#: Bytes of a name; file systems take 255.
_LONGEST_NAME = 200


def keep(
    content: BinaryIO,
    name: str,
    *,
    root: Path,
    what: str,
    endings: Sequence[str],
    largest_mb: int,
    instead: str,
    check: Callable[[Path], object],
) -> Path:
    """Where an upload is kept, ``SHA256/NAME`` below the root, so that equal uploads are one.

    ``what`` it is and what to do ``instead`` of uploading a larger one stand in the errors; ``check`` raises for one
    that cannot be used.
    """
    safe = _safe(name, what, endings)
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".upload-", dir=root) as stage:
            copy = Path(stage) / safe
            digest = _copy(content, copy, largest_mb, f"The {what} is larger than {largest_mb} MB; {instead}.")
            target = root / digest / safe
            if not target.is_file():
                check(copy)
                target.parent.mkdir(mode=0o700, exist_ok=True)
                shutil.move(copy, target)
    except OSError as error:  # a full disk, or a data folder that may only be read
        raise UserError(f"The {what} cannot be kept in {root}: {error.strerror or error}.") from error
    return target


def _copy(content: BinaryIO, to: Path, largest_mb: int, too_large: str) -> str:
    digest, size = hashlib.sha256(), 0
    with to.open("wb") as stream:
        while chunk := content.read(_CHUNK):
            size += len(chunk)
            if size > largest_mb * 1_000_000:
                raise UserError(too_large)
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def _safe(name: str, what: str, endings: Sequence[str]) -> str:
    """A plain file name that still tells which file it was, in letters of any script.

    >>> _safe("../my corpus (1).jsonl", "corpus", [".jsonl"]), _safe("Cien años.TXT", "work", [".txt"])
    ('my_corpus_1.jsonl', 'Cien_años.txt')
    """
    given = unicodedata.normalize("NFC", Path(name).name)
    ending = next((e for e in endings if given.lower().endswith(e)), None)
    if ending is None:
        raise InvalidTask(f"The {what} {name!r} must end in {', '.join(endings)}.")
    kept = (c if unicodedata.category(c)[0] in "LMN" or c in "._-" else " " for c in given[: -len(ending)])
    stem = "_".join("".join(kept).split()).lstrip("._") or "_".join(what.split())
    return stem.encode()[: _LONGEST_NAME - len(ending)].decode(errors="ignore") + ending
