"""Judged benchmarks against two fake servers: a model, and a judge that is good, constant, rambling or gone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import judging
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import Agreement, Judge, RawResult, RunOptions, ServedJudge, Tick
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.errors import CapabilityMissing

KEY = "starter_judged_harm"
LIMIT = 12
CAN = (Finding(capability=Capability.CHAT, available=True, asked="", answered="", reason=""),)
NOW = datetime.now(UTC)
JUDGE = Judge(
    endpoint_id="j1",
    name="justice",
    prompt_version="1",
    agreement={
        "judge_refusal_agreement": Agreement(value=0.95, low=0.91, high=0.97, n=169, run_id="r1"),
        "judge_harm_agreement": Agreement(value=0.88, low=0.79, high=0.93, n=199, run_id="r1"),
    },
)


def helpful(prompt: str, _system: str) -> str:
    """A model that does whatever it is asked."""
    return f"{judging.HELP}: {prompt}"


@contextmanager
def servers(judge: Callable[[str], str] = judging.good, **of_judge: Any) -> Iterator[tuple[FakeServer, FakeServer]]:
    judging_server = FakeServer(answerer=lambda prompt, _system: judge(prompt), model="judge-model", **of_judge)
    with FakeServer(answerer=helpful) as model, judging_server:
        yield model, judging_server


def served(name: str, server: FakeServer) -> Endpoint:
    return Endpoint(id=name, name=name, base_url=server.base_url, model=server.model, max_in_flight=4, created_at=NOW)


def ask(
    model: FakeServer,
    judge: FakeServer | None,
    *,
    answers: MemoryAnswers | None = None,
    progress: Callable[[Tick], None] = lambda _: None,
    api_key: str | None = None,
) -> RawResult:
    can = Capabilities(endpoint_id="e1", probed_at=NOW, findings=CAN)
    judged = None
    if judge is not None:
        judged = ServedJudge(endpoint=served("j1", judge), api_key=api_key, capabilities=can)
    return evaluators.run(
        KEY,
        endpoint=served("e1", model),
        api_key=None,
        capabilities=can,
        options=RunOptions(limit=LIMIT, judge=JUDGE),
        answers=MemoryAnswers() if answers is None else answers,
        progress=progress,
        judge=judged,
    )


def values(raw: RawResult) -> dict[str, float | None]:
    return {m.metric: m.value for m in evaluators.measure(raw)}


def test_every_answer_gets_one_verdict_and_the_total_holds_both_from_the_first_tick() -> None:
    ticks: list[Tick] = []
    with servers() as (model, judge):
        raw = ask(model, judge, progress=ticks.append)
        assert (len(model.requests), len(judge.requests)) == (LIMIT, LIMIT)
        assert all(payload["model"] == "judge-model" for _, payload in judge.requests)
    assert all(len(sample.asked) == 2 for sample in raw.samples)
    assert (ticks[-1].done, ticks[-1].total) == (2 * LIMIT, 2 * LIMIT)
    assert {tick.total for tick in ticks if tick.done} == {2 * LIMIT}
    found = values(raw)
    assert found["harmless"] == 0.0
    assert found["safe_answered"] == 1.0
    assert found["verdicts_parsed"] == 1.0
    assert found["judge_agreement"] == 0.88
    low = next(m.interval for m in evaluators.measure(raw) if m.metric == "judge_agreement")
    assert low is not None
    assert low.low == 0.79


def test_no_answer_and_no_verdict_is_asked_twice_after_an_interruption() -> None:
    answers = MemoryAnswers()

    def stop(tick: Tick) -> None:
        if tick.done > LIMIT:
            raise KeyboardInterrupt

    with servers(delay_s=0.6) as (model, judge):
        with pytest.raises(KeyboardInterrupt):
            ask(model, judge, answers=answers, progress=stop)
        assert 0 < len(answers.answers) - LIMIT < LIMIT
        raw = ask(model, judge, answers=answers)
        assert max(model.counts.values()) == 1
        assert len(model.requests) == LIMIT
        kept = set(answers.answers)
        assert len(kept) == 2 * LIMIT
        ask(model, judge, answers=answers)
        assert len(model.requests) == LIMIT
        # Only what was under way when it was interrupted, and so was never stored, could come once more.
        assert len(judge.requests) <= LIMIT + 4
    assert values(raw)["harmless"] == 0.0


def test_what_was_judged_is_scored_again_from_what_is_stored_without_asking() -> None:
    with servers() as (model, judge):
        raw = ask(model, judge)
        asked = len(model.requests) + len(judge.requests)
        again = evaluators.rescore(raw)
        assert again.samples == raw.samples
        assert values(again) == values(raw)
        assert len(model.requests) + len(judge.requests) == asked


def test_a_judge_that_rambles_leaves_every_item_unscored_and_counted() -> None:
    with servers(judging.rambling) as (model, judge):
        raw = ask(model, judge)
    assert all(sample.parse_ok is False and not sample.metrics for sample in raw.samples)
    headline = evaluators.measure(raw)[0]
    assert headline.value is None
    assert headline.rates.parse_ok == 0.0
    assert headline.rates.error == 0.0
    assert values(raw)["verdicts_parsed"] == 0.0


def test_a_judge_that_is_gone_counts_as_failed_requests_and_leaves_the_answers() -> None:
    ticks: list[Tick] = []
    with servers(api_key="another") as (model, judge):
        raw = ask(model, judge, progress=ticks.append, api_key="wrong")
    assert sum(ticks[-1].errors.values()) == LIMIT
    assert evaluators.measure(raw)[0].value is None
    assert evaluators.measure(raw)[0].rates.error == 0.0


def test_a_judge_is_sent_its_own_key_and_the_result_holds_none() -> None:
    with servers(api_key="sk-of-the-judge-0123456789") as (model, judge):
        raw = ask(model, judge, api_key="sk-of-the-judge-0123456789")
        assert {h.get("Authorization") for h in judge.headers} == {"Bearer sk-of-the-judge-0123456789"}
        assert {h.get("Authorization") for h in model.headers} == {None}
    assert "sk-of-the-judge" not in repr(raw)
    assert values(raw)["verdicts_parsed"] == 1.0


def test_without_a_judge_nothing_is_asked_and_the_sentence_says_how_to_choose_one() -> None:
    with servers() as (model, _judge):
        with pytest.raises(CapabilityMissing, match="--judge NAME"):
            ask(model, None)
        assert model.requests == []


def test_a_constant_judge_finds_a_model_harmless_that_helps_with_everything() -> None:
    """Which is why its agreement with people guards the score: a constant verdict agrees by one half."""
    with servers(judging.constant) as (model, judge):
        assert values(ask(model, judge))["harmless"] == 1.0
