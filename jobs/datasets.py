"""Data sets of this machine: imported with their hashes checked, listed, and verified."""

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import evaluators
from domain.benchmarks import Benchmark
from domain.datasets import DataSet, DataSetFile, Manifest
from domain.errors import InvalidTask, UserError
from domain.hashing import sha256_of_file
from evaluators.benchmarks import mirror
from jobs import data_manifest

_STAGE = ".import-"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import brought."""

    data_sets: tuple[DataSet, ...]
    #: Files that were not there before, or had another content.
    copied: int
    #: Files that were there already.
    kept: int
    #: A sentence for each data set that was left out, because a file of it is not what the manifest describes.
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A file that is not as it was imported."""

    data_set: str
    path: str
    #: ``missing``, ``changed`` or ``unreadable``.
    kind: str
    detail: str


def listed(folder: Path) -> tuple[DataSet, ...]:
    """The imported data sets in the order of their ids."""
    found = data_manifest.read(folder).data_sets if data_manifest.exists(folder) else ()
    return tuple(sorted(found, key=lambda d: d.id))


def served_benchmarks(data_set: DataSet) -> tuple[str, ...]:
    """Keys of our benchmarks whose items are this data set's."""
    return tuple(b.key for b in evaluators.benchmarks() if b.data and data_set.files_at(b.data))


def verify(folder: Path) -> tuple[int, tuple[Problem, ...]]:
    """How many files there should be, and those whose content is not what was imported."""
    if not data_manifest.exists(folder):
        return 0, ()
    manifest = data_manifest.read(folder)
    owners = {f.path: d.id for d in manifest.data_sets for f in d.files}
    found = [_problem(folder, f, owners.get(f.path, "licence texts")) for f in manifest.files]
    return len(found), tuple(problem for problem in found if problem is not None)


def _problem(folder: Path, file: DataSetFile, owner: str) -> Problem | None:
    path = folder / file.path
    try:
        digest = sha256_of_file(path)
    except (FileNotFoundError, NotADirectoryError):
        return Problem(data_set=owner, path=file.path, kind="missing", detail="there is no such file")
    except OSError as error:
        return Problem(data_set=owner, path=file.path, kind="unreadable", detail=str(error.strerror or error))
    if digest == file.sha256:
        return None
    return Problem(
        data_set=owner, path=file.path, kind="changed", detail=f"sha256 {digest[:12]}… instead of {file.sha256[:12]}…"
    )


def import_folder(source: Path, *, folder: Path) -> Imported:
    """Bring every data set of a folder's manifest whose files are all as it describes them; the others are named."""
    if not source.is_dir():
        raise InvalidTask(f"There is no folder {source}.")
    if source.resolve() == folder.resolve():
        raise UserError(f"{source} is the data folder itself, so there is nothing to import.")
    brought = data_manifest.read(source)
    if not brought.data_sets:
        raise InvalidTask(f"The manifest of {source} names no data set.")
    served = tuple(d if d.serves else replace(d, serves=mirror.serves(d)) for d in brought.data_sets)
    return _import(source.resolve(), replace(brought, data_sets=served), folder)


def import_file(source: Path, *, task: str, licence: str | None, folder: Path) -> Imported:
    """Bring one file as the data of one lm-eval task or benchmark."""
    benchmark = evaluators.find(task)[1]
    if source.is_dir():
        raise InvalidTask(f"{source} is a folder; --task takes one file. A folder is imported by its MANIFEST.yaml.")
    if not source.exists():
        raise InvalidTask(f"There is no file {source}.")
    rows = mirror.count_rows(source)
    name = benchmark.key.rpartition(":")[2].rpartition("/")[2].removesuffix(".yaml")
    path = f"own_{name}/{source.name}"
    if not data_manifest.is_inside(path):
        raise InvalidTask(f"A file named {source.name!r} cannot be imported; give it a plain name.")
    file = DataSetFile(path=path, sha256=sha256_of_file(source), bytes=source.stat().st_size, rows=rows)
    data_set = DataSet(
        id=f"own_{name}",
        name=f"{benchmark.title}: a file of the operator's own",
        source={"file": source.name},
        licence=licence or "not stated",
        licence_status="as given" if licence else "not-stated",
        files=(file,),
        serves={served_as(benchmark): path},
    )
    with _as_copied_by(source, path) as root:
        return _import(root, Manifest(data_sets=(data_set,)), folder)


def served_as(benchmark: Benchmark) -> str:
    """The name under which a benchmark's data are looked for; an operator's task file may lie elsewhere next time."""
    return {"public": benchmark.task, "own": benchmark.title}.get(benchmark.source, benchmark.key)


@contextlib.contextmanager
def _as_copied_by(source: Path, path: str) -> Iterator[Path]:
    """A folder in which a single file has the place it will be imported to."""
    with tempfile.TemporaryDirectory(prefix="vera-import-") as root:
        target = Path(root) / path
        target.parent.mkdir(parents=True)
        shutil.copyfile(source, target)
        yield Path(root)


class _WrongFile(InvalidTask):
    """A file is not the one that its manifest describes."""


