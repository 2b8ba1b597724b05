"""Whole benchmarks against a fake server: what is asked, what is kept, and that no failure becomes a score."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_server import FakeServer

import evaluators
from domain.answers import Answer, MemoryAnswers, Outcome
from domain.benchmarks import Method, RawResult, RunOptions, Tick
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.errors import CapabilityMissing, InvalidTask
from domain.hashing import plain
from evaluators.benchmarks import loading, task_files

CHAT = (Capability.CHAT,)
ECHO = (Capability.COMPLETIONS, Capability.ECHO_LOGPROBS)
FORCED = (Capability.COMPLETIONS, Capability.FORCED_LOGPROBS, Capability.TOKENIZE)
LETTERS = (Capability.CHAT, Capability.TOP_LOGPROBS)


def capabilities(*present: Capability) -> Capabilities:
    findings = tuple(Finding(capability=c, available=True, asked="", answered="", reason="") for c in present)
    return Capabilities(endpoint_id="e1", probed_at=datetime.now(UTC), findings=findings, fingerprint="fp-1")


def ask(
    server: FakeServer,
    key: str,
    present: tuple[Capability, ...] = CHAT,
    *,
    answers: MemoryAnswers | None = None,
    progress: Any = lambda _: None,
    **options: Any,
) -> RawResult:
    endpoint = Endpoint(
        id="e1", name="fake", base_url=server.base_url, model="fake", max_in_flight=16, created_at=datetime.now(UTC)
    )
    return evaluators.run(
        key,
        endpoint=endpoint,
        api_key=None,
        capabilities=capabilities(*present),
        options=RunOptions(**options),
        answers=answers if answers is not None else MemoryAnswers(),
        progress=progress,
    )


def values(raw: RawResult) -> dict[str, float | None]:
    return {m.metric: m.value for m in evaluators.measure(raw)}


def write_task(folder: Path, rows: list[Mapping[str, Any]], **keys: Any) -> str:
    """A task file of one's own; the key it runs by."""
    definition = {
        "task": "mine",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": "items.jsonl"}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{question}}",
        "doc_to_target": "{{answer}}",
        "generation_kwargs": {"until": [], "max_gen_toks": 8, "do_sample": False, "temperature": 0},
        "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
        "metadata": {"version": 1},
        **keys,
    }
    text = "\n".join(
        f"{key}: {value}" if isinstance(value, str) and value.startswith("!function") else f"{key}: {json.dumps(value)}"
        for key, value in definition.items()
    )
    (folder / "items.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "mine.yaml").write_text(text)
    return str(folder / "mine.yaml")


SUMS = [{"id": f"s{i}", "question": f"What is {i} + {i}?", "answer": str(2 * i)} for i in range(1, 21)]
CHOICES = [
    {"question": f"Question {i}: what is {i} + 1?", "options": [str(i + 1), str(i), "no", "a city"], "gold": 0}
    for i in range(1, 7)
]
MULTIPLE_CHOICE: dict[str, Any] = {
    "output_type": "multiple_choice",
    "doc_to_text": "{{question}}\nAnswer:",
    "doc_to_target": "gold",
    "doc_to_choice": "options",
    "generation_kwargs": None,
    "metric_list": [
        {"metric": "acc", "aggregation": "mean", "higher_is_better": True},
        {"metric": "acc_norm", "aggregation": "mean", "higher_is_better": True},
    ],
}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer("ok") as running:
        yield running


def test_a_starter_benchmark_gives_a_sample_for_every_item(server: FakeServer) -> None:
    raw = ask(server, "starter_arithmetic")

    assert len(raw.samples) == raw.population == len(server.requests)
    assert values(raw)["exact_match"] is not None
    assert all(s.asked[0].answer.is_answer for s in raw.samples)
    json.dumps(plain(raw), allow_nan=False)


def test_a_task_of_one_s_own_runs_by_its_path_with_its_own_metric(server: FakeServer, tmp_path: Path) -> None:
    raw = ask(server, write_task(tmp_path, SUMS))

    assert values(raw) == {"exact_match": 1.0}
    assert [s.sample_id for s in raw.samples] == [row["id"] for row in SUMS]
    assert raw.samples[0].target == "2"
    assert raw.provenance["dataset"]["rows"] == 20
    assert raw.provenance["route"] == "chat/completions"


def test_the_payload_is_greedy_seeded_and_holds_at_most_four_stops(server: FakeServer, tmp_path: Path) -> None:
    stops = ["\n", "Q:", "END", "###", "zebra"]
    ask(server, write_task(tmp_path, SUMS[:1], generation_kwargs={"until": stops, "max_gen_toks": 7}), seed=5)

    ((route, payload),) = server.requests

    assert route == "chat/completions"
    assert payload == {
        "model": "fake",
        "messages": [{"role": "user", "content": "What is 1 + 1?"}],
        "max_tokens": 7,
        "temperature": 0,
        "stop": stops[:4],
        "seed": 5,
    }


def test_text_after_a_stop_string_is_not_scored_also_where_the_server_ignores_it(tmp_path: Path) -> None:
    with FakeServer("ok", answerer=lambda *_: "2 zebra and more") as server:
        settings = {"until": ["\n", "Q:", "END", "###", " zebra"], "max_gen_toks": 20}
        raw = ask(server, write_task(tmp_path, SUMS[:1], generation_kwargs=settings))

    assert values(raw) == {"exact_match": 1.0}
    assert raw.samples[0].asked[0].answer.text == "2 zebra and more"


def test_a_system_prompt_is_a_message_of_its_own(server: FakeServer, tmp_path: Path) -> None:
    ask(server, write_task(tmp_path, SUMS[:1]), system_prompt="Be brief.")

    assert [m["role"] for m in server.requests[0][1]["messages"]] == ["system", "user"]


def test_an_endpoint_without_chat_is_asked_on_the_completions_route(server: FakeServer, tmp_path: Path) -> None:
    raw = ask(server, write_task(tmp_path, SUMS[:1]), (Capability.COMPLETIONS,))

    route, payload = server.requests[0]
    assert (route, payload["prompt"]) == ("completions", "What is 1 + 1?")
    assert raw.samples[0].asked[0].messages == ({"role": "prompt", "content": "What is 1 + 1?"},)


def test_few_shot_examples_are_turns_of_their_own_and_never_the_question_itself(
    server: FakeServer, tmp_path: Path
) -> None:
    ask(server, write_task(tmp_path, SUMS, fewshot_split="test"), num_fewshot=2)

    for _, payload in server.requests:
        contents = [m["content"] for m in payload["messages"]]
        assert [m["role"] for m in payload["messages"]] == ["user", "assistant"] * 2 + ["user"]
        assert contents[-1] not in contents[:-1]


def test_repeated_samples_are_asked_each_for_itself(server: FakeServer, tmp_path: Path) -> None:
    raw = ask(server, write_task(tmp_path, SUMS[:3], repeats=4))

    assert len(server.requests) == 12
    assert all(len(s.asked) == 4 for s in raw.samples)
    assert len({a.answer.key for s in raw.samples for a in s.asked}) == 12


@pytest.mark.parametrize("mode", ["error_body_200", "null_content", "not_json", "server_error"])
def test_a_failing_server_gives_errors_and_no_score(mode: str, tmp_path: Path) -> None:
    store = MemoryAnswers()
    with FakeServer(mode) as server:
        raw = ask(server, write_task(tmp_path, SUMS[:4]), answers=store)

    (measurement,) = evaluators.measure(raw)
    assert measurement.value is None
    assert measurement.rates.error == 1.0
    assert all(s.error and s.metrics == {} and s.unscored for s in raw.samples)
    assert store.answers == {}


def test_only_the_failed_items_are_asked_again(tmp_path: Path) -> None:
    store, key = MemoryAnswers(), write_task(tmp_path, SUMS)
    with FakeServer("ok") as server:
        ask(server, key, answers=store)
        for known in list(store.answers)[:5]:
            del store.answers[known]
        server.requests.clear()
        ticks: list[Tick] = []
        again = ask(server, key, answers=store, progress=ticks.append)

    assert len(server.requests) == 5
    assert values(again) == {"exact_match": 1.0}
    assert (ticks[-1].done, ticks[-1].total, ticks[-1].reused) == (20, 20, 15)


@pytest.mark.parametrize("mode", ["empty", "truncated"])
def test_empty_and_truncated_answers_are_counted_beside_the_score(mode: str, tmp_path: Path) -> None:
    with FakeServer(mode) as server:
        raw = ask(server, write_task(tmp_path, SUMS[:4]))

    (measurement,) = evaluators.measure(raw)
    assert measurement.n_scored == 4
    assert getattr(measurement.rates, mode) == 1.0


def test_a_filtered_answer_counts_as_refused_and_not_as_empty(tmp_path: Path) -> None:
    with FakeServer("content_filter") as server:
        raw = ask(server, write_task(tmp_path, SUMS[:2]))

    (measurement,) = evaluators.measure(raw)
    assert (measurement.rates.refused, measurement.rates.empty, measurement.rates.error) == (1.0, 0.0, 0.0)


def test_an_answer_the_task_cannot_score_leaves_the_others_alone(server: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "scoring.py").write_text(
        "def points(doc, results):\n"
        "    if doc['id'] == 's2':\n"
        "        raise KeyError('no such rule')\n"
        "    return {'points': 0.5}\n"
    )
    key = write_task(
        tmp_path,
        SUMS[:4],
        process_results="!function scoring.points",
        metric_list=[{"metric": "points", "aggregation": "mean", "higher_is_better": False}],
    )

    raw = ask(server, key)

    (measurement,) = evaluators.measure(raw)
    assert (measurement.value, measurement.n, measurement.n_scored) == (0.5, 4, 3)
    assert measurement.higher_is_better is False
    assert "KeyError" in str(raw.samples[1].unscored)


def test_a_failing_function_of_a_task_names_the_task(server: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text("def text(doc):\n    return doc['nothing']\n")

    with pytest.raises(InvalidTask, match="The task mine failed with KeyError: 'nothing'"):
        ask(server, write_task(tmp_path, SUMS, doc_to_text="!function prompts.text"))


def test_a_task_that_needs_a_package_names_it(server: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text(
        "import no_such_package\n\n\ndef text(doc):\n    return no_such_package.of(doc)\n"
    )

    with pytest.raises(InvalidTask, match="needs the Python package no_such_package, which is not installed"):
        ask(server, write_task(tmp_path, SUMS, doc_to_text="!function prompts.text"))


def test_a_template_with_an_unknown_field_names_the_task(server: FakeServer, tmp_path: Path) -> None:
    with pytest.raises(InvalidTask, match="The task mine failed with UndefinedError"):
        ask(server, write_task(tmp_path, SUMS, doc_to_text="{{nothing}}"))


def test_a_bad_line_of_the_items_is_named_before_anything_is_asked(server: FakeServer, tmp_path: Path) -> None:
    key = write_task(tmp_path, SUMS)
    with (tmp_path / "items.jsonl").open("a") as stream:
        stream.write('\n{"id": \n')

    with pytest.raises(InvalidTask, match=r"items\.jsonl, line 21: not valid JSON"):
        ask(server, key)

    assert server.requests == []


def test_a_stop_from_the_progress_callback_ends_the_run_with_that_very_exception(
    server: FakeServer, tmp_path: Path
) -> None:
    class Cancelled(Exception):
        pass

    def stop(tick: Tick) -> None:
        if tick.total:
            raise Cancelled

    with pytest.raises(Cancelled):
        ask(server, write_task(tmp_path, SUMS), progress=stop)


def test_a_part_is_drawn_by_seed_and_its_items_are_recorded(server: FakeServer, tmp_path: Path) -> None:
    key = write_task(tmp_path, SUMS)

    first, second, other = (ask(server, key, limit=5, seed=seed) for seed in (1, 1, 2))

    ids = [s.sample_id for s in first.samples]
    assert ids == first.provenance["sample_ids"] == [s.sample_id for s in second.samples]
    assert ids != [s.sample_id for s in other.samples]
    assert (len(ids), first.population) == (5, 20)


def test_echo_and_forced_tokens_rank_the_answers_alike(tmp_path: Path) -> None:
    key = write_task(tmp_path, CHOICES, **MULTIPLE_CHOICE)
    with FakeServer("echo") as server:
        echo = ask(server, key, ECHO)
    with FakeServer("forced") as server:
        forced = ask(server, key, FORCED)

    assert (echo.method, forced.method) == (Method.LOGLIKELIHOOD_ECHO, Method.LOGLIKELIHOOD_FORCED)
    assert values(echo) == values(forced)
    for one, other in zip(echo.samples, forced.samples, strict=True):
        assert [a.loglikelihood for a in one.asked] == pytest.approx([a.loglikelihood for a in other.asked])


def test_a_likelihood_item_holds_one_entry_per_answer_with_its_value(tmp_path: Path) -> None:
    with FakeServer("forced") as server:
        raw = ask(server, write_task(tmp_path, CHOICES, **MULTIPLE_CHOICE), FORCED)

    sample = raw.samples[0]
    assert [a.continuation for a in sample.asked] == [" 2", " 1", " no", " a city"]
    assert sample.target == "2"
    assert sample.asked[3].answer.text == " a city"
    assert sample.asked[3].loglikelihood == pytest.approx(sum(t.logprob for t in sample.asked[3].answer.logprobs))


def test_a_server_that_ignores_echo_gives_errors_and_no_chance_score(tmp_path: Path) -> None:
    with FakeServer("no_echo") as server:
        raw = ask(server, write_task(tmp_path, CHOICES, **MULTIPLE_CHOICE), ECHO)

    assert values(raw) == {"acc": None, "acc_norm": None}
    assert all(s.error for s in raw.samples)


def test_letters_are_ranked_on_the_chat_route_where_nothing_better_is_there(server: FakeServer, tmp_path: Path) -> None:
    rows = [{"question": f"What is {i} + 1?\nA. {i + 1}\nB. {i}", "gold": 0} for i in range(1, 5)]
    key = write_task(tmp_path, rows, **{**MULTIPLE_CHOICE, "doc_to_choice": ["A", "B"]})

    raw = ask(server, key, LETTERS)

    assert raw.method is Method.LETTERS_TOP_LOGPROBS
    assert values(raw)["acc"] == 1.0
    assert len(server.requests) == 4


def test_whole_answers_cannot_be_ranked_on_a_chat_route(server: FakeServer, tmp_path: Path) -> None:
    key = write_task(tmp_path, CHOICES, **MULTIPLE_CHOICE)

    with pytest.raises(CapabilityMissing, match="mine needs echo logprobs or forced logprobs"):
        ask(server, key, LETTERS)

    assert server.requests == []


def test_perplexity_of_texts_is_weighted_by_their_length(tmp_path: Path) -> None:
    rows = [{"text": "The city of Paris is a city."}, {"text": "I the a."}]
    key = write_task(
        tmp_path,
        rows,
        output_type="loglikelihood_rolling",
        doc_to_text="",
        doc_to_target="{{text}}",
        generation_kwargs=None,
        metric_list=[{"metric": "word_perplexity"}, {"metric": "bits_per_byte"}],
    )
    with FakeServer("bos_adding") as server:
        raw = ask(server, key, ECHO)

    measured = {m.metric: m for m in evaluators.measure(raw)}
    assert all(m.value is not None and m.value > 0 and not m.higher_is_better for m in measured.values())
    assert measured["word_perplexity"].interval is not None


def test_data_of_a_public_task_may_come_from_a_file(server: FakeServer, tmp_path: Path) -> None:
    rows = [
        {"id": f"q{i}", "question": f"What is {i} + 1?", "answerKey": "A",
         "choices": {"text": [str(i + 1), "a city", "no"], "label": ["A", "B", "C"]}}
        for i in range(4)
    ]  # fmt: skip
    file = tmp_path / "arc.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    with FakeServer("echo") as echo:
        raw = ask(echo, "arc_challenge", ECHO, data_files={"arc_challenge": str(file)})

    assert raw.benchmark == "lm_eval:arc_challenge"
    assert [s.sample_id for s in raw.samples] == ["q0", "q1", "q2", "q3"]
    assert list(raw.provenance["dataset"]["files"]) == ["arc.jsonl"]
    assert set(values(raw)) == {"acc", "acc_norm"}


def test_a_result_can_be_measured_after_its_task_is_gone(server: FakeServer, tmp_path: Path) -> None:
    key = write_task(tmp_path, SUMS)
    raw = ask(server, key)
    before = evaluators.measure(raw)

    Path(key).unlink()

    assert evaluators.measure(raw) == before


def test_stored_answers_of_a_starter_benchmark_are_scored_again_alike(server: FakeServer) -> None:
    raw = ask(server, "starter_knowledge", limit=12)
    evaluator, benchmark = evaluators.find("starter_knowledge")

    assert evaluators.rescore(raw).samples == raw.samples
    assert evaluator.measure(benchmark, evaluators.rescore(raw)) == evaluators.measure(raw)


def test_nothing_of_lm_eval_reaches_the_terminal(
    server: FakeServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ask(server, write_task(tmp_path, SUMS[:2]))

    assert capfd.readouterr() == ("", "")


def test_an_error_keeps_its_class_for_the_reader(tmp_path: Path) -> None:
    with FakeServer("unauthorised") as server:
        raw = ask(server, write_task(tmp_path, SUMS[:2]))

    answer: Answer = raw.samples[0].asked[0].answer
    assert answer.outcome is Outcome.ERROR
    assert answer.error_class == "unauthorised"


def test_the_items_of_a_split_may_come_from_several_files(server: FakeServer, tmp_path: Path) -> None:
    files = {"test": ["items.jsonl", "more.jsonl"]}
    key = write_task(tmp_path, SUMS[:3], dataset_kwargs={"data_files": files})
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "m1", "question": "What is 1 + 1?", "answer": "2"}))

    raw = ask(server, key)

    assert [s.sample_id for s in raw.samples] == ["s1", "s2", "s3", "m1"]
    assert sorted(raw.provenance["dataset"]["files"]) == ["items.jsonl", "more.jsonl"]


def test_files_named_by_an_address_are_left_to_the_library_that_fetches_them(
    server: FakeServer, tmp_path: Path
) -> None:
    files = {"test": f"file://{tmp_path}/items.jsonl"}
    kwargs = {"data_files": files, "cache_dir": str(tmp_path / "cache")}
    key = write_task(tmp_path, SUMS[:3], dataset_kwargs=kwargs)

    raw = ask(server, key)

    assert [s.sample_id for s in raw.samples] == ["s1", "s2", "s3"]


@pytest.mark.parametrize("task", ["arithmetic_1dc", "wnli_es"])
def test_a_public_task_with_remote_files_is_not_looked_for_beside_its_task_file(task: str) -> None:
    path = task_files.find_public(task)
    assert path is not None
    assert loading._data_overrides(task_files.read_definition(path), path, None) == ({}, [])
