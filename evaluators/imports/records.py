"""What another tool's files say, before it is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from domain.benchmarks import Method, RawResult, Sample
from domain.hashing import sha256_of
from evaluators.benchmarks.samples import storable
from evaluators.imports.files import File
from evaluators.imports.metrics import Reported, sorted_out

#: Name of the evaluator that measures imported results.
EVALUATOR = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Which files of which tool a result comes from."""

    tool: str
    tool_version: str | None
    model: str | None
    files: tuple[File, ...]
    started_at: datetime | None
    finished_at: datetime | None
    #: What the tool says of how it asked: arguments, seeds, its own version of things.
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def hashes(self) -> dict[str, str]:
        """Name of each file → SHA-256 of its bytes."""
        return {file.name: file.sha256 for file in self.files}

    @property
    def identity(self) -> str:
        """The same for the same bytes, wherever they lie."""
        return sha256_of(sorted(self.hashes.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """One evaluation of one model by another tool."""

    origin: Origin
    results: tuple[RawResult, ...]
    #: What is in the files and was left aside, each in one sentence.
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task of an evaluation as its files give it."""

    key: str
    title: str
    version: str
    reported: Sequence[Reported]
    samples: Sequence[Sample]
    population: int | None
    settings: Mapping[str, Any]
    #: What the files say of how an answer ended: ``error``, ``truncated``.
    tells: Sequence[str] = ()


def raw_result(task: Task, origin: Origin, *, now: datetime) -> RawResult:
    """A task as what VERA keeps of a benchmark; its provenance says that it was imported and from where."""
    sorting = sorted_out(task.reported, task.samples)
    known = max((r.n or 0 for r in task.reported), default=0)
    return RawResult(
        benchmark=task.key,
        benchmark_version=task.version,
        evaluator=EVALUATOR,
        method=Method.IMPORTED,
        samples=sorting.samples,
        population=task.population or len(task.samples) or known,
        provenance={
            "imported": {
                "tool": origin.tool,
                "tool_version": origin.tool_version,
                "model": origin.model,
                "files": origin.hashes,
                "date_known": origin.started_at is not None,
                "settings": storable(origin.settings),
            },
            "title": task.title,
            "source": EVALUATOR,
            "scorer": EVALUATOR,
            "task": storable(task.settings),
            "tells": list(task.tells),
            **sorting.provenance,
        },
        started_at=origin.started_at or now,
        finished_at=origin.finished_at or origin.started_at or now,
    )
