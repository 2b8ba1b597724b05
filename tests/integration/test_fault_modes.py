"""Served models that fail or answer without reading, from the probe to the verdict of every requirement of a suite."""

from datetime import UTC, datetime

import pytest
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import RunOptions
from domain.endpoints import Capabilities, Endpoint
from domain.errors import VeraError
from domain.scores import RequirementId, RequirementScore, Status, Verdict
from evaluators.endpoints import probe
from requirements_map import catalogue, policies, scoring, verdicts
from requirements_map.outcomes import BenchmarkOutcome

CATALOGUE = catalogue.load()
ENTRIES = [b for b in CATALOGUE.benchmarks("starter") if b.unavailable is None]
#: What such a server says is no answer at all: nothing may be made of it.
SILENT = ("error_body_200", "server_error", "not_json")
DEGENERATE = (
    "empty",
    "null_content",
    "refusal",
    "prompt_echo",
    "always_a",
    "always_no",
    "random_letter",
    "truncated",
    "no_echo",
)

pytestmark = pytest.mark.slow


def _endpoint(server: FakeServer) -> Endpoint:
    return Endpoint(
        id="e1", name="fake", base_url=server.base_url, model=server.model, max_in_flight=16, timeout_s=20.0,
        created_at=datetime.now(UTC),
    )  # fmt: skip


def _outcome(key: str, quick: int | None, endpoint: Endpoint, capabilities: Capabilities) -> BenchmarkOutcome:
    options = RunOptions(limits={key: quick} if quick else {})
    try:
        raw = evaluators.run(
            key, endpoint=endpoint, api_key=None, capabilities=capabilities, options=options,
            answers=MemoryAnswers(), progress=lambda _: None,
        )  # fmt: skip
    except VeraError as error:
        return BenchmarkOutcome.blocked(key, str(error))
    return BenchmarkOutcome.measured(key, evaluators.measure(raw))


def _judged(server: FakeServer) -> dict[RequirementId, RequirementScore]:
    """Each requirement after a real probe and a quick look, with the verdict of the example policy."""
    endpoint = _endpoint(server)
    capabilities = probe.probe(endpoint, api_key=None)
    outcomes = {b.key: _outcome(b.key, b.quick, endpoint, capabilities) for b in ENTRIES}
    scores = scoring.score(CATALOGUE, "starter", outcomes)
    return {score.requirement: verdicts.judge(score, policies.load()) for score in scores}


@pytest.mark.parametrize("mode", DEGENERATE)
def test_no_requirement_passes_on_answers_given_without_reading(mode: str) -> None:
    with FakeServer(mode) as server:
        scores = _judged(server)
    green = [s for s in scores.values() if s.status is Status.MEASURED and s.verdict is Verdict.PASS]
    assert not green, [(s.requirement, s.value, s.reason) for s in green]


@pytest.mark.parametrize("mode", SILENT)
def test_a_server_that_gives_no_answers_gets_no_number(mode: str) -> None:
    with FakeServer(mode) as server:
        endpoint = _endpoint(server)
        with pytest.raises(VeraError) as raised:
            probe.probe(endpoint, api_key=None)
    assert server.base_url in str(raised.value) or "answer" in str(raised.value)


@pytest.mark.parametrize("mode", ["ok", "rate_limit_then_ok", "slow"])
def test_a_server_that_answers_late_or_at_the_second_time_is_asked_to_the_end(mode: str) -> None:
    with FakeServer(mode) as server:
        endpoint = _endpoint(server)
        capabilities = probe.probe(endpoint, api_key=None)
        outcome = _outcome("starter_knowledge", 12, endpoint, capabilities)
    assert outcome.measurements[0].n_scored == outcome.measurements[0].n > 0
    assert outcome.measurements[0].rates.error == 0
