"""Several programs for each problem: every one sampled, stored, run and counted as its own; pass@k end to end."""

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from fakes import asking, data_folder, records, running
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import AnswerStore, MemoryAnswers
from domain.benchmarks import RawResult, RunOptions, Tick
from domain.endpoints import Capability
from domain.errors import UserError
from domain.hashing import sha256_of
from domain.runs import Run, RunState
from domain.settings import Settings
from evaluators import sandbox
from evaluators.benchmarks.published_code import CODE, MOST_PROGRAMS
from jobs import assessments, comparisons
from jobs.context import Context, open_context
from jobs.plans import Plan, plan_run
from jobs.replans import replanned

[HUMANEVAL] = CODE
#: Function → how many of every ten programs written for it are right.
RIGHT = {"half": 0, "third": 1, "fourth": 2, "fifth": 10}
_PROBLEM = 'def {name}(x: float) -> float:\n    """The {name} of a number."""\n'
_TEST = "def check(candidate):\n    assert candidate(60) == 60 / {number}\n"
_RIGHT, _WRONG = (
    "```python\ndef {name}(x):\n    return x / {number}\n```",
    "```python\ndef {name}(x):\n    return -x\n```",
)

#: Hash of the sorted names of the answers to these problems, one each, by the version that could ask for one only.
BEFORE = "c275ec78705aaa9bd3b22c7f918a58988e3a42f1b4bd84974d2a18a7716f680d"


@pytest.fixture
def _shut_in() -> None:
    if why := sandbox.refusal():
        pytest.skip(why)


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    rows = [
        {
            "task_id": f"own/{name}",
            "prompt": _PROBLEM.format(name=name),
            "entry_point": name,
            "canonical_solution": f"    return x / {number}\n",
            "test": _TEST.format(number=number),
        }
        for number, name in enumerate(RIGHT, start=2)
    ]
    return data_folder.write(tmp_path / "data", {"own/rows.jsonl": rows}) / "own" / "rows.jsonl"


def in_turn(right: Mapping[str, int] = RIGHT) -> Callable[[str, str], str]:
    """Writes so many right programs for a function, and only wrong ones after that."""
    asked: Counter[str] = Counter()

    def answer(prompt: str, _system: str) -> str:
        number, name = next((n, name) for n, name in enumerate(RIGHT, start=2) if f"def {name}(" in prompt)
        asked[name] += 1
        return (_RIGHT if asked[name] <= right[name] else _WRONG).format(name=name, number=number)

    return answer


def ask(
    server: FakeServer, problems: Path, samples: int, answers: AnswerStore, progress: Any = lambda _: None
) -> RawResult:
    return evaluators.run(
        HUMANEVAL.key,
        endpoint=asking.endpoint(server.base_url, max_in_flight=2),
        api_key=None,
        capabilities=asking.capabilities(Capability.CHAT),
        options=RunOptions(data_files={HUMANEVAL.key: str(problems)}, allow_code=True, samples=samples),
        answers=answers,
        progress=progress,
    )


@pytest.mark.usefixtures("_shut_in")
def test_pass_at_k_has_its_textbook_values_where_c_of_n_programs_are_right(problems: Path) -> None:
    with FakeServer(answerer=in_turn()) as server:
        raw = ask(server, problems, 10, MemoryAnswers())
    found = {m.metric: m for m in evaluators.measure(raw)}
    assert found["pass_at_1"].value == pytest.approx((0 + 1 / 10 + 2 / 10 + 1) / 4)
    assert found["pass_at_5"].value == pytest.approx((0 + 1 / 2 + (1 - 56 / 252) + 1) / 4)
    assert found["pass_at_10"].value == pytest.approx((0 + 1 + 1 + 1) / 4)
    assert "pass_at_25" not in found
    for k in (1, 5, 10):  # an item is a problem, and problems are what the interval is made of
        assert (found[f"pass_at_{k}"].n, found[f"pass_at_{k}"].n_scored, found[f"pass_at_{k}"].units) == (4, 4, 4)
    spread = found["pass_at_1"].interval
    assert spread is not None
    assert (spread.method, spread.low < 0.325 < spread.high) == ("bootstrap_clustered", True)
    again = evaluators.rescore(raw)
    assert again.samples == raw.samples
    assert evaluators.measure(again) == evaluators.measure(raw)


