"""HumanEval from a server's answers to stored outcomes, and a plan that says why it is not asked."""

from pathlib import Path

import pytest
from fakes import asking, data_folder, running
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import MemoryAnswers
from domain.benchmarks import RawResult, RunOptions
from domain.endpoints import Capability
from domain.errors import CapabilityMissing
from domain.executions import ExecutionOutcome
from domain.settings import Settings
from evaluators import sandbox
from evaluators.benchmarks import data
from evaluators.benchmarks.published_code import CODE
from jobs.context import Context, open_context
from jobs.plans import PlannedBenchmark, plan_run

[HUMANEVAL] = CODE


def run(path: Path, *, allow: bool, limit: int = 8) -> RawResult:
    rows = data.read_rows(path)
    solutions = {row["prompt"].strip(): row["prompt"] + row["canonical_solution"] for row in rows}
    wrong = {row["prompt"].strip() for row in rows[::2]}

    def answer(prompt: str, _system: str) -> str:
        asked = next(beginning for beginning in solutions if beginning in prompt)
        return "I would rather not." if asked in wrong else f"```python\n{solutions[asked]}```"

    with FakeServer(answerer=answer) as server:
        return evaluators.run(
            HUMANEVAL.key,
            endpoint=asking.endpoint(server.base_url),
            api_key=None,
            capabilities=asking.capabilities(Capability.CHAT),
            options=RunOptions(limit=limit, data_files={HUMANEVAL.key: str(path)}, allow_code=allow),
            answers=MemoryAnswers(),
            progress=lambda _: None,
        )


def test_programs_are_run_once_and_their_ends_are_kept(test_data: Path) -> None:
    if why := sandbox.refusal():
        pytest.skip(why)
    raw = run(test_data / HUMANEVAL.data, allow=True)
    outcomes = [s.execution.outcome if s.execution else None for s in raw.samples]
    assert len(outcomes) == 8
    assert set(outcomes) <= {ExecutionOutcome.PASSED, None}
    [found, *_] = evaluators.measure(raw)
    assert (found.metric, found.value) == ("pass_at_1", outcomes.count(ExecutionOutcome.PASSED) / 8)
    assert evaluators.rescore(raw).samples == raw.samples


def test_without_permission_nothing_is_asked(test_data: Path) -> None:
    with pytest.raises(CapabilityMissing, match="set VERA_ALLOW_CODE=1"):
        run(test_data / HUMANEVAL.data, allow=False)


def planned(tmp_path: Path, *, allow_code: bool) -> PlannedBenchmark:
    opened = open_context(Settings(home=tmp_path / "home", offline=True, allow_code=allow_code))
    context = Context(settings=opened.settings, store=opened.store, environ={})
    running.register(context, "http://127.0.0.1:9/v1")
    row = {"task_id": "own/1", "prompt": "def f():\n", "entry_point": "f", "test": "", "canonical_solution": "    pass"}
    given = data_folder.write(tmp_path / "data", {"own/rows.jsonl": [row]}, tasks=[])
    path = given / "own" / "rows.jsonl"
    try:
        plan = plan_run(context, model="fake", tasks=(HUMANEVAL.key,), data_files={HUMANEVAL.key: path})
    finally:
        context.store.dispose()
    assert plan.spec.options.allow_code is allow_code
    return plan.benchmarks[0]


def test_a_plan_names_the_setting_that_is_needed(tmp_path: Path) -> None:
    assert "VERA_ALLOW_CODE=1" in (planned(tmp_path, allow_code=False).blocked or "")


def test_a_plan_asks_it_where_that_is_set_and_programs_can_be_shut_in(tmp_path: Path) -> None:
    assert planned(tmp_path, allow_code=True).blocked == sandbox.refusal()
