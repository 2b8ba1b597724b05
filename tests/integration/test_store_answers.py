"""Answers as they come and requests that failed, on both databases."""

import pytest
from fakes import records

from db.store import Store
from domain.answers import Answer, ErrorClass, Outcome

#: Texts that a database may refuse or change.
AWKWARD = [
    "",
    " \n\t",
    "¿Qué tal? 你好 🙂",
    "NUL \0 in the middle",
    "half an emoji \ud83d",
    "\ue0f5 looks quoted",
    "100 % _ ' \" \\ ;--",
    "\r\n",
    "\x01\x1b[31m",
]


@pytest.mark.parametrize("text", AWKWARD)
def test_an_answer_comes_back_exactly_as_it_came(store: Store, text: str) -> None:
    run = records.add_run(store)
    answer = records.answer(text=text, reasoning=text, finish_reason=text)
    store.answers(run.id).put([answer])
    assert store.answers(run.id).known(["k"]) == {"k": answer}


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not Outcome.ERROR])
def test_every_outcome_but_an_error_is_an_answer(store: Store, outcome: Outcome) -> None:
    run = records.add_run(store)
    answer = records.answer(outcome=outcome, text="", reasoning=None, prompt_tokens=None, completion_tokens=0)
    store.answers(run.id).put([answer])
    assert store.answers(run.id).known(["k"])["k"] == answer


def test_a_failed_answer_is_never_stored_as_an_answer(store: Store) -> None:
    run = records.add_run(store)
    with pytest.raises(ValueError, match="failed"):
        store.answers(run.id).put([records.answer("good"), records.failure("bad")])
    store.answers(run.id).failed([records.failure("bad")])
    assert store.answers(run.id).known(["good", "bad"]) == {}
    assert store.answer_count(run.id) == 0


def test_logprobs_and_vectors_come_back_exactly(store: Store) -> None:
    run = records.add_run(store)
    vectors = ((0.1, -1e-300, 1 / 3), (2.0, 0.0, 5e22))
    answers = [records.with_logprobs("a"), records.answer("b", vectors=vectors)]
    store.answers(run.id).put(answers)
    known = store.answers(run.id).known(["a", "b"])
    assert [known["a"], known["b"]] == answers


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_log_probability_that_is_no_number_is_refused(store: Store, bad: float) -> None:
    run = records.add_run(store)
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.answers(run.id).put([records.answer(vectors=((bad,),))])
    assert store.answer_count(run.id) == 0


def test_the_same_key_is_kept_once_with_its_latest_answer(store: Store) -> None:
    run = records.add_run(store)
    answers = store.answers(run.id)
    answers.put([records.answer(text="first"), records.answer(text="second")])
    answers.put([records.answer(text="third")])
    assert store.answer_count(run.id) == 1
    assert answers.known(["k"])["k"].text == "third"


def test_answers_of_one_run_are_unknown_to_another(store: Store) -> None:
    first, second = records.add_run(store), records.add_run(store)
    store.answers(first.id).put([records.answer()])
    assert store.answers(second.id).known(["k"]) == {}
    assert store.answer_count(second.id) == 0


def test_thousands_of_keys_are_looked_up_at_once(store: Store) -> None:
    run = records.add_run(store)
    answers = store.answers(run.id)
    answers.put([records.answer(f"{number}") for number in range(0, 9000, 2)])
    known = answers.known([f"{number}" for number in range(9000)])
    assert len(known) == 4500
    assert all(key == answer.key and int(key) % 2 == 0 for key, answer in known.items())
    assert answers.known([]) == {}


def test_nothing_to_keep_is_no_error(store: Store) -> None:
    run = records.add_run(store)
    store.answers(run.id).put([])
    store.answers(run.id).failed([])
    assert store.failures(run.id) == []


def test_failures_are_listed_latest_first_by_benchmark(store: Store) -> None:
    run = records.add_run(store, "a", "b")
    old = records.failure("1", answered_at=1.0, error="a \0 b")
    new = records.failure("2", answered_at=2.0, error_class=ErrorClass.RATE_LIMITED)
    store.answers(run.id, "a").failed([old])
    store.answers(run.id, "b").failed([new])
    store.answers(run.id).failed([records.failure("3", answered_at=0.5)])
    assert store.failures(run.id)[:2] == [new, old]
    assert store.failures(run.id, "a") == [old]
    assert len(store.failures(run.id, limit=2)) == 2


def test_a_request_that_fails_again_is_listed_once_with_all_its_attempts(store: Store) -> None:
    run = records.add_run(store)
    store.answers(run.id).failed([records.failure(attempts=3, answered_at=1.0)])
    store.answers(run.id).failed([records.failure(attempts=4, answered_at=2.0, error="later")])
    (failure,) = store.failures(run.id)
    assert (failure.attempts, failure.error, failure.answered_at) == (7, "later", 2.0)


def test_a_request_that_was_answered_after_all_is_no_longer_a_failure(store: Store) -> None:
    run = records.add_run(store)
    answers = store.answers(run.id)
    answers.failed([records.failure("1"), records.failure("2")])
    answers.put([records.answer("1")])
    assert [failure.key for failure in store.failures(run.id)] == ["2"]


def test_answers_of_an_unknown_run_are_refused(store: Store) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"):
        store.answers("nothing").put([records.answer()])


def test_a_whole_answer_with_every_field_set_comes_back(store: Store) -> None:
    run = records.add_run(store)
    answer = Answer(
        key="f" * 64,
        outcome=Outcome.TRUNCATED,
        text="t",
        reasoning="r",
        finish_reason="length",
        prompt_tokens=1,
        completion_tokens=2,
        latency_s=0.1 + 0.2,
        attempts=5,
        answered_at=1790000000.123456,
    )
    store.answers(run.id).put([answer])
    assert store.answers(run.id).known([answer.key])[answer.key] == answer
