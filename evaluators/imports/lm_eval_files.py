"""lm-eval's result files, of its present layout and of earlier ones, with the samples beside them.

Read so, by the version that wrote them: results_DATE.json and samples_TASK_DATE.jsonl (0.4.3 and later); results.json
with metric keys as ``acc,none`` and samples in ARGUMENTS_TASK.jsonl, one JSON array (0.4.0 to 0.4.2); results.json with
metric keys as ``acc`` and no samples (0.3 and earlier).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from domain.benchmarks import Sample
from evaluators.imports import lm_eval_samples
from evaluators.imports.files import File, checked, label, number, whole
from evaluators.imports.metrics import Reported
from evaluators.imports.records import Imported, Origin, Task, raw_result

TOOL = "lm-eval"
#: As all lm-eval benchmarks are named here.
_PREFIX = "lm_eval:"
#: Entries of a task's results that are no metric.
_NO_METRIC = frozenset({"alias", "name", "sample_len", "samples", "sample_count"})
_NO_FILTER = ",none"
_STDERR = re.compile(r"_stderr(?=,|$)")
_IN_ARGUMENTS = ("peft", "delta", "pretrained", "model", "path", "engine")
#: What of a task's configuration says how it was asked; the rest is long and can be looked up by its version.
_TASK_SETTINGS = ("dataset_path", "dataset_name", "test_split", "output_type", "num_fewshot", "doc_to_text")
_RUN_SETTINGS = ("model", "model_args", "limit", "gen_kwargs", "random_seed", "fewshot_seed", "batch_size")


class Count(BaseModel):
    """Items of a task: in its data set, and asked."""

    original: int | None = None
    effective: int | None = None


class Results(BaseModel):
    """The part of a result file that is read."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())

    results: dict[str, dict[str, Any]]
    configs: dict[str, dict[str, Any]] = Field(default_factory=dict)
    versions: dict[str, Any] = Field(default_factory=dict)
    higher_is_better: dict[str, dict[str, bool | None]] = Field(default_factory=dict)
    samples: dict[str, Count] = Field(default_factory=dict, alias="n-samples")
    groups: dict[str, Any] = Field(default_factory=dict)
    group_subtasks: dict[str, list[str]] = Field(default_factory=dict)
    config: dict[str, Any] = Field(default_factory=dict)
    date: float | None = None
    model_name: str | None = None
    lm_eval_version: str | None = None
    total_evaluation_time_seconds: float | None = None


def is_results(value: Any) -> bool:
    """Whether a JSON value is a result file of lm-eval."""
    return isinstance(value, Mapping) and "results" in value and bool({"config", "configs", "versions"} & set(value))


def tasks_of(value: Mapping[str, Any]) -> list[str]:
    """Names under which samples may lie beside a result file."""
    return [str(name) for name in value["results"]] if isinstance(value["results"], Mapping) else []


def imported(file: File, value: Any, samples: Mapping[str, File], *, now: datetime) -> Imported:
    """One result file with the sample files of its tasks (task → file)."""
    read = checked(file, Results, value)
    groups = {name for name, parts in read.group_subtasks.items() if parts} | set(read.groups)
    tasks = [name for name in read.results if name not in groups]
    if not tasks:
        raise file.refused("it holds no results of a task")
    started, finished = _times(file, read)
    origin = Origin(
        tool=TOOL,
        tool_version=read.lm_eval_version,
        model=read.model_name or _model(read.config),
        files=(file, *samples.values()),
        started_at=started,
        finished_at=finished,
        settings={name: read.config[name] for name in _RUN_SETTINGS if name in read.config},
    )
    results = tuple(raw_result(_task(file, read, name, samples.get(name)), origin, now=now) for name in tasks)
    aggregated = sorted(groups & set(read.results))
    notes = (f"{', '.join(aggregated)}: made of other tasks, which are imported one by one.",) if aggregated else ()
    return Imported(origin=origin, results=results, notes=notes)


def _task(file: File, read: Results, name: str, samples_file: File | None) -> Task:
    count = read.samples.get(name, Count())
    samples: Sequence[Sample] = lm_eval_samples.read(samples_file) if samples_file else ()
    if samples_file and count.effective is not None and len(samples) != count.effective:
        raise samples_file.refused(f"it holds {len(samples)} items, and {file.name} is about {count.effective}")
    settings = read.configs.get(name, {})
    return Task(
        key=_PREFIX + label(file, name, "the task"),
        title=name,
        version=str(read.versions.get(name, "not told")),
        reported=_reported(file, read.results[name], read.higher_is_better.get(name, {}), count),
        samples=samples,
        population=whole(count.original),
        settings={key: settings[key] for key in _TASK_SETTINGS if key in settings},
    )


def _reported(
    file: File, entries: Mapping[str, Any], directions: Mapping[str, bool | None], count: Count
) -> list[Reported]:
    """Metrics of a task; a filter stays in the name only where there are several, as in the samples."""
    names = [key for key in entries if key not in _NO_METRIC and not _STDERR.search(key)]
    several = len({key.partition(",")[2] for key in names}) > 1
    return [
        Reported(
            name=label(file, key if several else key.partition(",")[0], "the metric"),
            value=number(entries[key]),
            stderr=number(entries.get(_stderr_key(key))),
            n=whole(count.effective) or whole(entries.get("sample_len")),
            higher_is_better=directions.get(key.partition(",")[0]),
        )
        for key in names
    ]


def _stderr_key(key: str) -> str:
    name, comma, filtered = key.partition(",")
    return f"{name}_stderr{comma}{filtered}"


def _model(config: Mapping[str, Any]) -> str | None:
    """The model among the arguments, as lm-eval itself finds it; else the kind of model."""
    arguments = config.get("model_args")
    pairs = arguments if isinstance(arguments, Mapping) else {}
    if isinstance(arguments, str):
        pairs = dict(part.split("=", 1) for part in arguments.split(",") if "=" in part)
    found = next((pairs[name] for name in _IN_ARGUMENTS if pairs.get(name)), config.get("model"))
    return str(found) if found else None


def _times(file: File, read: Results) -> tuple[datetime | None, datetime | None]:
    if read.date is None:
        return None, None
    try:
        started = datetime.fromtimestamp(read.date, UTC)
        return started, started + timedelta(seconds=read.total_evaluation_time_seconds or 0.0)
    except (OverflowError, OSError, ValueError) as error:
        raise file.refused(f"its date {read.date!r} is no moment") from error
