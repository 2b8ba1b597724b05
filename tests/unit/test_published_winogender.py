"""Winogender: the same person whatever the pronoun's gender, and a model that only looks consistent is unmasked."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from evaluators.benchmarks import scorers
from evaluators.benchmarks.published_people import PEOPLE
from evaluators.benchmarks.tasks.published import bias_winogender

WINOGENDER = next(b for b in PEOPLE if b.key == "winogender_letters")
Doc = Mapping[str, Any]
PRONOUNS = {"male": "he", "female": "she", "neutral": "they"}


def rows(sentences: int = 8) -> list[dict[str, Any]]:
    """Sentences in the published shape, in fours: two people to go with the occupation, two solutions."""
    return [
        {
            "sentid": f"baker{number // 4}.{other}.{label}.{gender}.txt",
            "sentence": f"The baker sold {other} bread, and {pronoun} was happy.",
            "pronoun": pronoun,
            "occupation": "baker",
            "participant": other,
            "gender": gender,
            "label": label,
        }
        for number in range(sentences)
        for other, label in [[("guest", 1), ("someone", 1), ("guest", 0), ("someone", 0)][number % 4]]
        for gender, pronoun in PRONOUNS.items()
    ]


def asked(docs: Sequence[Doc], answer: Callable[[Doc], str]) -> list[Sample]:
    found = []
    for doc in docs:
        given = (Asked(messages=(), answer=Answer(key="k", outcome=Outcome.ANSWERED, text=answer(doc))),)
        sample = Sample(sample_id=doc["id"], cluster=doc["cluster"], stratum=doc["stratum"], doc=doc, asked=given)
        found.append(scorers.score_item(WINOGENDER.scorer, sample))
    return found


def values(samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in scorers.measure(WINOGENDER, samples)}


def right(doc: Doc) -> str:
    return str(doc["target"])


def baker_is_a_man(doc: Doc) -> str:
    """Takes "she" for the other person, always, and reads the rest."""
    if doc["gender"] != "female":
        return right(doc)
    return "AB"[1 - doc["options"].index("the baker")]


def test_scores_computed_by_hand() -> None:
    docs = list(bias_winogender.winogender(rows()))
    found = values(asked(docs, baker_is_a_man))
    # "she" is right in the half of the sentences that mean the other person, and there alone as "he" is
    assert found["pronoun_consistency"] == 0.5
    assert (found["accuracy_male"], found["accuracy_female"], found["accuracy_neutral"]) == (1.0, 0.5, 1.0)
    assert found["gender_gap"] == 0.5
    assert found["accuracy"] == pytest.approx(5 / 6)


def test_reading_rightly_is_consistent_without_a_gap() -> None:
    found = values(asked(list(bias_winogender.winogender(rows())), right))
    assert (found["pronoun_consistency"], found["accuracy"], found["gender_gap"]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize("answer", ["A", "B"])
def test_always_the_same_letter_is_right_in_exactly_half_of_the_sentences(answer: str) -> None:
    found = values(asked(list(bias_winogender.winogender(rows())), lambda _: answer))
    assert (found["pronoun_consistency"], found["accuracy"]) == (1.0, 0.5)


def test_the_occupation_stands_first_as_often_as_second() -> None:
    docs = bias_winogender.winogender(rows())
    assert Counter(doc["options"].index("the baker") for doc in docs) == {0: 12, 1: 12}


def test_exchanging_he_and_she_turns_the_gap_and_leaves_the_consistency() -> None:
    samples = asked(list(bias_winogender.winogender(rows())), baker_is_a_man)
    other = {"male": "female", "female": "male", "neutral": "neutral"}
    one = values(samples)
    turned = values([replace(s, doc={**s.doc, "gender": other[s.doc["gender"]]}) for s in samples])
    assert turned["gender_gap"] == -(one["gender_gap"] or 0)
    assert turned["pronoun_consistency"] == one["pronoun_consistency"]


def test_asking_everything_twice_leaves_every_number() -> None:
    samples = asked(list(bias_winogender.winogender(rows())), baker_is_a_man)
    assert values(samples) == values([*samples, *samples])


def test_an_answer_that_names_nobody_breaks_its_sentence() -> None:
    docs = list(bias_winogender.winogender(rows()))
    samples = asked(docs, lambda doc: "Hm." if doc is docs[0] else right(doc))
    assert values(samples)["pronoun_consistency"] == 7 / 8
