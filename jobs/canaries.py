"""Sets of canaries: made, stated to be planted, and checked before a run asks for them."""

from dataclasses import replace
from pathlib import Path

from domain.benchmarks import Benchmark, RunOptions
from domain.evidence import Evidence
from evaluators.canaries import keys, planting


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
    """The benchmark with the people of its key; InvalidTask for a key that cannot be read. Others as they are."""
    if benchmark.evidence is not Evidence.CANARIES or not options.supplies(benchmark):
        return benchmark
    given = next(options.data_files[name] for name in benchmark.data_names if name in options.data_files)
    return replace(benchmark, items=len(keys.read(Path(given)).planted))
