"""What a run would ask, how long that takes and what cannot run, before anything is asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import evaluators
from domain.benchmarks import Benchmark, RunOptions
from domain.endpoints import Capabilities, Endpoint
from domain.errors import CapabilityMissing, InvalidTask, UnknownBenchmark, UserError
from domain.runs import RunSpec
from domain.scores import RequirementId
from evaluators.benchmarks import executing
from jobs import canaries, data_needs, detectors, endpoints, judges, sampling
from jobs.context import Context
from jobs.rates import Rates, rates_of
from requirements_map import catalogue as maps
from requirements_map import policies
from requirements_map.entries import MappedBenchmark

#: Name of the suite of a run whose benchmarks were named one by one.
TASKS = "tasks"
_RUNS_TO_LEARN_FROM = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedBenchmark:
    """One benchmark of a plan. Counts are None where only the data set itself tells."""

    key: str
    title: str
    #: None for a benchmark that the requirements map does not know.
    requirement: RequirementId | None
    items: int | None
    requests: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    #: At the rate of the model's latest runs, else of its probe; None where neither tells.
    seconds: float | None
    #: Why it cannot run on this endpoint, in one sentence; None when it can.
    blocked: str | None
    #: Answers to each of its questions that may be asked for.
    max_samples: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A run that was not started."""

    endpoint: Endpoint
    spec: RunSpec
    benchmarks: tuple[PlannedBenchmark, ...]

    @property
    def runnable(self) -> tuple[PlannedBenchmark, ...]:
        """The benchmarks that will be asked."""
        return tuple(b for b in self.benchmarks if b.blocked is None)

    @property
    def blocked(self) -> tuple[PlannedBenchmark, ...]:
        """The benchmarks that cannot run here, each with its reason."""
        return tuple(b for b in self.benchmarks if b.blocked is not None)

    @property
    def requests(self) -> int | None:
        """Requests of all benchmarks; None when one of them cannot tell."""
        counts = [b.requests for b in self.runnable]
        return None if None in counts else sum(count for count in counts if count is not None)

    @property
    def seconds(self) -> float | None:
        """Estimated duration; None when it cannot be estimated for one of them."""
        estimates = [b.seconds for b in self.runnable]
        return None if None in estimates else sum(s for s in estimates if s is not None)


def plan_run(
    context: Context,
    *,
    model: str,
    suite: str = "starter",
    requirements: Sequence[str] = (),
    tasks: Sequence[str] = (),
    limit: int | None = None,
    data_files: Mapping[str, str | Path] | None = None,
    seed: int | None = None,
    system_prompt: str | None = None,
    num_fewshot: int | None = None,
    quick: bool = False,
    detector: str | None = None,
    detector_threshold: float | None = None,
    judge: str | None = None,
    samples: int = 1,
) -> Plan:
    """What a run of a suite (or of tasks named one by one) would ask of a model. Asks nothing itself.

    ``quick`` asks the fewest items of each benchmark that can give a number. What measures an operator's evidence (a
    corpus, a detector) is part of a suite where that was supplied. ``judge`` names the checked model that judges the
    answers of benchmarks which need one. ``samples`` answers are asked to each question where a benchmark can use them.
    """
    endpoint = context.store.endpoint(model)
    endpoints.refuse_imported(endpoint)
    capabilities = context.store.capabilities(endpoint.id)
    if capabilities is None:
        raise CapabilityMissing(f"What {model} can do is not known; run `vera models probe {model}` first.")
    if quick and (tasks or limit is not None):
        raise UserError("A quick look sets the number of items itself; leave out the limit and the tasks.")
    if limit is not None and limit < 1:
        raise UserError(f"A limit of {limit} items asks nothing; give a number of at least 1.")
    policies.load(context.settings.policy_file)  # one that cannot be read is told now and not when the run is over
    options = RunOptions(
        limit=limit,
        seed=RunOptions().seed if seed is None else seed,
        data_files=_checked_files(data_files or {}),
        system_prompt=system_prompt,
        num_fewshot=num_fewshot,
        limits=_quick_limits(suite) if quick or _is_part(suite, tasks, limit) else {},
        detector=detectors.checked(detector, detector_threshold),
        detector_threshold=detector_threshold,
        judge=judges.choose(context, judge, model=endpoint) if judge else None,
        allow_code=context.settings.allow_code,
        samples=samples,
    )
    found = (
        _named(tasks, context.settings.tasks_dir) if tasks else _of_suite(suite, requirements, capabilities, options)
    )
    return _plan_of(context, endpoint, capabilities, options, found, suite=TASKS if tasks else suite)


_Found = tuple[Benchmark, RequirementId | None]


def _plan_of(
    context: Context,
    endpoint: Endpoint,
    capabilities: Capabilities,
    options: RunOptions,
    found: Sequence[_Found],
    *,
    suite: str,
) -> Plan:
    """The plan of these benchmarks, with the imported data they read and why some cannot run."""
    found = [
        (canaries.sized(data_needs.sized(b, context.settings.data_folder), options), requirement)
        for b, requirement in found
    ]
    asked = [benchmark for benchmark, _ in found]
    _refuse_stray_files(options.data_files, asked)
    detectors.refuse_stray(options, asked)
    imported = data_needs.files_for(asked, context.settings.data_folder)
    options = replace(
        options,
        data_files={**_not_given(imported, options.data_files, asked), **options.data_files},
        # The setting is no part of a run that has no use for it.
        allow_code=options.allow_code and any(b.runs_code for b in asked),
    )
    absent = data_needs.absent(asked, options.data_files, context)
    rates = rates_of(context.store.runs(limit=_RUNS_TO_LEARN_FROM, endpoint_id=endpoint.id), capabilities)
    planned = tuple(
        _planned(b, requirement, options, rates, blocked=why_blocked(b, capabilities, options) or absent.get(b.key))
        for b, requirement in found
    )
    sampling.refuse_stray(options.samples, planned)
    spec = RunSpec(
        endpoint_id=endpoint.id,
        suite=suite,
        benchmarks=tuple(b.key for b in planned),
        options=options,
        map_sha256=maps.load().sha256,
        weights=capabilities.weights,
    )
    return Plan(endpoint=endpoint, spec=spec, benchmarks=planned)


