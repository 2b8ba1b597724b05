"""From stored results to an assessment: score, judge, save. Asks no model."""

import platform
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, NamedTuple

import evaluators
from domain.benchmarks import RunOptions
from domain.errors import InvalidTask, NotFound, UnknownBenchmark
from domain.evidence import Evidence
from domain.hashing import sha256_of
from domain.measurements import Measurement
from domain.runs import BenchmarkRun, Run, RunState
from domain.scores import Assessment
from jobs import processes
from jobs.context import Context
from requirements_map import assessment, catalogue, limitations, policies, scoring
from requirements_map.outcomes import BenchmarkOutcome

#: Runs of a model that are looked through for results of benchmarks this run did not hold.
_RUNS_LOOKED_AT = 200
_TOOLS = ("lm-eval", "codecarbon", "dbos")


def is_assessed(run: Run) -> bool:
    """Whether a run counts for an assessment: one of a suite does; benchmarks named one by one have measurements."""
    return run.spec.suite in catalogue.load().suites


def assess_run(context: Context, run_id: str) -> Assessment:
    """The assessment after a run, saved. Assessing the same results again gives the same assessment.

    Benchmarks of the suite that were not part of the run count with the latest result of an earlier run that asked in
    the same way: same map, same seed, same number of items. Results of other weights than the latest ones are left out.
    """
    run = context.store.run(run_id)
    if not is_assessed(run):
        raise NotFound(f"Run {run.id} asked benchmarks named one by one; only runs of a suite are assessed.")
    endpoint = context.store.endpoint(run.spec.endpoint_id)
    maps, suite = catalogue.load(), run.spec.suite
    runs, weights, left_out = of_same_weights([*_earlier(context, run), run])
    capabilities = context.store.capabilities(endpoint.id)
    policy = policies.load(context.settings.policy_file)
    scores = scoring.score(maps, suite, outcomes_of(context, runs))
    used = {b.run_id for score in scores for b in score.benchmarks if b.run_id} | {run.id}
    assessment_id = f"{run.id}-{sha256_of([scores, policy.sha256, maps.sha256])[:8]}"
    made = assessment.assess(
        scores,
        assessment_id=assessment_id,
        created_at=_first_made(context, assessment_id),
        endpoint=endpoint,
        # Not what a later probe was told: an assessment is of the weights that answered.
        capabilities=replace(capabilities, **weights._asdict()) if capabilities and weights else capabilities,
        suite=suite,
        runs=[r for r in runs if r.id in used],
        policy=policy,
        catalogue=maps,
        tool_versions={"vera": processes.version(), "python": platform.python_version()}
        | {tool: metadata.version(tool) for tool in _TOOLS},
    )
    if left_out:
        made = replace(made, limitations=(left_out, *made.limitations))
    context.store.save_assessment(made)
    return made


def _first_made(context: Context, assessment_id: str) -> datetime:
    """When it was made; made again from the same results, an old assessment does not become the latest."""
    try:
        return context.store.assessment(assessment_id).created_at
    except NotFound:
        return datetime.now(UTC)


class Weights(NamedTuple):
    """What the server told of its weights when a benchmark was asked."""

    served_model: str | None
    fingerprint: str | None

    @classmethod
    def of(cls, part: BenchmarkRun) -> "Weights":
        """Those of a finished benchmark."""
        return cls(part.provenance.get("served_model"), part.provenance.get("fingerprint"))


def of_same_weights(runs: Sequence[Run]) -> tuple[list[Run], Weights | None, str | None]:
    """The runs without results of other weights than the last run's latest; those weights; a sentence where one lacks.

    ``runs`` are ordered from the oldest to the latest.
    """
    done = [[part for part in run.benchmarks if part.state is RunState.DONE] for run in runs]
    latest = next((parts for parts in reversed(done) if parts), None)
    if latest is None:
        return list(runs), None, None
    weights = Weights.of(max(latest, key=lambda part: (part.finished_at is not None, part.finished_at)))
    other = [part for parts in done for part in parts if Weights.of(part) != weights]
    kept = [replace(run, benchmarks=tuple(b for b in run.benchmarks if b not in other)) for run in runs]
    counted = {b.benchmark for run in kept for b in run.benchmarks if b.state is RunState.DONE or run is kept[-1]}
    missed = {part.benchmark for part in other} - counted
    return kept, weights, _left_out(sorted(missed)) if missed else None


def _left_out(benchmarks: Sequence[str]) -> str:
    is_one = len(benchmarks) == 1
    results, verb, asked = ("An earlier result", "is", "it was") if is_one else ("Earlier results", "are", "they were")
    return (
        f"{results} of {limitations.listed(benchmarks)} {verb} left out: the server told of another model or other "
        f"weights when {asked} asked."
    )


def of_run(context: Context, run_id: str) -> Assessment | None:
    """The latest assessment that a run is part of; None before it was assessed."""
    run = context.store.run(run_id)
    found = context.store.assessments(run.spec.endpoint_id, limit=_RUNS_LOOKED_AT)
    return next((assessment for assessment in found if run.id in assessment.run_ids), None)


