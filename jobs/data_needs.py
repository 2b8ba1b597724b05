"""Where benchmarks find their items on this machine, and which of them do not."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from domain.benchmarks import Benchmark
from domain.datasets import Manifest
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
        if {benchmark.key, benchmark.task, benchmark.key.rpartition(":")[2]} & set(data_files):
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


def _is_cached(hub: mirror.HubData, environ: Mapping[str, str]) -> bool:
    """Whether a data set was fetched from the Hugging Face hub before, or is a folder of this machine."""
    if Path(hub.path).is_dir():
        return True
    home = Path(environ.get("HF_HOME") or Path(environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface")
    prepared = Path(environ.get("HF_DATASETS_CACHE") or home / "datasets")
    return (prepared.expanduser() / hub.path.replace("/", "___").lower()).is_dir()
