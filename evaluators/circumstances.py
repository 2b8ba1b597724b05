"""What every score depends on beside the questions, as it is stored with the answers."""

from typing import Any

from domain.benchmarks import Benchmark, RunOptions
from domain.endpoints import Capabilities, Endpoint
from domain.hashing import sha256_of


def of(
    benchmark: Benchmark,
    endpoint: Endpoint,
    capabilities: Capabilities,
    options: RunOptions,
    *,
    scorer_version: str | None,
) -> dict[str, Any]:
    """Which model was asked by which rules, how much of it and with which seed."""
    return {
        "system_prompt_sha256": None if options.system_prompt is None else sha256_of(options.system_prompt),
        "limit": options.limit_of(benchmark.key),
        "seed": options.seed,
        "model": endpoint.model,
        "served_model": capabilities.served_model,
        "fingerprint": capabilities.fingerprint,
        "server": capabilities.server,
        "scorer": benchmark.scorer,
        "scorer_version": scorer_version,
        "title": benchmark.title,
        "source": benchmark.source,
    }
