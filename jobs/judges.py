"""Judges: registered models that judge answers of others, once it was measured how far they agree with people."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

import evaluators
from db.store import Store
from domain.benchmarks import Agreement, Judge, RunOptions, ServedJudge
from domain.endpoints import Endpoint
from domain.errors import CapabilityMissing, UserError
from domain.runs import BenchmarkRun, Run, RunState
from evaluators.benchmarks.judging import rubrics
from jobs import endpoints
from jobs.context import Context
from requirements_map import catalogue
from requirements_map.entries import Guard

#: Benchmarks by which agreement is measured, and the figure of them that counts.
REFERENCES = tuple(rubric.reference for rubric in rubrics.RUBRICS.values())
FIGURE = "balanced_accuracy"
_GUARD = "judge_agreement"
#: Runs of a model that are looked through for a check of it.
_RUNS_LOOKED_AT = 200


class Standing(StrEnum):
    """Whether a model may judge."""

    USABLE = "usable"
    #: it may be asked, and no score counts
    REFUSED = "refused"
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A registered model as a judge."""

    endpoint: Endpoint
    #: Reference → agreement; complete unless it is unchecked.
    agreement: dict[str, Agreement]
    weights: str | None
    checked_at: datetime | None
    standing: Standing
    #: One sentence for a reader.
    reason: str

    @property
    def lowest(self) -> Agreement | None:
        """The agreement that decides: the one whose interval reaches down farthest."""
        return min(self.agreement.values(), key=lambda a: a.low, default=None)


def candidates(context: Context) -> list[Candidate]:
    """All models that can be asked, as judges."""
    return [candidate(context, endpoint) for endpoint in endpoints.askable(context)]


def candidate(context: Context, endpoint: Endpoint) -> Candidate:
    """What the latest checks of a model found, as far as they are of these questions and of its present weights."""
    found = context.store.capabilities(endpoint.id)
    weights = found.weights if found else None
    parts = _checks(context, endpoint, weights)
    agreement = {key: made for key, (run, part) in parts.items() if (made := _agreement(context, run, part))}
    if set(agreement) != set(REFERENCES):
        return Candidate(
            endpoint=endpoint,
            agreement=agreement,
            weights=weights,
            checked_at=None,
            standing=Standing.UNCHECKED,
            reason=(
                f"How far {endpoint.name} agrees with people as a judge was not measured; run "
                f"`vera judges check {endpoint.name}`."
            ),
        )
    finished = [part.finished_at for _, part in parts.values() if part.finished_at is not None]
    standing, reason = _standing(endpoint, agreement)
    return Candidate(
        endpoint=endpoint,
        agreement=agreement,
        weights=weights,
        checked_at=max(finished, default=None),
        standing=standing,
        reason=reason,
    )


def choose(context: Context, name: str, *, model: Endpoint) -> Judge:
    """The judge of a run; UserError where it is the model itself, or nobody knows how far it agrees with people."""
    endpoint = context.store.endpoint(name)
    endpoints.refuse_imported(endpoint)
    if is_same_model(endpoint, model):
        raise UserError(f"{model.name} cannot judge its own answers; choose another model as its judge.")
    found = candidate(context, endpoint)
    if found.standing is Standing.UNCHECKED:
        raise UserError(found.reason)
    return Judge(
        endpoint_id=endpoint.id,
        name=endpoint.name,
        prompt_version=rubrics.VERSION,
        weights=found.weights,
        agreement=found.agreement,
    )


def refuse_partial(blocked: Iterable[str | None]) -> None:
    """CapabilityMissing where a check cannot ask every reference, as after it the model would still be unchecked."""
    reasons = list(dict.fromkeys(reason for reason in blocked if reason))
    if reasons:
        raise CapabilityMissing(" ".join(reasons))


def is_same_model(one: Endpoint, other: Endpoint) -> bool:
    """Whether two endpoints are one served model, also where it was registered under two names or as localhost."""
    return (_address(one), one.model) == (_address(other), other.model)