def rescore_run(context: Context, run_id: str) -> Assessment | None:
    """Score and measure the stored answers of a run anew, with this version's scorers, map and policy; asks nothing.

    None for benchmarks that were named one by one: they have measurements and no assessment.
    """
    run = context.store.run(run_id)
    rescored = 0
    for part in run.benchmarks:
        stored = context.store.raw_result(run.id, part.benchmark)
        if stored is not None:
            raw = evaluators.rescore(stored)
            context.store.save_measurements(run.id, part.benchmark, evaluators.measure(raw))
            context.store.finish_benchmark(run.id, raw, None)
            rescored += 1
    if not rescored:
        raise NotFound(f"Run {run.id} has no finished benchmark whose answers could be scored again.")
    return assess_run(context, run.id) if is_assessed(run) else None


def suite_of(maps: catalogue.Catalogue, run: Run) -> str:
    """The suite a run counts for; for benchmarks named one by one the first suite that knows one of them."""
    if run.spec.suite in maps.suites:
        return run.spec.suite
    asked = set(run.spec.benchmarks)
    known = (name for name, suite in maps.suites.items() if asked & {b.key for b in suite.all_benchmarks})
    return next(known, next(iter(maps.suites)))


def _earlier(context: Context, run: Run) -> list[Run]:
    """Runs that asked in the same way, with what was over when this one was and was given the same data; oldest first.

    A file, a corpus, a detector, a judge or several answers for a benchmark are no difference to the others. What
    counts is when answers came, not when a run was started: one that is gone on with is later than one that passed it.
    """
    over = _over(run)
    found = context.store.runs(endpoint_id=run.spec.endpoint_id, limit=_RUNS_LOOKED_AT)
    alike = [
        replace(
            other,
            benchmarks=tuple(
                b
                for b in other.benchmarks
                if (b.finished_at or other.created_at) <= over and _is_alike(b.benchmark, other, run)
            ),
        )
        for other in reversed(found)
        if other.id != run.id
        and other.spec.suite == run.spec.suite
        and _common(other.spec.options) == _common(run.spec.options)
        and other.spec.map_sha256 == run.spec.map_sha256
    ]
    return sorted(alike, key=_over)


def _over(run: Run) -> datetime:
    """When the last of a run's benchmarks ended."""
    return max((part.finished_at for part in run.benchmarks if part.finished_at), default=run.created_at)


def _common(options: RunOptions) -> RunOptions:
    """The options without what is given for single benchmarks."""
    alone = RunOptions()
    return replace(
        options,
        data_files=alone.data_files,
        detector=alone.detector,
        detector_threshold=alone.detector_threshold,
        judge=alone.judge,
        # A result of a benchmark that runs programs is there only where they were allowed.
        allow_code=alone.allow_code,
        samples=alone.samples,
    )


def _is_alike(benchmark: str, other: Run, run: Run) -> bool:
    """Whether both runs gave a benchmark the same data, as far as this run gave it any."""
    now = _given(benchmark, run.spec.options)
    return not now or now == _given(benchmark, other.spec.options)


def _given(key: str, options: RunOptions) -> tuple[Any, ...]:
    """What was given for a benchmark, and whether for several answers; nothing for one that is not known any more."""
    try:
        benchmark = evaluators.find(key)[1]
    except (UnknownBenchmark, InvalidTask):
        return ()
    files = options.files_of(benchmark)
    if options.samples_of(benchmark) > 1:
        return (*files, options.samples_of(benchmark))
    if benchmark.evidence is Evidence.DETECTOR and options.detector is not None:
        return (*files, options.detector, options.detector_threshold)
    if benchmark.evidence is Evidence.JUDGE and options.judge is not None:
        return (*files, options.judge.endpoint_id, options.judge.prompt_version, options.judge.weights)
    return files


def outcomes_of(context: Context, runs: Sequence[Run]) -> dict[str, BenchmarkOutcome]:
    """What became of each benchmark; of earlier runs only what they finished, the last run as it is."""
    outcomes: dict[str, BenchmarkOutcome] = {}
    for run in runs:
        is_last = run is runs[-1]
        measurements = context.store.measurements(run.id)
        for part in run.benchmarks:
            if part.state is RunState.DONE or is_last:
                outcomes[part.benchmark] = _outcome(part, measurements.get(part.benchmark, ()))
    return outcomes


def _outcome(part: BenchmarkRun, measurements: tuple[Measurement, ...]) -> BenchmarkOutcome:
    reason = part.reason or "No reason was recorded."
    match part.state:
        case RunState.DONE:
            subject, stated = part.provenance.get("subject"), part.provenance.get("stated")
            return BenchmarkOutcome.measured(
                part.benchmark, measurements, run_id=part.run_id, subject=subject, stated=stated
            )
        case RunState.FAILED:
            return BenchmarkOutcome.failed(part.benchmark, reason, run_id=part.run_id)
        case RunState.SKIPPED:
            return BenchmarkOutcome.blocked(part.benchmark, reason, run_id=part.run_id)
        case _:
            return BenchmarkOutcome.not_run(part.benchmark, "It was not finished.", run_id=part.run_id)