@pytest.mark.usefixtures("_shut_in")
def test_every_program_is_asked_for_by_chance_and_stored_under_its_own_name(problems: Path) -> None:
    store = MemoryAnswers()
    with FakeServer(answerer=in_turn()) as server:
        raw = ask(server, problems, 3, store)
        sent = [payload for _, payload in server.requests]
    assert [s.sample_id for s in raw.samples[:4]] == ["own/half", "own/half#2", "own/half#3", "own/third"]
    assert len(sent) == len({sha256_of(payload) for payload in sent}) == len(store.answers) == 12
    assert {asked.answer.key for s in raw.samples for asked in s.asked} == set(store.answers)
    assert {(p["temperature"], p["top_p"]) for p in sent} == {(0.8, 0.95)}
    assert len({p["seed"] for p in sent}) == 3  # the same ones for each problem
    assert raw.provenance["samples_per_item"] == 3
    assert raw.provenance["generation"]["temperature"] == 0.8
    assert raw.population == 4


@pytest.mark.usefixtures("_shut_in")
def test_one_program_is_asked_for_as_it_was_before_there_could_be_several(problems: Path) -> None:
    """The names of its answers were computed by the version before; they are found in the runs it left."""
    store = MemoryAnswers()
    with FakeServer(answerer=in_turn()) as server:
        raw = ask(server, problems, 1, store)
        assert all(p["temperature"] == 0 and "top_p" not in p for _, p in server.requests)
    assert sha256_of(sorted(store.answers)) == BEFORE
    assert [m.metric for m in evaluators.measure(raw)] == ["pass_at_1", "timed_out_share", "sandbox_refused_share"]
    assert evaluators.measure(raw)[0].value == 0.75


class _Cut(Exception):
    """The run was interrupted."""


@pytest.mark.slow
@pytest.mark.usefixtures("_shut_in")
def test_an_interrupted_run_asks_only_the_programs_it_lacks(problems: Path) -> None:
    store = MemoryAnswers()

    def cut(tick: Tick) -> None:
        if tick.done:
            raise _Cut

    with FakeServer(answerer=in_turn(), delay_s=0.2) as server:
        with pytest.raises(_Cut):
            ask(server, problems, 5, store, cut)
        kept = dict(store.answers)
        assert 0 < len(kept) < 20
        ticks: list[Tick] = []
        raw = ask(server, problems, 5, store, ticks.append)
        assert sum(count - 1 for count in server.counts.values()) <= 2  # those under way when it was cut
        assert len(server.counts) == 20
    given = {asked.answer.key: asked.answer for s in raw.samples for asked in s.asked}
    assert len(given) == 20
    assert kept.items() <= given.items()
    assert (ticks[-1].done, ticks[-1].total, ticks[-1].reused) == (20, 20, len(kept))


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = open_context(Settings(home=tmp_path / "home", offline=True, allow_code=True))
    yield Context(settings=opened.settings, store=opened.store, environ={})
    opened.store.dispose()


def planned(context: Context, problems: Path, samples: int = 1, tasks: tuple[str, ...] = (HUMANEVAL.key,)) -> Plan:
    files = {HUMANEVAL.key: problems} if HUMANEVAL.key in tasks else {}
    return plan_run(context, model="fake", tasks=tasks, data_files=files, samples=samples)


@pytest.mark.usefixtures("_shut_in")
def test_a_plan_counts_every_answer_and_of_other_benchmarks_one(context: Context, problems: Path) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    one, ten = (planned(context, problems, n, (HUMANEVAL.key, "starter_arithmetic")) for n in (1, 10))
    (code, other), (codes, others) = one.benchmarks, ten.benchmarks
    assert (codes.items, codes.requests, others.requests) == (code.items, 10 * (code.requests or 0), other.requests)
    assert codes.completion_tokens == 10 * (code.completion_tokens or 0)
    assert (codes.seconds or 0) == pytest.approx(10 * (code.seconds or 0))
    assert one.spec.identity != ten.spec.identity
    assert (codes.max_samples, ten.spec.options.samples) == (MOST_PROGRAMS, 10)