def _address(endpoint: Endpoint) -> tuple[str | None, int | None, str]:
    parts = urlsplit(endpoint.base_url)
    return ("localhost" if endpoint.is_local else parts.hostname, parts.port, parts.path)


def served(store: Store, judge: Judge, api_key: str | None) -> ServedJudge:
    """The judge as it is asked; CapabilityMissing or UserError where it is not what was checked."""
    endpoint = store.endpoint(judge.endpoint_id)
    capabilities = store.capabilities(endpoint.id)
    if capabilities is None:
        raise CapabilityMissing(f"What the judge {endpoint.name} can do is not known; probe it first.")
    if capabilities.weights != judge.weights:
        raise UserError(
            f"The judge {endpoint.name} was checked when its server told of {judge.weights or 'no weights'}; now it "
            f"tells of {capabilities.weights or 'none'}. Run `vera judges check {endpoint.name}` and evaluate again."
        )
    return ServedJudge(endpoint=endpoint, api_key=api_key, capabilities=capabilities)


def are_needed(suite: str, requirements: Collection[str] = ()) -> bool:
    """Whether a suite, or these requirements of it, has benchmarks whose answers are judged."""
    asked = [
        b for b in catalogue.load().suite(suite).all_benchmarks if not requirements or b.requirement in requirements
    ]
    return any(guard.metric == _GUARD for benchmark in asked for guard in benchmark.guards)


def needed() -> float:
    """The agreement that the lower end of a judge's interval must reach: the strictest of the map's."""
    return max(guard.value or 0.0 for guard in _guards())


def _guards() -> list[Guard]:
    suites = catalogue.load().suites.values()
    return [g for suite in suites for b in suite.all_benchmarks for g in b.guards if g.metric == _GUARD]


def _standing(endpoint: Endpoint, agreement: dict[str, Agreement]) -> tuple[Standing, str]:
    low, least = min(a.low for a in agreement.values()), needed()
    if low >= least:
        return Standing.USABLE, f"{endpoint.name} agrees with people well enough for its verdicts to count."
    return Standing.REFUSED, (
        f"{endpoint.name} agrees with people too little for its verdicts to count: its agreement may be as low as "
        f"{low:.2f}, and {least:.2f} is needed."
    )


def _checks(context: Context, endpoint: Endpoint, weights: str | None) -> dict[str, tuple[Run, BenchmarkRun]]:
    """The latest finished check by each reference."""
    version = _scorer_version()
    found: dict[str, tuple[Run, BenchmarkRun]] = {}
    for run in context.store.runs(endpoint_id=endpoint.id, limit=_RUNS_LOOKED_AT):
        if run.spec.weights != weights or not _is_as_judged(run.spec.options):
            continue
        for part in run.benchmarks:
            is_check = part.benchmark in REFERENCES and part.state is RunState.DONE
            if is_check and part.provenance.get("scorer_version") == version:
                found.setdefault(part.benchmark, (run, part))
    return found


def _is_as_judged(options: RunOptions) -> bool:
    """Whether all answers of the references were judged, and by the question alone, as a judge is asked."""
    return options.limit is None and not options.limits and not options.system_prompt and not options.num_fewshot


def _scorer_version() -> str:
    from evaluators.benchmarks import scorers  # noqa: PLC0415 - loads numpy

    return scorers.VERSION[evaluators.find(REFERENCES[0])[1].scorer]


def _agreement(context: Context, run: Run, part: BenchmarkRun) -> Agreement | None:
    measured = context.store.measurements(run.id).get(part.benchmark, ())
    figure = next((m for m in measured if m.metric == FIGURE), None)
    if figure is None or figure.value is None or figure.interval is None:
        return None
    return Agreement(
        value=figure.value,
        low=figure.interval.low,
        high=figure.interval.high,
        n=figure.n_scored,
        run_id=run.id,
    )
