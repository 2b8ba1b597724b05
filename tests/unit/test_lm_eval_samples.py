"""From lm-eval's log and the endpoint's answers to samples; progress of the asking."""

import json
from typing import Any

from domain.answers import Answer, ErrorClass, Outcome
from domain.benchmarks import Tick
from evaluators.benchmarks import samples
from evaluators.benchmarks.lm import ChatPrompt, Item, cut
from evaluators.benchmarks.progress import Counting


def logged(position: int, metrics: dict[str, Any], *, name: str = "none", target: Any = "x") -> dict[str, Any]:
    return {"doc_id": position, "filter": name, "target": target, "metrics": list(metrics), **metrics}


def test_an_item_without_an_id_is_named_by_its_content_wherever_it_stands() -> None:
    docs = [{"q": "one"}, {"q": "two"}]

    forward = samples.join(docs, [], {0: Item(), 1: Item()}, {}, {})
    backward = samples.join(docs[::-1], [], {0: Item(), 1: Item()}, {}, {})

    assert [s.sample_id for s in forward] == [s.sample_id for s in backward][::-1]


def test_two_items_of_one_id_do_not_share_a_name() -> None:
    joined = samples.join([{"id": "a"}, {"id": "a"}], [], {0: Item(), 1: Item()}, {}, {})

    assert [s.sample_id for s in joined] == ["a", "a#2"]
    assert [s.cluster for s in joined] == ["a", "a#2"]


def test_metrics_of_several_filters_keep_the_filter_in_their_name() -> None:
    log = [logged(0, {"exact_match": 1.0}, name="strict"), logged(0, {"exact_match": 0}, name="flexible")]

    (joined,) = samples.join([{"id": 1}], log, {0: Item()}, {}, {})

    assert joined.metrics == {"exact_match,strict": 1.0, "exact_match,flexible": 0.0}


def test_flags_of_a_task_are_fields_and_not_metrics() -> None:
    (joined,) = samples.join([{}], [logged(0, {"parse_ok": 0.0, "refused": 1.0, "ok": True})], {0: Item()}, {}, {})

    assert (joined.parse_ok, joined.refused, joined.metrics) == (False, True, {"ok": 1.0})


def test_what_is_not_a_finite_number_is_no_metric() -> None:
    log = [logged(0, {"f1": ("a", "b"), "nan": float("nan"), "words": "three", "perplexity": (-2.5, 4)})]

    (joined,) = samples.join([{}], log, {0: Item()}, {}, {})

    assert joined.metrics == {"perplexity:loglikelihood": -2.5, "perplexity:weight": 4.0}


def test_the_target_of_a_choice_is_its_text() -> None:
    (joined,) = samples.join([{}], [logged(0, {"acc": 1.0}, target=1)], {0: Item()}, {}, {0: ["red", "blue"]})

    assert joined.target == "blue"


def test_an_item_is_stored_as_json_whatever_it_holds() -> None:
    doc = {"bytes": b"png", "nan": float("nan"), "set": ("a", 1), "object": object}

    stored = samples.storable(doc)

    assert stored["nan"] is None
    assert stored["bytes"].startswith("[image ")
    json.dumps(stored, allow_nan=False)


def test_text_is_cut_at_the_first_stop_string() -> None:
    assert cut("one END two\nthree", ["\n", "END"]) == "one "
    assert cut("one", []) == "one"


def test_a_chat_prompt_is_text_that_carries_its_messages() -> None:
    prompt = ChatPrompt.of([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}])

    assert prompt == "system: Be brief.\n\nuser: Hi"
    assert [m["role"] for m in prompt.messages] == ["system", "user"]


def test_progress_is_told_at_most_once_a_second_and_counts_errors_by_class() -> None:
    ticks: list[Tick] = []
    clock = iter([0.0, 0.1, 0.2, 1.5, 1.5, 2.0])
    counting = Counting(ticks.append, clock=lambda: next(clock))
    good = Answer(key="a", outcome=Outcome.ANSWERED, prompt_tokens=3, completion_tokens=1)
    bad = Answer(key="b", outcome=Outcome.ERROR, error_class=ErrorClass.TIMEOUT)

    counting.plan(4)
    for answer, reused in ((good, False), (bad, False), (good, True)):
        counting.on_answer(answer, reused)

    assert [tick.done for tick in ticks] == [0, 3]
    assert ticks[-1] == Tick(done=3, total=4, errors={"timeout": 1}, prompt_tokens=3, completion_tokens=1, reused=1)
