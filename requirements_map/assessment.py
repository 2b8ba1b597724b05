"""The decision page as data, made of stored facts only."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from domain.endpoints import Capabilities, Endpoint
from domain.runs import BenchmarkRun, Run
from domain.scores import Assessment, Policy, RequirementScore
from requirements_map import limitations, verdicts
from requirements_map.catalogue import Catalogue
from requirements_map.summary import headline

__all__ = ["assess", "headline"]


def assess(
    scores: Sequence[RequirementScore],
    *,
    assessment_id: str,
    created_at: datetime,
    endpoint: Endpoint,
    capabilities: Capabilities | None,
    suite: str,
    runs: Sequence[Run],
    policy: Policy,
    catalogue: Catalogue,
    tool_versions: Mapping[str, Any] | None = None,
) -> Assessment:
    """The assessment of one endpoint from its scores, judged by a policy.

    ``runs`` are those the scores were made of, oldest first; a benchmark's energy and evidence come from the run its
    score names, or from the latest run that has them.
    """
    parts = _parts(runs, scores)
    shortened = _shortened(runs, parts)
    subset = limitations.subset_note(shortened, sum(part.raw_sha256 is not None for part in parts.values()))
    judged = tuple(verdicts.judge(score, policy) for score in scores)
    served_model = capabilities.served_model if capabilities else None
    fingerprint = capabilities.fingerprint if capabilities else None
    return Assessment(
        id=assessment_id,
        endpoint_name=endpoint.name,
        base_url=endpoint.base_url,
        model=endpoint.model,
        served_model=served_model,
        fingerprint=fingerprint,
        suite=suite,
        subset_note=subset,
        run_ids=tuple(run.id for run in runs),
        created_at=created_at,
        scores=judged,
        energy={key: part.energy for key, part in parts.items() if part.energy is not None},
        policy_name=policy.name,
        policy_version=policy.version,
        policy_is_example=policy.is_example,
        policy_sha256=policy.sha256,
        map_id=catalogue.map_id,
        map_version=catalogue.version,
        map_sha256=catalogue.sha256,
        limitations=limitations.sentences(catalogue, suite, judged, subset=subset, fingerprint=fingerprint),
        evidence={key: part.raw_sha256 for key, part in parts.items() if part.raw_sha256 is not None},
        tool_versions=dict(tool_versions or {}),
    )


def _parts(runs: Sequence[Run], scores: Sequence[RequirementScore]) -> dict[str, BenchmarkRun]:
    """Benchmark key → the part of a run that speaks for it."""
    named = {b.benchmark: b.run_id for s in scores for b in s.benchmarks if b.run_id is not None}
    parts: dict[str, BenchmarkRun] = {}
    for run in runs:
        for part in run.benchmarks:
            earlier = parts.get(part.benchmark)
            wanted = named.get(part.benchmark)
            if wanted is not None and earlier is not None and earlier.run_id == wanted:
                continue
            # A later part that never came to answers does not displace one that did.
            if earlier is None or part.run_id == wanted or part.raw_sha256 or not earlier.raw_sha256:
                parts[part.benchmark] = part
    return parts


def _is_whole(part: BenchmarkRun, population: int) -> bool:
    """Whether all items were asked, though there are more than the limit: in some benchmarks it limits a part alone."""
    asked = len(part.provenance.get("sample_ids") or ())
    return asked >= population * int(part.provenance.get("samples_per_item") or 1)


def _shortened(runs: Sequence[Run], parts: Mapping[str, BenchmarkRun]) -> list[limitations.Shortened]:
    """The benchmarks whose run asked fewer items than there are."""
    options = {run.id: run.spec.options for run in runs}
    found = []
    for key, part in parts.items():
        limit, seed = options[part.run_id].limit_of(key), options[part.run_id].seed
        if part.raw_sha256 is None or limit is None or part.population is None:
            continue
        if limit < part.population and not _is_whole(part, part.population):
            found.append(limitations.Shortened(key, limit, seed))
    return found
