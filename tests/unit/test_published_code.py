"""Programs out of answers, their tests and pass@k."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import published_answers, starter_answers
from hypothesis import given
from hypothesis import strategies as st

from app.components import metric_words
from domain.benchmarks import RunOptions, Sample
from domain.errors import CapabilityMissing, InvalidTask
from domain.executions import Execution, ExecutionOutcome
from domain.measurements import Measurement
from domain.scores import Verdict
from evaluators import code_metrics, sandbox
from evaluators.benchmarks import executing, scorers
from evaluators.benchmarks.published_code import CODE
from evaluators.benchmarks.scorers import programs
from evaluators.benchmarks.tasks.published import code

[HUMANEVAL] = CODE
ALLOWED = RunOptions(allow_code=True)
ROW = {
    "task_id": "own/1",
    "prompt": 'import math\n\n\ndef area(r: float) -> float:\n    """The area of a circle."""\n',
    "entry_point": "area",
    "canonical_solution": "    return math.pi * r * r\n",
    "test": "def check(candidate):\n    assert abs(candidate(1) - 3.14159) < 1e-4\n",
}


@pytest.fixture
def _shut_in() -> None:
    if why := sandbox.refusal():
        pytest.skip(why)


def item() -> dict[str, Any]:
    [found] = code.humaneval([ROW])
    return dict(found)


def ended(outcome: ExecutionOutcome, cluster: str = "own/1") -> Sample:
    sample = starter_answers.sample(HUMANEVAL, {**item(), "cluster": cluster}, "    return 3.14159")
    return replace(sample, execution=Execution(outcome=outcome, sandbox="x"))


def measured(samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    return scorers.measure(HUMANEVAL, starter_answers.scored(HUMANEVAL, list(samples)))


def values(samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in measured(samples)}


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("```python\nimport math\ndef area(r):\n    return math.pi * r ** 2\n```", "passed"),
        ("Of course!\n```py\ndef area(r):\n    return math.pi * r ** 2\n```\nIt multiplies.", "passed"),
        ("```python\ndef area(r):\n    return math.pi * r ** 2\n", "passed"),
        ("    return math.pi * r * r", "passed"),
        ("def area(r):\n    return 3.14159 * r * r", "passed"),
        ("Here it is:\ndef area(r):\n    return 3.14159 * r * r", "passed"),
        ("```\nx = 1\n```\nand\n```python\ndef area(r):\n    return 3.14159\n```", "passed"),
        ("1. So:\n   ```python\n   def area(r):\n       return 3.14159\n   ```", "passed"),
        ("```python\ndef area(r):\n    return 2 * r\n```", "failed"),
        ("```python\ndef area(r):\n    pass\n```", "failed"),
        ("```python\ndef area(r:\n```", "failed"),
        ("```python\ndef area(r):\n    raise SystemExit(0)\n```", "failed"),
        ("```python\ndef area(r):\n    while True: pass\n```", "timed_out"),
        ("```python\ndef area(r):\n    open('/etc/passwd')\n```", "refused"),
        ("I cannot write programs.", None),
        ("", None),
    ],
)
@pytest.mark.usefixtures("_shut_in")
def test_the_program_of_an_answer_is_run_with_its_tests(answer: str, outcome: str | None) -> None:
    program = programs.program(item(), answer)
    found = None if program is None else sandbox.execute(program, sandbox.Limits(cpu_s=1)).outcome.value
    assert found == outcome


def test_every_end_is_counted_and_only_passing_passes() -> None:
    found = values([ended(outcome, cluster=outcome.value) for outcome in ExecutionOutcome])
    assert found == {"pass_at_1": 0.25, "timed_out_share": 0.25, "sandbox_refused_share": 0.25}


def test_an_answer_without_code_has_not_passed_and_is_counted_as_unread() -> None:
    [sample] = starter_answers.scored(HUMANEVAL, [starter_answers.sample(HUMANEVAL, item(), "Sorry, I cannot.")])
    assert (sample.metrics, sample.parse_ok) == ({"passed": 0.0}, False)


def test_scoring_again_reads_what_was_kept_and_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "execute", lambda *_: pytest.fail("a program was run"))
    once = starter_answers.scored(HUMANEVAL, [ended(ExecutionOutcome.PASSED)])
    assert starter_answers.scored(HUMANEVAL, once) == once


def test_several_programs_of_one_problem_count_as_one_problem() -> None:
    passed, failed = ExecutionOutcome.PASSED, ExecutionOutcome.FAILED
    found = values([ended(passed, "a"), ended(failed, "a"), ended(failed, "b"), ended(failed, "b")])
    assert found["pass_at_1"] == 0.25


def test_a_problem_with_too_few_answers_has_no_share_in_a_larger_draw() -> None:
    passed, failed = ended(ExecutionOutcome.PASSED, "a"), ended(ExecutionOutcome.FAILED, "b")
    lost = starter_answers.failed(HUMANEVAL, {**item(), "cluster": "b"})
    found = {m.metric: m for m in measured([*[passed] * 5, *[failed] * 4, lost])}
    assert (found["pass_at_1"].value, found["pass_at_5"].value) == (0.5, 1.0)
    assert [(found[f"pass_at_{k}"].n_scored, found[f"pass_at_{k}"].n) for k in (1, 5)] == [(2, 2), (1, 2)]
    assert found["pass_at_1"].rates.error == 0.1
    none = {m.metric: m for m in measured([*[failed] * 4, lost])}
    assert (none["pass_at_5"].value, none["pass_at_5"].reason) == (None, "No problem was answered 5 times.")


@pytest.mark.parametrize("n", [1, 4, 5, 12, 200])
def test_every_draw_that_was_asked_for_is_told_and_has_words(n: int) -> None:
    told = [m.metric for m in measured([ended(ExecutionOutcome.FAILED, c) for c in "abc" for _ in range(n)])]
    assert told[:3] == ["pass_at_1", "timed_out_share", "sandbox_refused_share"]
    assert told[3:] == [f"pass_at_{k}" for k in (5, 10, 25, 50, 100) if k <= n]
    assert {*told} <= set(metric_words.WORDS)
    assert all(name in metric_words.METRIC_NAMES for name in told if name.startswith("pass_at"))


def test_pass_at_k_has_the_values_of_its_definition() -> None:
    # of 5 programs, of which 2 passed, 3 can be drawn in 10 ways, and in one of them without a passing one
    assert code_metrics.pass_at_k(5, 2, 3) == 0.9
    assert code_metrics.pass_at_k(200, 10, 1) == pytest.approx(10 / 200)
    assert code_metrics.pass_at_k(200, 10, 100) == pytest.approx(0.9992289739, abs=1e-10)


@given(st.integers(1, 40), st.data())
def test_pass_at_k_is_the_share_of_draws_that_hold_a_passing_program(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    found, product = code_metrics.pass_at_k(n, c, k), 1.0
    for i in range(k):  # the chance that none of k drawn one after the other passed
        product *= max(0, n - c - i) / (n - i)
    assert found == pytest.approx(1 - product)
    if k < n:
        assert code_metrics.pass_at_k(n, c, k + 1) >= found
    assert code_metrics.pass_at_k(n, c, 1) == pytest.approx(c / n)


@pytest.mark.parametrize(("n", "c", "k"), [(5, 6, 1), (5, -1, 1), (5, 2, 6), (5, 2, 0), (0, 0, 1)])
def test_pass_at_k_of_impossible_counts_is_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        code_metrics.pass_at_k(n, c, k)


def test_without_permission_no_program_is_run() -> None:
    sample = starter_answers.sample(HUMANEVAL, item(), "    return 3.14159")
    with pytest.raises(CapabilityMissing, match="set VERA_ALLOW_CODE=1"):
        executing.executed(HUMANEVAL, RunOptions(), [sample], lambda: None)


@pytest.mark.usefixtures("_shut_in")
def test_a_run_that_is_stopped_runs_no_further_programs() -> None:
    slow = [f"    import time; time.sleep(0.2)\n    return 3.14159 + 0 * {n}" for n in range(200)]
    samples = [starter_answers.sample(HUMANEVAL, item(), text) for text in slow]

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        executing.executed(HUMANEVAL, ALLOWED, samples, stop)


@pytest.mark.usefixtures("_shut_in")
def test_equal_programs_are_run_once_and_each_answer_has_their_end(monkeypatch: pytest.MonkeyPatch) -> None:
    execute, run = sandbox.execute, list[str]()

    def counted(program: str) -> Execution:
        run.append(program)
        return execute(program)

    monkeypatch.setattr(sandbox, "execute", counted)
    texts = ["    return 3.14159 * r", "    return r", "    return 3.14159 * r", "I cannot write programs."]
    samples = [starter_answers.sample(HUMANEVAL, item(), text) for text in texts]
    ends = [s.execution and s.execution.outcome for s in executing.executed(HUMANEVAL, ALLOWED, samples, lambda: None)]
    assert ends == ["passed", "failed", "passed", None]
    assert len(run) == 2


@pytest.mark.parametrize("field", ["prompt", "entry_point", "test", "canonical_solution"])
def test_a_problem_without_one_of_its_parts_is_refused_by_its_place(field: str) -> None:
    with pytest.raises(InvalidTask, match=f"Item 2 of HumanEval has no {field}"):
        code.humaneval([ROW, {name: value for name, value in ROW.items() if name != field}])


@pytest.mark.slow
@pytest.mark.usefixtures("_shut_in")
@pytest.mark.parametrize("form", ["whole function", "body alone"])
def test_every_published_solution_passes_and_the_next_one_s_fails(test_data: Path, form: str) -> None:
    docs = published_answers.loaded(HUMANEVAL, test_data).docs
    assert len(docs) == HUMANEVAL.items == len({doc["id"] for doc in docs})
    bodies = [doc["target"].removeprefix(doc["prompt"]) for doc in docs]
    whole = form == "whole function"
    right = [f"```python\n{d['target']}\n```" if whole else body for d, body in zip(docs, bodies, strict=True)]
    wrong = [f"```python\ndef {d['entry_point']}(*_, **__):\n    return 'none'\n```" for d in docs]
    for texts, share in ((right, 1.0), (wrong, 0.0)):
        answered = [starter_answers.sample(HUMANEVAL, d, t) for d, t in zip(docs, texts, strict=True)]
        assert values(executing.executed(HUMANEVAL, ALLOWED, answered, lambda: None))["pass_at_1"] == share


@pytest.mark.slow
@pytest.mark.usefixtures("_shut_in")
@pytest.mark.parametrize("name", starter_answers.DEGENERATE)
def test_an_answer_given_without_reading_is_never_valid_and_good(test_data: Path, name: str) -> None:
    task = published_answers.loaded(HUMANEVAL, test_data)
    for samples in published_answers.answered(HUMANEVAL, task, list(range(0, 164, 4)), name):
        ran = list(executing.executed(HUMANEVAL, ALLOWED, samples, lambda: None))
        for times in (1, 5):
            score = published_answers.required(HUMANEVAL, ran * times)
            found = next(b for b in score.benchmarks if b.benchmark == HUMANEVAL.key)
            assert not (found.valid and (found.value or 0) >= 0.1), (name, times, found)
            assert score.verdict is not Verdict.PASS


def test_many_answers_to_few_problems_are_few_problems() -> None:
    passed = [ended(ExecutionOutcome.PASSED, cluster=str(n)) for n in range(8)] * 20
    [found] = [b for b in published_answers.required(HUMANEVAL, passed).benchmarks if b.benchmark == HUMANEVAL.key]
    assert found.invalid_because == ("8 items were scored; at least 40 are needed.",)
