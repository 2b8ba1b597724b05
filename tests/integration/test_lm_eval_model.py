"""Public tasks by log-likelihood on the real served model, their items from files."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import Method, RawResult, RunOptions
from domain.endpoints import Capabilities, Capability, Endpoint, Finding

pytestmark = [pytest.mark.slow, pytest.mark.model]
FORCED = (Capability.COMPLETIONS, Capability.FORCED_LOGPROBS, Capability.TOKENIZE)


def ask(model_server: str, task: str, file: Path, limit: int) -> RawResult:
    now = datetime.now(UTC)
    findings = tuple(Finding(capability=c, available=True, asked="", answered="", reason="") for c in FORCED)
    return evaluators.run(
        task,
        endpoint=Endpoint(id="m", name="m", base_url=model_server, model="m", max_in_flight=8, created_at=now),
        api_key=None,
        capabilities=Capabilities(endpoint_id="m", probed_at=now, findings=findings),
        options=RunOptions(limit=limit, data_files={task: str(file)}),
        answers=MemoryAnswers(),
        progress=lambda _: None,
    )


def test_arc_challenge_runs_from_a_file_by_forced_tokens(model_server: str, test_data: Path) -> None:
    raw = ask(model_server, "arc_challenge", test_data / "arc_challenge/lm_eval/arc_challenge.jsonl.gz", 30)

    measured = {m.metric: m for m in evaluators.measure(raw)}
    assert raw.method is Method.LOGLIKELIHOOD_FORCED
    assert (measured["acc"].n_scored, measured["acc"].rates.error) == (30, 0.0)
    assert all(a.loglikelihood is not None and a.loglikelihood < 0 for s in raw.samples for a in s.asked)
    assert len({a.loglikelihood for s in raw.samples for a in s.asked}) > 100  # no constant, which would score chance


def test_truthfulqa_mc2_is_a_mass_of_probability_on_the_true_answers(model_server: str, test_data: Path) -> None:
    raw = ask(model_server, "truthfulqa_mc2", test_data / "truthfulqa/lm_eval/multiple_choice.jsonl.gz", 30)

    (measured,) = evaluators.measure(raw)
    assert measured.n_scored == 30
    assert measured.value is not None
    assert 0.0 < measured.value < 1.0
    assert measured.interval is not None
    assert measured.interval.method == "bootstrap_clustered"
    assert raw.population > 700
