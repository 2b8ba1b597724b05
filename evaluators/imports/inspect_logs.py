"""Logs of Inspect: one JSON object (``.json``), or a zip archive of the same in parts (``.eval``).

Read so: ``status``, ``eval`` (task, model, version), ``results.scores[].metrics`` and ``samples``. In an archive
``header.json`` is the object without its samples, and each sample is a file below ``samples/``.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from evaluators.imports import inspect_samples
from evaluators.imports.files import File, checked, label, number, whole
from evaluators.imports.metrics import Reported
from evaluators.imports.records import Imported, Origin, Task, raw_result

TOOL = "inspect"
_PREFIX = "inspect:"
#: Uncertainties, not metrics: intervals are made from the items.
_UNCERTAINTY = frozenset({"stderr", "bootstrap_stderr", "std", "var"})
#: Means over samples, whatever they are called.
_MEANS = frozenset({"accuracy", "mean"})
_MOST_BYTES = 4 * 2**30


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", protected_namespaces=())


class Metric(_Read):
    """A metric of a scorer."""

    value: Any = None


class Score(_Read):
    """A scorer with its metrics."""

    name: str
    metrics: dict[str, Metric] = Field(default_factory=dict)
    scored_samples: int | None = None


class Outcome(_Read):
    """The numbers of a log."""

    total_samples: int | None = None
    completed_samples: int | None = None
    scores: list[Score] = Field(default_factory=list)


class DataSet(_Read):
    """What was asked."""

    name: str | None = None
    samples: int | None = None


class Evaluation(_Read):
    """What was evaluated."""

    task: str
    model: str
    task_version: int | str = "not told"
    created: str | None = None
    dataset: DataSet = Field(default_factory=DataSet)
    config: dict[str, Any] = Field(default_factory=dict)
    model_args: dict[str, Any] = Field(default_factory=dict)
    packages: dict[str, Any] = Field(default_factory=dict)


class Stats(_Read):
    """When it was."""

    started_at: str | None = None
    completed_at: str | None = None


class Log(_Read):
    """The part of a log that is read."""

    status: str
    evaluation: Evaluation = Field(alias="eval")
    results: Outcome | None = None
    stats: Stats = Field(default_factory=Stats)
    samples: list[inspect_samples.LoggedSample] | None = None


def is_log(value: Any) -> bool:
    """Whether a JSON value is a log of Inspect."""
    return isinstance(value, Mapping) and "status" in value and isinstance(value.get("eval"), Mapping)


def unpacked(file: File) -> dict[str, Any]:
    """The object that an archive holds in parts."""
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            names = archive.namelist()
            if "header.json" not in names:
                raise file.refused("it has no header.json, as a log has that was finished")
            if sum(entry.file_size for entry in archive.infolist()) > _MOST_BYTES:
                raise file.refused("it unpacks to more than 4 GiB")
            log = json.loads(archive.read("header.json"))
            parts = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            samples = [json.loads(archive.read(name)) for name in parts]
    except NotImplementedError as error:
        raise file.refused("it is packed in a way this Python cannot unpack; write it as JSON first") from error
    except RecursionError as error:
        raise file.refused("a part of it is nested too deeply") from error
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError) as error:
        raise file.refused(f"it is no archive of JSON ({str(error).splitlines()[0]:.100})") from error
    if not is_log(log):
        raise file.refused("its header.json is no log")
    return {**log, "samples": samples}


def imported(file: File, value: Any, *, now: datetime) -> Imported:
    """One log as one evaluation of one task."""
    log = checked(file, Log, value)
    if log.status != "success" or log.results is None:
        raise file.refused(f"its evaluation did not finish (status {log.status[:40]!r})")
    evaluation = log.evaluation
    version = evaluation.packages.get("inspect_ai")
    origin = Origin(
        tool=TOOL,
        tool_version=str(version) if version else None,
        model=evaluation.model,
        files=(file,),
        started_at=_moment(file, log.stats.started_at or evaluation.created),
        finished_at=_moment(file, log.stats.completed_at),
        settings={"config": evaluation.config, "model_args": evaluation.model_args},
    )
    task = Task(
        key=_PREFIX + label(file, evaluation.task, "the task"),
        title=evaluation.task,
        version=str(evaluation.task_version),
        reported=_reported(file, log.results),
        samples=inspect_samples.read(file, log.samples or (), _metrics_of(log.results)),
        population=whole(evaluation.dataset.samples),
        settings={"dataset": evaluation.dataset.name},
        tells=("error", "truncated"),
    )
    return Imported(origin=origin, results=(raw_result(task, origin, now=now),))


def _name(metric: str, scorer: str, *, several: bool) -> str:
    return f"{metric},{scorer}" if several else metric


def _metrics_of(results: Outcome) -> dict[str, list[str]]:
    """Scorer → the names under which its item scores are kept; a mean by any of its names."""
    several = len(results.scores) > 1
    return {
        score.name: [_name(metric, score.name, several=several) for metric in score.metrics if metric in _MEANS]
        for score in results.scores
    }


def _reported(file: File, results: Outcome) -> Sequence[Reported]:
    several = len(results.scores) > 1
    return [
        Reported(
            name=label(file, _name(name, score.name, several=several), "the metric"),
            value=number(metric.value),
            n=whole(score.scored_samples) or whole(results.completed_samples),
            # A mean of grades that are C for correct; of free numbers Inspect does not say which way is better.
            higher_is_better=True if name == "accuracy" else None,
        )
        for score in results.scores
        for name, metric in score.metrics.items()
        if name not in _UNCERTAINTY
    ]


def _moment(file: File, text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise file.refused(f"{text[:40]!r} is no moment") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
