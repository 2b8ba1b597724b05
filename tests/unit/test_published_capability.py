"""Knowledge, calculation and calibration from published rows: their shapes, and what must not change a score."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from typing import Any

import pytest

from domain.answers import Answer, Outcome, TokenLogprob
from domain.benchmarks import Asked, Sample
from domain.errors import InvalidTask
from evaluators.benchmarks import scorers
from evaluators.benchmarks.published_capability import CAPABILITY
from evaluators.benchmarks.tasks.published import capability

BENCHMARKS = {b.key: b for b in CAPABILITY}
Doc = Mapping[str, Any]


def asked(
    key: str, docs: Sequence[Doc], answer: Callable[[Doc], str], logprobs: tuple[TokenLogprob, ...] = ()
) -> list[Sample]:
    found = []
    for doc in docs:
        given = Answer(key="k", outcome=Outcome.ANSWERED, text=answer(doc), logprobs=logprobs)
        asked_once = (Asked(messages=(), answer=given),)
        sample = Sample(sample_id=doc["id"], cluster=doc["cluster"], stratum=doc["stratum"], doc=doc, asked=asked_once)
        found.append(scorers.score_item(BENCHMARKS[key].scorer, sample))
    return found


def values(key: str, samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in scorers.measure(BENCHMARKS[key], samples)}


def exam(order: Sequence[int] = (0, 1, 2, 3), questions: int = 8) -> list[dict[str, Any]]:
    """Sums, of which the second number is the right one before the options change places."""
    return [
        {
            "question": f"What is {n} + {n}? ",
            "subject": "sums",
            "choices": [str(2 * n + i - 1) for i in order],
            "answer": list(order).index(1),
        }
        for n in range(10, 10 + questions)
    ]


def weak(doc: Doc) -> str:
    """The right letter of even tens, else the letter of the smallest option."""
    options = [int(option) for option in doc["options"]]
    return str(doc["target"]) if sorted(options)[1] % 4 == 0 else "ABCD"[options.index(min(options))]


def test_a_question_shows_its_options_under_letters_and_expects_the_right_one() -> None:
    [item, *_] = capability.mmlu(exam())
    assert item["text"] == "What is 10 + 10?\nA. 19\nB. 20\nC. 21\nD. 22"
    assert item["target"] == "B"
    assert item["stratum"] == "sums"


def test_a_question_of_two_files_is_asked_once_under_the_subject_that_is_known() -> None:
    unnamed = [{**row, "subject": None} for row in exam(questions=2)]
    items = capability.mmlu([*unnamed, *exam(questions=1)])
    assert [item["stratum"] for item in items] == ["sums", "mixed"]


@pytest.mark.parametrize("order", [*permutations(range(4))][::5])
@pytest.mark.parametrize("key", ["mmlu_letters", "mmlu_calibration_verbal"])
def test_the_order_of_the_options_leaves_the_accuracy(key: str, order: tuple[int, ...]) -> None:
    def answer(doc: Doc) -> str:
        return weak(doc) if key == "mmlu_letters" else f"{weak(doc)}, 60%"

    straight = values(key, asked(key, list(capability.mmlu(exam())), answer))
    turned = values(key, asked(key, list(capability.mmlu(exam(order))), answer))
    assert straight["accuracy"] == turned["accuracy"] == 0.5
    assert straight.get("ece") == turned.get("ece")


@pytest.mark.parametrize("key", ["mmlu_letters", "arc_letters"])
def test_asking_everything_twice_leaves_the_accuracy(key: str) -> None:
    samples = asked(key, list(capability.mmlu(exam())), weak)
    assert values(key, samples) == values(key, [*samples, *samples])


def test_probabilities_of_letters_are_made_to_sum_to_one_before_they_are_a_confidence() -> None:
    # A .3, B .1, both of all that is on letters: the confidence of A is .75; A is right of no item here
    top = (("A", math.log(0.3)), ("B", math.log(0.1)), ("The", math.log(0.6)))
    logprobs = (TokenLogprob("The", math.log(0.6), top),)
    samples = asked("mmlu_calibration", list(capability.mmlu(exam())), lambda _: "The", logprobs)
    found = values("mmlu_calibration", samples)
    assert found["ece"] == pytest.approx(0.75)
    assert found["brier"] == pytest.approx(0.75**2)
    assert found["letter_mass"] == pytest.approx(0.4)


def school(labels: Sequence[str], key: str) -> dict[str, Any]:
    texts = [f"option {n}" for n in range(len(labels))]
    return {"id": "q1", "question": "Which?", "choices": {"text": texts, "label": list(labels)}, "answerKey": key}


@pytest.mark.parametrize(
    ("labels", "key", "target"), [("ABCD", "C", "C"), ("1234", "3", "C"), ("ABCDE", "E", "E"), ("ABC", "A", "A")]
)
def test_options_have_letters_whatever_signs_the_source_gives_them(labels: str, key: str, target: str) -> None:
    [item] = capability.arc([school(labels, key)])
    assert item["target"] == target
    assert len(item["options"]) == len(labels)


def test_a_right_answer_that_is_no_option_is_refused() -> None:
    with pytest.raises(InvalidTask, match="'E' of item q1 is none of its options"):
        capability.arc([school("ABCD", "E")])


@pytest.mark.parametrize(
    "answer",
    ["Answer: 1200", "2 * 600 = 1,200\nAnswer: 1,200", "Answer: **$1,200.00**", "5 boxes of 240.\nThe answer is 1200."],
)
def test_the_exact_number_counts_however_it_is_written(answer: str) -> None:
    docs = capability.gsm8k([{"question": "How many?", "answer": "2*600=<<2*600=1200>>1200\n#### 1,200"}])
    assert values("gsm8k_number", asked("gsm8k_number", list(docs), lambda _: answer))["exact_match"] == 1.0


@pytest.mark.parametrize("answer", ["Answer: 1201", "1200 - 1 = 1199\nAnswer: 1199", "Many."])
def test_another_number_or_none_is_wrong(answer: str) -> None:
    docs = capability.gsm8k([{"question": "How many?", "answer": "#### 1,200"}])
    assert values("gsm8k_number", asked("gsm8k_number", list(docs), lambda _: answer))["exact_match"] == 0.0


def test_a_solution_without_its_number_is_refused_by_its_place() -> None:
    with pytest.raises(InvalidTask, match="Item 2 of GSM8K"):
        capability.gsm8k([{"question": "a", "answer": "#### 1"}, {"question": "b", "answer": "1"}])
