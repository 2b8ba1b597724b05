"""Two runs compared: whether they may be, what changed, and whether the policy calls it a regression."""

from collections.abc import Mapping
from pathlib import Path

from domain.benchmarks import RawResult
from domain.comparison import Comparison
from domain.errors import UserError
from domain.runs import Run, RunState
from domain.scores import Policy
from jobs import assessments
from jobs.context import Context
from requirements_map import catalogue, comparison, policies, scoring, verdicts
from requirements_map.paired import Item

_FINISHED = frozenset({RunState.DONE, RunState.DONE_WITH_FAILURES})
#: What must be equal for two results of a benchmark to be comparable, and how it is called.
_IDENTITY = {
    "task_sha256": "its task definition",
    "dataset": "its data",
    "num_fewshot": "the number of examples shown",
    "samples_per_item": "the number of answers per question",
    "route": "the route of the API",
    "chat_template": "the chat template",
    "system_prompt_sha256": "the system prompt",
    "scorer": "its scorer",
    "scorer_version": "the version of its scorer",
    "classifier": "the classifier of its answers",
    "sentiment": "the version by which kind sentences are told",
    "judge": "the judge of its answers",
    "detector": "the watermark detector",
    "detector_threshold": "the threshold of the detector",
    "lm_eval_version": "the version of lm-eval",
}
#: What holds where a result does not say: it could not be otherwise when it was made.
_UNSAID = {"samples_per_item": 1, "scorer_version": "1"}


Results = Mapping[str, RawResult]


class NotComparable(UserError):
    """The two runs did not ask the same questions in the same way."""


def compare_runs(
    context: Context,
    earlier_id: str,
    later_id: str,
    *,
    override: bool = False,
    policy_file: Path | None = None,
) -> Comparison:
    """What changed from one run to another; NotComparable where they asked differently, unless told to override."""
    earlier, later = context.store.run(earlier_id), context.store.run(later_id)
    if earlier.id == later.id:
        raise UserError(f"Run {earlier.id} was given twice; name two runs.")
    for run in (earlier, later):
        if run.state not in _FINISHED:
            state = run.state.value.replace("_", " ")
            raise NotComparable(f"Run {run.id} is {state}; only finished runs can be compared.")
    old, new = _results(context, earlier), _results(context, later)
    differences = [*run_differences(earlier, later), *_result_differences(old, new)]
    if differences and not override:
        raise NotComparable(
            f"The runs {earlier.id} and {later.id} cannot be compared: {'; '.join(differences)}. "
            "Say --override to compare them all the same."
        )
    policy = policies.load(policy_file or context.settings.policy_file)
    warnings = [f"Compared although they differ: {text}." for text in differences]
    made = comparison.compare(
        _side(context, earlier, old, policy),
        _side(context, later, new, policy),
        policy=policy,
        warnings=[*warnings, *_only_in_one(old, new), *_models(context, earlier, later)],
    )
    if not made.benchmarks and not made.regressions:
        raise NotComparable(f"The runs {earlier.id} and {later.id} have no measured benchmark in common.")
    return made


def run_differences(earlier: Run, later: Run) -> list[str]:
    """How the identities of two runs differ apart from their model; empty where they do not."""
    one, two = earlier.spec, later.spec
    facts = (
        ("the suites differ", one.suite, two.suite),
        ("the requirements map is another version", one.map_sha256[:12], two.map_sha256[:12]),
        ("the limits of items differ", one.options.limit or "all", two.options.limit or "all"),
        ("the limits of single benchmarks differ", dict(one.options.limits), dict(two.options.limits)),
        ("the seeds differ", one.options.seed, two.options.seed),
        ("the numbers of examples shown differ", one.options.num_fewshot, two.options.num_fewshot),
    )
    found = [f"{what} ({a} and {b})" for what, a, b in facts if a != b]
    if one.options.system_prompt != two.options.system_prompt:
        found.append("the system prompts differ")
    if one.options.detector != two.options.detector:
        found.append("the watermark detectors differ")
    if one.options.data_files != two.options.data_files:
        found.append("the data files differ")
    return found


def _result_differences(old: Results, new: Results) -> list[str]:
    return [f"{key} differs in {what}" for key in new if key in old and (what := _unlike(old[key], new[key]))]


def _unlike(old: RawResult, new: RawResult) -> str:
    named = []
    if old.method is not new.method:
        named.append(f"the method ({old.method} and {new.method})")
    if old.benchmark_version != new.benchmark_version:
        named.append(f"its version ({old.benchmark_version} and {new.benchmark_version})")
    # An old result may lack a fact that a new one records; only what both say can differ.
    one, two = _UNSAID | dict(old.provenance), _UNSAID | dict(new.provenance)
    known = [(k, words) for k, words in _IDENTITY.items() if k in one and k in two]
    named += [words for k, words in known if _stable(k, one[k]) != _stable(k, two[k])]
    return " and ".join(named)


def _stable(name: str, fact: object) -> object:
    """A fact without what says nothing of how was asked.

    A data set library makes fingerprints up anew in every process; a judge may be called otherwise and checked again.
    """
    idle = {"name", "agreement"} if name == "judge" else {"fingerprints"}
    return {k: v for k, v in fact.items() if k not in idle} if isinstance(fact, Mapping) else fact


def _results(context: Context, run: Run) -> Results:
    """The finished benchmarks of a run with all their items."""
    done = [part.benchmark for part in run.benchmarks if part.state is RunState.DONE]
    found = {key: context.store.raw_result(run.id, key) for key in done}
    return {key: raw for key, raw in found.items() if raw is not None}


def _only_in_one(old: Results, new: Results) -> list[str]:
    return [f"{key} was measured in one of the runs only." for key in sorted(set(old) ^ set(new))]


def _models(context: Context, earlier: Run, later: Run) -> list[str]:
    """A difference between two models is no change of one."""
    if earlier.spec.endpoint_id == later.spec.endpoint_id:
        return []
    names = [context.store.endpoint(run.spec.endpoint_id).name for run in (earlier, later)]
    return [f"Two models are compared: {names[0]} first, {names[1]} second."]


def _side(context: Context, run: Run, results: Results, policy: Policy) -> comparison.Side:
    """What one run alone shows; results of other runs do not stand in for what it lacks."""
    maps = catalogue.load()
    scores = scoring.score(maps, assessments.suite_of(maps, run), assessments.outcomes_of(context, [run]))
    return comparison.Side(
        run_id=run.id,
        scores=tuple(verdicts.judge(score, policy) for score in scores),
        items={
            key: [Item(id=s.sample_id, cluster=s.cluster, metrics=s.metrics) for s in raw.samples]
            for key, raw in results.items()
        },
    )
