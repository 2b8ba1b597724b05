"""Data sets that were imported: where each comes from, under which licence, and the files that hold its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSetFile:
    """One file of a data set, as it was when it was imported."""

    #: Below the folder of the manifest, with forward slashes.
    path: str
    sha256: str
    bytes: int
    #: None where nobody counted them.
    rows: int | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set with its files."""

    id: str
    name: str
    #: Where it was taken from: repository and commit, or Hugging Face id, configuration, split and revision.
    source: Mapping[str, Any]
    licence: str
    #: ``permissive``, ``share-alike``, ``not-stated`` … as its manifest puts it.
    licence_status: str
    files: tuple[DataSetFile, ...]
    #: lm-eval task or benchmark → the file, or the folder of files, below the manifest's folder that it reads.
    serves: Mapping[str, str] = field(default_factory=dict)
    #: lm-eval tasks that its manifest names, `<word>` in a name standing for any; and whether the columns are theirs.
    tasks: tuple[str, ...] = ()
    columns_match: str | None = None
    upstream: str | None = None
    note: str | None = None

    def files_at(self, path: str) -> tuple[DataSetFile, ...]:
        """The file of this path, or the files below it where it is a folder."""
        return tuple(f for f in self.files if f.path == path or f.path.startswith(path + "/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a folder of data sets holds."""

    data_sets: tuple[DataSet, ...] = ()
    #: Licence texts that travel with the data.
    licence_texts: tuple[DataSetFile, ...] = ()

    @property
    def files(self) -> tuple[DataSetFile, ...]:
        """Every file the folder must have."""
        return (*(f for d in self.data_sets for f in d.files), *self.licence_texts)

    def serving(self, name: str) -> str | None:
        """The file or folder that a task or benchmark of this name reads."""
        return next((d.serves[name] for d in self.data_sets if name in d.serves), None)
