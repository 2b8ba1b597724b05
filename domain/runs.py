"""A run: one endpoint × one suite, benchmark by benchmark."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from domain.benchmarks import RunOptions
from domain.energy import EnergyReading
from domain.hashing import plain, sha256_of


class RunState(StrEnum):
    """Life of a run and of each of its benchmarks."""

    QUEUED = "queued"
    RUNNING = "running"
    #: cancel was asked for and is not yet confirmed by the worker
    CANCELLING = "cancelling"
    CANCELLED = "cancelled"
    #: pause was asked for and is not yet confirmed by the worker
    PAUSING = "pausing"
    #: keeps its answers and leaves its place at the endpoint to others until a person resumes it
    PAUSED = "paused"
    #: its worker vanished or was stopped; goes on from the last stored answer
    INTERRUPTED = "interrupted"
    DONE = "done"
    #: finished, some benchmarks failed
    DONE_WITH_FAILURES = "done_with_failures"
    FAILED = "failed"
    #: could not run here (capability missing); not a failure
    SKIPPED = "skipped"

    @property
    def is_final(self) -> bool:
        """Whether it is over."""
        return self not in _GOING_ON

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing more will happen without a person."""
        return self.is_final or self is RunState.PAUSED


_GOING_ON = frozenset(
    {
        RunState.QUEUED,
        RunState.RUNNING,
        RunState.CANCELLING,
        RunState.PAUSING,
        RunState.PAUSED,
        RunState.INTERRUPTED,
    }
)


class Priority(StrEnum):
    """Which of the runs that wait for one endpoint comes first."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


#: Suite of a run that another tool carried out and whose results were imported.
IMPORTED = "imported"


#: Options that came after the first runs were stored, with their defaults: part of an identity only where they are set.
_LATER_OPTIONS = {"detector": None, "detector_threshold": None, "judge": None, "allow_code": False, "samples": 1}
#: What of a judge decides its verdicts; its agreement is told beside them and may be measured again meanwhile.
_OF_JUDGE = frozenset({"endpoint_id", "prompt_version", "weights"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpec:
    """What is to be run. Two runs of equal identity ask the same questions of the same endpoint."""

    endpoint_id: str
    #: Suite of the requirements map, or ``tasks`` for benchmarks named one by one.
    suite: str
    benchmarks: tuple[str, ...]
    options: RunOptions = field(default_factory=RunOptions)
    map_sha256: str
    #: What the server told of its weights when the run was planned; a run that is gone on with must find the same.
    weights: str | None = None

    @property
    def identity(self) -> str:
        """Hash of all that is asked. The weights have no part in it: a run is compared with one before a change."""
        spec = plain(self)
        options = {k: v for k, v in spec["options"].items() if k not in _LATER_OPTIONS or v != _LATER_OPTIONS[k]}
        if judge := options.get("judge"):
            options["judge"] = {k: v for k, v in judge.items() if k in _OF_JUDGE}
        return sha256_of({k: v for k, v in {**spec, "options": options}.items() if k != "weights"})


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkRun:
    """One benchmark of a run and how far it is."""

    run_id: str
    benchmark: str
    state: RunState
    #: Requests.
    done: int = 0
    total: int = 0
    reused: int = 0
    errors: Mapping[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    #: Why it failed or was skipped, in one sentence.
    reason: str | None = None
    method: str | None = None
    raw_sha256: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    population: int | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    energy: EnergyReading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run with its benchmarks."""

    id: str
    spec: RunSpec
    state: RunState
    created_by: str
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    reason: str | None = None
    benchmarks: tuple[BenchmarkRun, ...] = ()
    priority: Priority = Priority.NORMAL

    @property
    def is_imported(self) -> bool:
        """Whether another tool carried it out; nothing of it can be asked again."""
        return self.spec.suite == IMPORTED

    @property
    def done(self) -> int:
        """Requests answered so far."""
        return sum(b.done for b in self.benchmarks)

    @property
    def total(self) -> int:
        """Requests planned so far; grows until the last benchmark has counted its own."""
        return sum(b.total for b in self.benchmarks)

    @property
    def errors(self) -> dict[str, int]:
        """Failed requests by class."""
        counts: dict[str, int] = {}
        for benchmark in self.benchmarks:
            for kind, count in benchmark.errors.items():
                counts[kind] = counts.get(kind, 0) + count
        return counts


#: What the queue of endpoints that name none is called.
COMMON_QUEUE = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """A process that runs benchmarks, as it last reported."""

    id: str
    host: str
    pid: int
    version: str
    started_at: datetime
    heartbeat_at: datetime
    #: Names of the queues it serves with commas between; None for all of them.
    queues: str | None = None

    def serves(self, queue: str | None) -> bool:
        """Whether it takes runs from this queue; None is the common one."""
        return self.queues is None or (queue or COMMON_QUEUE) in self.queues.split(",")