@pytest.mark.usefixtures("_shut_in")
def test_answers_that_nothing_can_use_are_refused_before_anything_is_asked(context: Context, problems: Path) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    with pytest.raises(UserError, match=r"No benchmark of this run can use 2 answers per question\.$"):
        planned(context, problems, 2, ("starter_arithmetic",))
    with pytest.raises(UserError, match="0 answers per question ask nothing"):
        planned(context, problems, 0)
    with pytest.raises(UserError, match="201 answers per question are too many; at most 200 can be used"):
        planned(context, problems, 201)
    shut = Context(settings=Settings(home=context.settings.home, offline=True), store=context.store, environ={})
    with pytest.raises(UserError, match=r"HumanEval could, but: .* set VERA_ALLOW_CODE=1"):
        planned(shut, problems, 2)


def test_the_permission_to_run_programs_is_no_part_of_a_run_without_any(context: Context, problems: Path) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    shut = Context(settings=Settings(home=context.settings.home, offline=True), store=context.store, environ={})
    identities = {planned(c, problems, tasks=("starter_arithmetic",)).spec.identity for c in (context, shut)}
    assert len(identities) == 1
    assert planned(context, problems).spec.options.allow_code


@pytest.mark.slow
@pytest.mark.usefixtures("_shut_in")
def test_the_command_goes_on_with_its_programs_and_runs_with_other_numbers_of_them_are_not_compared(
    context: Context, problems: Path
) -> None:
    with FakeServer(answerer=in_turn(), delay_s=0.2) as server:
        running.register(context, server.base_url, in_flight=2)
        wanted = ("evaluate", "--model", "fake", "--task", HUMANEVAL.key, "--data", f"{HUMANEVAL.key}={problems}")
        five = (*wanted, "--samples", "5")
        first = running.start(context, *five, VERA_ALLOW_CODE="1", VERA_OFFLINE="1")
        running.wait_for(lambda: len(server.requests) >= 6)
        first.send_signal(signal.SIGINT)
        said = first.communicate(timeout=60)[1]
        assert first.returncode == 130, said
        [interrupted] = context.store.runs()
        kept = context.store.answer_count(interrupted.id)
        assert 0 < kept < 20
        again = running.command(context, *five, VERA_ALLOW_CODE="1", VERA_OFFLINE="1")
        assert again.returncode == 0, again.stderr
        assert len(server.counts) == context.store.answer_count(interrupted.id) == 20
        assert sum(count - 1 for count in server.counts.values()) <= 2
        alone = running.command(context, *wanted, VERA_ALLOW_CODE="1", VERA_OFFLINE="1")
        assert alone.returncode == 0, alone.stderr
    single, several = context.store.runs()
    assert (several.id, several.state, several.spec.options.samples) == (interrupted.id, RunState.DONE, 5)
    plan = replanned(context, several)
    assert plan is not None
    assert plan.spec.identity == several.spec.identity
    with pytest.raises(comparisons.NotComparable, match="differs in the number of answers per question"):
        comparisons.compare_runs(context, several.id, single.id)
    before = context.store.measurements(several.id)
    assert assessments.rescore_run(context, several.id) is None
    assert context.store.measurements(several.id) == before
    assert {m.metric for m in before[HUMANEVAL.key]} >= {"pass_at_1", "pass_at_5"}


@pytest.mark.parametrize("options", [{"allow_code": True}, {"allow_code": False}, {"samples": 5, "allow_code": True}])
@pytest.mark.parametrize("key", ["mmlu_calibration", HUMANEVAL.key])
def test_an_earlier_result_counts_whatever_was_allowed_or_asked_more_often_since(
    context: Context, key: str, options: dict[str, Any]
) -> None:
    running.register(context, "http://127.0.0.1:9/v1")
    plan = plan_run(context, model="fake", suite="screening")
    for number, asked, chosen in ((0, key, options), (1, "starter_harm", {})):
        moment = records.MOMENT + timedelta(hours=number)
        run = Run(
            id=f"run-{number}",
            spec=replace(plan.spec, benchmarks=(asked,), options=RunOptions(**chosen)),
            state=RunState.RUNNING,
            created_by="test",
            created_at=moment,
        )
        context.store.create_run(run)
        raw = records.raw_result(records.sample(), benchmark=asked, finished_at=moment, provenance={})
        context.store.finish_benchmark(run.id, raw, None)
        context.store.save_measurements(run.id, asked, ())
    assert set(assessments.assess_run(context, "run-1").evidence) == {"starter_harm", key}
