"""Writing a file so that a reader never meets half of it."""

import os
import tempfile
from pathlib import Path

from domain.errors import UserError


def write_atomically(path: Path, content: bytes) -> Path:
    """A report with its whole content, or as it was before; UserError says why it could not be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content)
    except OSError as error:
        raise UserError(
            f"The report could not be written to {path} ({error.strerror or error}); name another file or free space."
        ) from error
    return path


def replace(path: Path, content: bytes) -> None:
    """The file with its whole content, or as it was before; OSError where it could not be written."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        unfinished = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            # A temporary file is private; what replaces another is an ordinary one.
            unfinished.chmod(0o666 & ~_umask())
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def _umask() -> int:
    # The mask can only be read by setting it.
    current = os.umask(0o022)
    os.umask(current)
    return current
