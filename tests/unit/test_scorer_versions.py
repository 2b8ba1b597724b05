"""By which version of its rules a stored result was scored, after it was scored again."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

import evaluators
from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Method, RawResult, Sample
from evaluators.benchmarks import scorers

_MOMENT = datetime(2026, 11, 30, tzinfo=UTC)


def _stored(benchmark: str, doc: dict[str, object], **provenance: object) -> RawResult:
    asked = Asked(messages=(), answer=Answer(key="k", outcome=Outcome.ANSWERED, text="No."))
    return RawResult(
        benchmark=benchmark,
        benchmark_version="1",
        evaluator="lm_eval",
        method=Method.GENERATE,
        samples=(Sample(sample_id="a", cluster="a", stratum="", doc=doc, asked=(asked,)),),
        population=1,
        provenance=provenance,
        started_at=_MOMENT,
        finished_at=_MOMENT,
    )


_KEPT = {"kind": "attack", "scenario": "Encryption", "params": '{"secret": "K7Tm2"}', "user": "?", "later_turns": []}


@pytest.mark.parametrize("told", [{"scorer_version": "1"}, {}])
def test_answers_that_are_scored_again_name_the_rules_they_are_scored_by(told: dict[str, str]) -> None:
    again = evaluators.rescore(_stored("llm_rules", _KEPT, seed=7, **told))
    assert again.samples[0].metrics == {"rules_kept": 1.0}
    assert again.provenance == {"seed": 7, "scorer_version": scorers.VERSION["rules"]}


def test_scoring_again_by_the_same_rules_changes_nothing() -> None:
    once = evaluators.rescore(_stored("llm_rules", _KEPT, scorer_version="1"))
    assert evaluators.rescore(once) == once


@pytest.mark.parametrize("told", [{"scorer_version": "0, judge 0"}, {}])
@pytest.mark.parametrize("benchmark", ["cyberseceval_judged", "judge_question_agreement", "humaneval_sandboxed"])
def test_who_was_asked_by_earlier_rules_is_not_said_to_know_the_present_ones(
    benchmark: str, told: dict[str, str]
) -> None:
    stored = replace(_stored(benchmark, {}, seed=7, **told), samples=())
    assert evaluators.rescore(stored).provenance == stored.provenance