def _is_part(suite: str, tasks: Sequence[str], limit: int | None) -> bool:
    return not tasks and limit is None and maps.load().suite(suite).part


def _quick_limits(suite: str) -> dict[str, int]:
    return {b.key: b.quick for b in maps.load().suite(suite).all_benchmarks if b.quick is not None}


def why_blocked(benchmark: Benchmark, capabilities: Capabilities, options: RunOptions) -> str | None:
    """Why a run with these options cannot ask a benchmark of this model; None when it can."""
    if benchmark.evidence is not None and not options.supplies(benchmark):
        return benchmark.evidence.how_to_supply
    return benchmark.missing(capabilities) or executing.refusal(benchmark, options)


def _named(tasks: Sequence[str], tasks_dir: Path | None) -> list[_Found]:
    """Benchmarks named one by one: by key, by the name of an own task in the tasks folder, or by a task file."""
    known = {b.key: b.requirement for suite in maps.load().suites.values() for b in suite.all_benchmarks}
    own = {b.title: b for b in evaluators.discover_tasks(tasks_dir)} if tasks_dir else {}
    found = []
    for task in dict.fromkeys(tasks):
        path = Path(task).expanduser()
        named_file = path.suffix in {".yaml", ".yml"}
        benchmark = own.get(task) or evaluators.find(str(path.resolve()) if named_file else task)[1]
        found.append((benchmark, known.get(benchmark.key)))
    return found


def _of_suite(suite: str, requirements: Iterable[str], capabilities: Capabilities, options: RunOptions) -> list[_Found]:
    """Benchmarks of a suite in the map's order; an alternative only where what it stands in for cannot run."""
    wanted = tuple(dict.fromkeys(requirements)) or None
    evidence = [b for b in maps.load().suite(suite).evidence if wanted is None or b.requirement in wanted]
    supplied = [b for b in evidence if options.supplies(evaluators.find(b.key)[1])]
    entries = (*maps.load().benchmarks(suite, wanted), *supplied)
    if not entries:
        _refuse_without_evidence(evidence)
        raise UnknownBenchmark(
            f"The suite {suite} has no benchmark for {', '.join(wanted or ())}; `vera suites` shows what it measures."
        )
    found = {b.key: evaluators.find(b.key)[1] for b in entries if b.unavailable is None}
    blocked = {key for key, benchmark in found.items() if benchmark.missing(capabilities)}
    return [
        (found[b.key], b.requirement)
        for b in entries
        if b.key in found and (b.alternative_to is None or b.alternative_to in blocked)
    ]


def _refuse_without_evidence(entries: Sequence[MappedBenchmark]) -> None:
    """CapabilityMissing where all that was wanted needs what nobody supplied."""
    sentences = []
    for entry in entries:
        evidence = evaluators.find(entry.key)[1].evidence
        why = maps.load().requirement(entry.requirement).evidence_sentence
        sentences.append(f"{entry.requirement}: {why} {evidence.how_to_supply if evidence else ''}".strip())
    if sentences:
        raise CapabilityMissing(" ".join(sentences))


def _planned(
    benchmark: Benchmark,
    requirement: RequirementId | None,
    options: RunOptions,
    rates: Rates,
    *,
    blocked: str | None,
) -> PlannedBenchmark:
    limit = options.limit_of(benchmark.key)
    items = benchmark.items if limit is None or benchmark.items is None else min(limit, benchmark.items)
    requests = None if items is None else round(items * benchmark.requests_per_item) * options.samples_of(benchmark)
    prompt = None if requests is None else requests * benchmark.prompt_tokens_per_request
    completion = None if requests is None else requests * benchmark.completion_tokens_per_request
    return PlannedBenchmark(
        key=benchmark.key,
        title=benchmark.title,
        requirement=requirement,
        items=items,
        requests=requests,
        prompt_tokens=prompt,
        completion_tokens=completion,
        seconds=rates.seconds(benchmark.key, requests, prompt, completion),
        blocked=blocked,
        max_samples=benchmark.max_samples,
    )


def _not_given(imported: Mapping[str, str], given: Mapping[str, str], asked: Sequence[Benchmark]) -> dict[str, str]:
    """What was imported, but for benchmarks whose data were named for this run."""
    named = {b.key for b in asked if set(b.data_names) & set(given)}
    return {key: path for key, path in imported.items() if key not in named}


def _refuse_stray_files(data_files: Mapping[str, str], asked: Sequence[Benchmark]) -> None:
    """A file for a task that is not asked is a typing error, not something to ignore."""
    names = {name for b in asked for name in b.data_names}
    for task in data_files:
        if task not in names:
            raise UnknownBenchmark(f"Data was given for {task!r}, which is not among the benchmarks of this run.")


def _checked_files(data_files: Mapping[str, str | Path]) -> dict[str, str]:
    checked = {}
    for task, given in data_files.items():
        path = Path(given).expanduser().resolve()
        if not path.exists():
            raise InvalidTask(f"The data of {task} cannot be read: there is no file {path}.")
        checked[task] = str(path)
    return checked
