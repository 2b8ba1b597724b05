"""MANIFEST.yaml of a folder of data sets: read as untrusted text, written whole or not at all."""

import functools
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from domain.datasets import DataSet, DataSetFile, Manifest
from domain.errors import InvalidTask
from reports import files

NAME = "MANIFEST.yaml"

_Sha256 = Annotated[str, StringConstraints(pattern="^[0-9a-f]{64}$")]


def _one_line(text: str) -> str:
    """Without line breaks, and without what would move a terminal's cursor."""
    line = " ".join(text.split())
    if not line.isprintable():
        raise ValueError("holds a character that cannot be printed")
    return line


_Line = Annotated[str, AfterValidator(_one_line)]
_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]


class _Text(BaseModel):
    model_config = ConfigDict(extra="ignore")

    sha256: _Sha256
    bytes: int = Field(ge=0)


class _File(_Text):
    path: str
    rows: int | None = Field(default=None, ge=0)
    columns: tuple[str, ...] = ()


class _LmEval(BaseModel):
    model_config = ConfigDict(extra="ignore")

    tasks: tuple[_Line, ...] = ()
    columns_match: str | None = None


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: _Id
    name: _Line
    source: dict[str, Any] = {}
    upstream: str | None = None
    licence: _Line
    licence_status: _Line = "not-stated"
    note: str | None = None
    lm_eval: _LmEval = _LmEval()
    serves: dict[_Line, str] = {}
    files: tuple[_File, ...] = Field(min_length=1)


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="ignore")

    schema_version: Literal[1]
    benchmarks: tuple[_Entry, ...] = ()
    licence_texts: dict[str, _Text] = {}


def exists(folder: Path) -> bool:
    """Whether a folder has a manifest."""
    return (folder / NAME).is_file()


def read(folder: Path) -> Manifest:
    """The manifest of a folder; InvalidTask names the file, the entry and what is wrong with it."""
    path = folder / NAME
    try:
        state = path.stat()
    except OSError as error:
        reason = f"{path}: {error.strerror or error}"
        raise InvalidTask(f"The folder {folder} has no manifest that says what its files are ({reason}).") from error
    return _read(path, (state.st_ino, state.st_mtime_ns, state.st_size))


@functools.lru_cache(maxsize=4)  # a page plans a run with every click; a replaced manifest is another file
def _read(path: Path, _state: tuple[int, int, int]) -> Manifest:
    try:
        content = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        found = _Manifest.model_validate(content)
    except OSError as error:
        raise InvalidTask(f"{path} cannot be read: {error.strerror or error}.") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InvalidTask(f"{path} is not valid YAML: {' '.join(str(error).split())}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InvalidTask(f"{path} cannot be used: {place}: {first['msg']}.") from error
    manifest = Manifest(
        data_sets=tuple(_data_set(entry) for entry in found.benchmarks),
        licence_texts=tuple(DataSetFile(path=p, **t.model_dump()) for p, t in found.licence_texts.items()),
    )
    _check(manifest, path)
    return manifest


def _data_set(entry: _Entry) -> DataSet:
    return DataSet(
        **entry.model_dump(exclude={"files", "lm_eval"}),
        **entry.lm_eval.model_dump(),
        files=tuple(DataSetFile(**file.model_dump()) for file in entry.files),
    )


def _check(manifest: Manifest, place: Path) -> None:
    """Refuse what would be written outside its folder, or twice to one place."""
    for kind, names in (
        ("data set", [d.id for d in manifest.data_sets]),
        ("file", [f.path for f in manifest.files]),
    ):
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise InvalidTask(f"{place} names the {kind} {twice[0]} twice.")
    for file in manifest.files:
        if not is_inside(file.path):
            raise InvalidTask(f"{place} names the file {file.path!r}, which is not a path below its folder.")
    for data_set in manifest.data_sets:
        for task, path in data_set.serves.items():
            if not data_set.files_at(path):
                raise InvalidTask(f"{place} says that {path!r} serves {task}, but {data_set.id} has no such file.")


def is_inside(path: str) -> bool:
    """Whether a path stays below the folder it is relative to, and takes no name that VERA needs there.

    >>> is_inside("bbq/Age.jsonl.gz"), is_inside("../x"), is_inside("/etc/passwd"), is_inside(".import-1/x")
    (True, False, False, False)
    """
    parts = PurePosixPath(path).parts
    return (
        path == "/".join(parts)
        and path.isprintable()
        and "\\" not in path
        and ".." not in parts
        and not path.startswith(("/", "."))
        and path != NAME
    )


def write(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest of a folder in one step."""
    content = {
        "schema_version": 1,
        "benchmarks": [_plain(d) for d in manifest.data_sets],
        "licence_texts": {f.path: {"sha256": f.sha256, "bytes": f.bytes} for f in manifest.licence_texts},
    }
    text = yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120)
    files.replace(folder / NAME, text.encode())


def _plain(data_set: DataSet) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": data_set.id,
        "name": data_set.name,
        "source": dict(data_set.source),
        "upstream": data_set.upstream,
        "licence": data_set.licence,
        "licence_status": data_set.licence_status,
        "note": data_set.note,
        "lm_eval": {"tasks": list(data_set.tasks), "columns_match": data_set.columns_match},
        "serves": dict(data_set.serves),
        "files": [_plain_file(file) for file in data_set.files],
    }
    return {key: value for key, value in entry.items() if value is not None}


def _plain_file(file: DataSetFile) -> dict[str, Any]:
    return {
        "path": file.path,
        "rows": file.rows,
        "columns": list(file.columns),
        "bytes": file.bytes,
        "sha256": file.sha256,
    }
