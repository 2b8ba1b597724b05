"""Published questions about people and capability asked of a server, a few of each, from the real files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import Benchmark, RunOptions
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from evaluators.benchmarks.published_capability import CAPABILITY
from evaluators.benchmarks.published_people import PEOPLE
from evaluators.benchmarks.published_robustness import ROBUSTNESS
from evaluators.benchmarks.published_security import SECURITY

CAN = Capabilities(
    endpoint_id="e1",
    probed_at=datetime.now(UTC),
    findings=tuple(
        Finding(capability=c, available=True, asked="", answered="", reason="")
        for c in (Capability.CHAT, Capability.TOP_LOGPROBS)
    ),
    fingerprint="fp-1",
)


@pytest.mark.parametrize("benchmark", [*CAPABILITY, *PEOPLE, *ROBUSTNESS, *SECURITY], ids=lambda b: b.key)
def test_a_few_items_are_asked_scored_and_scored_again_alike(test_data: Path, benchmark: Benchmark) -> None:
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
    assert 10 <= len(raw.samples) <= 12  # what belongs together is never split
    assert raw.population == benchmark.items
    assert not any(s.error or s.unscored for s in raw.samples)
    assert all(s.asked[-1].answer.text for s in raw.samples)
    assert all(s.asked[-1].answer.logprobs for s in raw.samples) == (benchmark.scorer == "calibration")
    measured = evaluators.measure(raw)
    assert measured[0].n == len(raw.samples)
    assert evaluators.rescore(raw).samples == raw.samples
    assert evaluators.measure(evaluators.rescore(raw)) == measured
