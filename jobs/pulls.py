"""A mirror of what public tasks read, made on a machine that reaches the Hugging Face hub."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import evaluators
from domain.datasets import DataSet, DataSetFile, Manifest
from domain.errors import UserError
from domain.hashing import sha256_of_file
from evaluators.benchmarks import mirror
from jobs import data_manifest, datasets
from requirements_map import catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What benchmarks read, by where it comes from."""

    #: Data set of the hub → the lm-eval tasks it serves.
    hub: Mapping[mirror.HubData, tuple[str, ...]]
    #: Benchmarks that bring their items.
    own: tuple[str, ...]
    #: Data sets that no lm-eval task fetches.
    elsewhere: tuple[str, ...]


def wanted(*, suite: str | None, tasks: Sequence[str], tasks_dir: Path | None) -> Wanted:
    """What the benchmarks of a suite, or some named one by one, read."""
    named = tasks if suite is None else [b.key for b in catalogue.load().benchmarks(suite) if b.unavailable is None]
    asked = [evaluators.find(name, tasks_dir=tasks_dir)[1] for name in dict.fromkeys(named)]
    hub: dict[mirror.HubData, tuple[str, ...]] = {}
    own: list[str] = []
    for benchmark in asked:
        if benchmark.data:
            continue
        if (found := mirror.hub_data(benchmark)) is None:
            own.append(benchmark.key)
        else:
            hub[found] = (*hub.get(found, ()), datasets.served_as(benchmark))
    elsewhere = sorted({b.data.partition("/")[0] for b in asked if b.data})
    return Wanted(hub=hub, own=tuple(own), elsewhere=tuple(elsewhere))


def pull(
    hub: Mapping[mirror.HubData, Sequence[str]], *, to: Path, offline: bool, tell: Callable[[str], None]
) -> datasets.Imported:
    """Fetch data sets and put them into a folder that can be imported; all of them or none."""
    if offline:
        raise UserError("VERA_OFFLINE is set, so nothing is fetched; pull on a connected machine without it.")
    if to.exists() and not (to.is_dir() and (data_manifest.exists(to) or not any(to.iterdir()))):
        raise UserError(f"{to} holds something else; name a folder that is empty, new, or was pulled into before.")
    with tempfile.TemporaryDirectory(prefix="vera-pull-") as name:
        root = Path(name) / "mirror"
        root.mkdir()
        fetched = []
        for found, tasks in hub.items():
            tell(f"Fetching {found.path} for {', '.join(tasks)} …")
            fetched.append(_fetched(found, tasks, root))
        data_manifest.write(root, Manifest(data_sets=tuple(fetched)))
        return datasets.import_folder(root, folder=to)


def _fetched(found: mirror.HubData, tasks: Sequence[str], root: Path) -> DataSet:
    from evaluators.benchmarks import hub  # noqa: PLC0415 - loads `datasets`

    path = f"{found.key}/{found.split}.jsonl"
    got = hub.fetch(found, root / path, cache=root.parent / "cache")
    file = DataSetFile(
        path=path,
        sha256=sha256_of_file(root / path),
        bytes=(root / path).stat().st_size,
        rows=got.rows,
        columns=got.columns,
    )
    return DataSet(
        id=found.key,
        name=" ".join(part for part in (found.path, found.name) if part),
        source={"hub": found.path, "name": found.name, "split": found.split, "revision": got.revision},
        licence=got.licence or "not stated",
        licence_status="as the hub states it" if got.licence else "not-stated",
        files=(file,),
        serves=dict.fromkeys(tasks, path),
    )
