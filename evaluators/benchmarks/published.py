"""Our tasks over published data sets, which are imported and never part of VERA: what each asks and what it needs."""

from domain.benchmarks import Benchmark

PUBLISHED: tuple[Benchmark, ...] = ()
