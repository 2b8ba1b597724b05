"""Where benchmarks find their items on this machine, and which of them do not."""

import functools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from domain.benchmarks import Benchmark
from domain.datasets import Manifest
from domain.hashing import sha256_of_file
from evaluators.benchmarks import mirror
from jobs import data_manifest, datasets
from jobs.context import Context


def files_for(asked: Sequence[Benchmark], folder: Path) -> dict[str, str]:
    """Where the items of benchmarks are, of those whose data were imported: key → file or folder."""
    reading = [b for b in asked if b.data or b.source in {"public", "own"}]
    manifest = data_manifest.read(folder) if reading and data_manifest.exists(folder) else Manifest()
    found = {}
    for benchmark in reading:
        path = manifest.serving(datasets.served_as(benchmark)) or benchmark.data
        if path and (folder / path).exists():
            found[benchmark.key] = str(folder / path)
    return found


def sized(benchmark: Benchmark, folder: Path) -> Benchmark:
    """The same benchmark; a listed public task with no more items than were imported for it."""
    if benchmark.source != "public" or benchmark.items is None or not data_manifest.exists(folder):
        return benchmark
    task = datasets.served_as(benchmark)
    found = [f for d in data_manifest.read(folder).data_sets if task in d.serves for f in d.files_at(d.serves[task])]
    rows = [f.rows for f in found if f.rows is not None]
    return replace(benchmark, items=min(benchmark.items, sum(rows))) if rows else benchmark


def absent(asked: Sequence[Benchmark], data_files: Mapping[str, str], context: Context) -> dict[str, str]:
    """Why benchmarks cannot be asked for want of their data, each with the command that brings them: key → sentence."""
    found = {}
    for benchmark in asked:
        given = [data_files[name] for name in benchmark.data_names if name in data_files]
        if given:
            if other := _other_than_imported(Path(given[0]), context.settings.data_folder):
                found[benchmark.key] = (
                    f"{other} is not as it was imported; import it again (`vera data verify` names all that differs)."
                )
            continue
        if benchmark.data:
            found[benchmark.key] = (
                f"The data set {benchmark.data.partition('/')[0]} is not on this machine; "
                "import it with `vera data import FOLDER`."
            )
        elif context.settings.offline and (hub := mirror.hub_data(benchmark)) and not _is_cached(hub, context.environ):
            found[benchmark.key] = (
                f"The data set {hub.path} is not on this machine, which is set to stay offline; on a connected one "
                f"run `vera data pull --task {shlex.quote(benchmark.task)} --to FOLDER`, "
                "and here `vera data import FOLDER`."
            )
    return found


def _other_than_imported(path: Path, folder: Path) -> str | None:
    """The first file of imported data that is missing or has another hash; None for data from anywhere else."""
    if not path.is_relative_to(folder) or not data_manifest.exists(folder):
        return None
    files = [f for d in data_manifest.read(folder).data_sets for f in d.files_at(path.relative_to(folder).as_posix())]
    return next((f.path for f in files if sha256_of_now(folder / f.path) != f.sha256), None)


def sha256_of_now(path: Path) -> str | None:
    """Hash of a file as it is now, read once for each state of it; None where it cannot be read."""
    try:
        state = path.stat()
        return _sha256_of_state(path, (state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size))
    except OSError:  # it is missing, or cannot be read any more
        return None


@functools.lru_cache(maxsize=1024)  # a page plans a run with every click
def _sha256_of_state(path: Path, _state: tuple[int, ...]) -> str:
    return sha256_of_file(path)


def _is_cached(hub: mirror.HubData, environ: Mapping[str, str]) -> bool:
    """Whether a data set was fetched from the Hugging Face hub before, or is a folder of this machine."""
    if Path(hub.path).is_dir():
        return True
    home = Path(environ.get("HF_HOME") or Path(environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface")
    prepared = Path(environ.get("HF_DATASETS_CACHE") or home / "datasets")
    return (prepared.expanduser() / hub.path.replace("/", "___").lower()).is_dir()
