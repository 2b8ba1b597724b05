"""Which runs are the same: those of before stay themselves, and a judge is part of what is asked."""

from dataclasses import replace

from domain.benchmarks import Agreement, Judge, RunOptions
from domain.runs import RunSpec

OPTIONS = RunOptions(limit=5, limits={"starter_harm": 3})
SPEC = RunSpec(
    endpoint_id="e1", suite="starter", benchmarks=("starter_harm",), options=OPTIONS, map_sha256="m", weights="w"
)
JUDGE = Judge(
    endpoint_id="j1",
    name="justice",
    prompt_version="1",
    weights="big",
    agreement={"judge_harm_agreement": Agreement(value=0.9, low=0.8, high=0.95, n=100, run_id="r1")},
)


def identity(judge: Judge | None) -> str:
    return replace(SPEC, options=replace(OPTIONS, judge=judge)).identity


def test_a_run_without_later_options_has_the_identity_it_had_before_there_were_any() -> None:
    """Computed by the version before detectors, judges and permissions to run programs."""
    assert SPEC.identity == "4d1266956b878901d3d43b509cdd1c461e33d1d23b7b9140b1ababe29715ccdd"


def test_another_judge_other_weights_of_it_or_another_prompt_make_another_run() -> None:
    others = [None, JUDGE, replace(JUDGE, endpoint_id="j2"), replace(JUDGE, weights="small")]
    others.append(replace(JUDGE, prompt_version="2"))
    assert len({identity(judge) for judge in others}) == len(others)


def test_a_judge_that_was_renamed_or_checked_again_is_the_same_judge() -> None:
    again = Agreement(value=0.91, low=0.82, high=0.96, n=100, run_id="r2")
    assert identity(replace(JUDGE, name="themis", agreement={"judge_harm_agreement": again})) == identity(JUDGE)