def _import(source: Path, brought: Manifest, folder: Path) -> Imported:
    try:
        with _exclusively(folder), _stage(folder) as stage:
            before = data_manifest.read(folder) if data_manifest.exists(folder) else Manifest()
            sound, left_out = _checked(source, brought, folder, stage)
            merged = _merged(before, sound)
            copied = _keep(stage, sound, folder)
            data_manifest.write(folder, merged)
            _remove_stale(folder, before, merged)
    except OSError as error:
        if error.errno == errno.ENOSPC:  # the entry point has a sentence for a full disk
            raise
        place = f" {error.filename}:" if error.filename else ""
        raise UserError(f"The data cannot be imported into {folder}:{place} {error.strerror or error}.") from error
    return Imported(data_sets=sound.data_sets, copied=copied, kept=len(sound.files) - copied, left_out=tuple(left_out))


def _checked(source: Path, brought: Manifest, folder: Path, stage: Path) -> tuple[Manifest, list[str]]:
    """Every file hashed, and copied to the stage where it is new: the data sets that are whole, and why others are not.

    What leads out of a folder refuses the whole import; a wrong file only its data set. Nothing sound is an error.
    """
    sound, left_out = [], []
    for file in brought.files:
        _refuse_links(source, file.path)
        _refuse_links(folder, file.path)
    for text in brought.licence_texts:
        _take(source, text, folder, stage)
    for data_set in brought.data_sets:
        try:
            for file in data_set.files:
                _take(source, file, folder, stage)
        except _WrongFile as error:
            left_out.append(f"{data_set.id} is left out: {error}")
        else:
            sound.append(data_set)
    if not sound:
        raise InvalidTask(f"Nothing was imported. {left_out[0]}")
    return replace(brought, data_sets=tuple(sound)), left_out


def _keep(stage: Path, sound: Manifest, folder: Path) -> int:
    """Move what was copied to where it belongs; how many files that were."""
    fresh = [file for file in sound.files if (stage / file.path).exists()]
    for file in fresh:
        target = folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        (stage / file.path).replace(target)
    return len(fresh)


@contextlib.contextmanager
def _exclusively(folder: Path) -> Iterator[None]:
    """One import at a time; a folder that was made for an import that failed goes again."""
    made = not folder.exists()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
        if made:
            with contextlib.suppress(OSError):  # it is not empty: the import succeeded
                folder.rmdir()


@contextlib.contextmanager
def _stage(folder: Path) -> Iterator[Path]:
    """A place in the data folder for copies that are not yet all checked; what a killed import left there goes."""
    for left in folder.glob(f"{_STAGE}*"):
        shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=_STAGE, dir=folder) as stage:
        yield Path(stage)


def _merged(before: Manifest, brought: Manifest) -> Manifest:
    """Data sets by id, the new ones in place of the old; a task is served by what was imported last."""
    ids = {d.id for d in brought.data_sets}
    tasks = {task for d in brought.data_sets for task in d.serves}
    kept = [
        replace(d, serves={task: path for task, path in d.serves.items() if task not in tasks})
        for d in before.data_sets
        if d.id not in ids
    ]
    owner = {f.path: (d.id, f.sha256) for d in kept for f in d.files}
    for data_set in brought.data_sets:
        for file in data_set.files:
            if owner.get(file.path, ("", file.sha256))[1] != file.sha256:
                raise InvalidTask(f"{file.path} of {data_set.id} is a file of {owner[file.path][0]} already.")
    texts = {f.path: f for f in (*before.licence_texts, *brought.licence_texts)}
    return Manifest(data_sets=(*kept, *brought.data_sets), licence_texts=tuple(texts.values()))


def _take(source: Path, file: DataSetFile, folder: Path, stage: Path) -> None:
    """Check a file, and copy it to the stage unless the data folder has the same already."""
    copy = stage / file.path
    copy.parent.mkdir(parents=True, exist_ok=True)
    try:
        origin = source / file.path
        digest = sha256_of_file(origin) if _is_there(folder / file.path, file) else _copied(origin, copy)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise _WrongFile(f"{file.path} is named in the manifest of {source} and is not there.") from error
    if digest != file.sha256:
        raise _WrongFile(
            f"{file.path} is not the file that its manifest describes (its sha256 is {digest[:12]}… instead of "
            f"{file.sha256[:12]}…)."
        )


def _is_there(path: Path, file: DataSetFile) -> bool:
    return path.is_file() and path.stat().st_size == file.bytes and sha256_of_file(path) == file.sha256


def _refuse_links(root: Path, path: str) -> None:
    """A link could lead to any other file of the machine."""
    for part in (PurePosixPath(path), *PurePosixPath(path).parents):
        if (root / part).is_symlink() and str(part) != ".":
            raise InvalidTask(f"{root / part} is a symbolic link; only plain files are imported, and nothing was.")
    if (root / path).exists() and not (root / path).is_file():
        raise InvalidTask(f"{root / path} is not a plain file; nothing was imported.")


def _copied(path: Path, to: Path) -> str:
    """The hash of what was copied of a file, in one reading."""
    digest = hashlib.sha256()
    with path.open("rb") as stream, to.open("wb") as copy:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()


def _remove_stale(folder: Path, before: Manifest, merged: Manifest) -> None:
    """Files of an earlier form of a data set, which a benchmark that reads its folder would read with the new ones."""
    wanted = {f.path for f in merged.files}
    for file in before.files:
        if file.path not in wanted and not (folder / file.path).is_symlink():
            (folder / file.path).unlink(missing_ok=True)
