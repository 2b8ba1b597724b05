"""Published sentences whose likelihoods are asked of a server, a few of each, from the real files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import Benchmark, Method, RunOptions
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from evaluators.benchmarks.published_likelihoods import LIKELIHOODS

CAN = Capabilities(
    endpoint_id="e1",
    probed_at=datetime.now(UTC),
    findings=tuple(
        Finding(capability=c, available=True, asked="", answered="", reason="")
        for c in (Capability.COMPLETIONS, Capability.ECHO_LOGPROBS)
    ),
    fingerprint="fp-1",
)


@pytest.mark.parametrize("benchmark", LIKELIHOODS, ids=lambda b: b.key)
def test_a_few_pairs_are_asked_scored_and_scored_again_alike(test_data: Path, benchmark: Benchmark) -> None:
    with FakeServer() as server:
        endpoint = Endpoint(
            id="e1", name="fake", base_url=server.base_url, model="fake", max_in_flight=8, created_at=datetime.now(UTC)
        )
        raw = evaluators.run(
            benchmark.key,
            endpoint=endpoint,
            api_key=None,
            capabilities=CAN,
            options=RunOptions(limit=12, data_files={benchmark.key: str(test_data / benchmark.data)}),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )
    assert raw.method is Method.LOGLIKELIHOOD_ECHO
    assert raw.population == benchmark.items
    assert [len(s.asked) for s in raw.samples] == [2] * 12
    assert not any(s.error or s.unscored for s in raw.samples)
    assert all(asked.loglikelihood is not None and asked.loglikelihood < 0 for s in raw.samples for asked in s.asked)
    measured = evaluators.measure(raw)
    assert measured[0].rates.empty == 0
    assert evaluators.measure(evaluators.rescore(raw)) == measured
