"""Sets of canaries: made, stated to be planted, and checked before a run asks for them."""

from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from domain.benchmarks import Benchmark, RunOptions
from domain.evidence import Evidence
from evaluators.canaries import keys, planting
from jobs import uploads

#: Largest upload; the largest key has 2 MB.
LARGEST_MB = 5
#: Folder below the data folder; each key in one named by its hash.
FOLDER = "canaries"


def make(
    count: int, *, to: Path, contexts: int = planting.CONTEXTS, seed: str | None = None, planted_in: str | None = None
) -> planting.Made:
    """Write the documents to plant and the key; UserError where one is there already."""
    return planting.make(count, to=to, contexts=contexts, seed=seed, planted_in=planted_in)


def state(key: Path, planted_in: str) -> str:
    """Keep in a key where its canaries were planted; the statement as it is kept."""
    statement = planting.state(key, planted_in).statement
    return "" if statement is None else statement.planted_in


def sized(benchmark: Benchmark, options: RunOptions) -> Benchmark:
    """The benchmark with the people and requests of its key; InvalidTask for one that cannot be read. Others as is."""
    if benchmark.evidence is not Evidence.CANARIES or not options.supplies(benchmark):
        return benchmark
    people = len(keys.read(Path(options.files_of(benchmark)[0])).planted)
    asked = min(people, options.limit_of(benchmark.key) or people)
    return replace(benchmark, items=people, requests_per_item=benchmark.requests_per_item + keys.CONTROLS / asked)


def keep(content: BinaryIO, name: str, *, data_folder: Path) -> Path:
    """Where an uploaded key is kept, ``canaries/SHA256/NAME`` below the data folder, for its owner alone."""
    path = uploads.keep(
        content,
        name,
        root=data_folder / FOLDER,
        what="key",
        endings=(".json",),
        largest_mb=LARGEST_MB,
        instead="a key that `vera canaries make` wrote is smaller",
        check=keys.read,
    )
    path.chmod(0o600)
    return path


def described(path: Path) -> str:
    """How many people a key holds and where they were planted, as the operator states; nobody by name."""
    key = keys.read(path)
    where = (
        "It is not stated where; state it with `vera canaries planted` first, or the score counts in part"
        if key.statement is None
        else f"Planted, as you state: {key.statement.planted_in.rstrip('.')}"
    )
    return f"{len(key.planted):,} planted people, {len(key.never_planted):,} never planted. {where}."
