"""Published questions in other forms: what changes, what never does, and what is made of the answers."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes import published_answers, starter_answers
from hypothesis import given
from hypothesis import strategies as st

from domain.benchmarks import Benchmark, Sample
from evaluators.benchmarks import scorers
from evaluators.benchmarks.published_robustness import ROBUSTNESS
from evaluators.benchmarks.tasks.published import careless, changed_forms
from requirements_map import normalisers

ORDER, TYPING = "option_order_consistency", "careless_typing"
BENCHMARKS: Mapping[str, Benchmark] = {b.key: b for b in ROBUSTNESS}
Doc = Mapping[str, Any]


def school(questions: int = 6) -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{n}",
            "question": f"Which colour has thing {n}?",
            "choices": {"text": ["blue", "red", "green", "black"], "label": list("ABCD")},
            "answerKey": "ABCD"[n % 4],
        }
        for n in range(questions)
    ]


def facts(questions: int = 6) -> list[dict[str, Any]]:
    return [
        {"question": f"Which animal does not live in river {n}?", "choices": ["a", "b", "c", "d"], "answer": n % 4}
        for n in range(questions)
    ]


def values(key: str, docs: Sequence[Doc], answer: Callable[[Doc], str]) -> dict[str, float | None]:
    benchmark = BENCHMARKS[key]
    samples: list[Sample] = [starter_answers.sample(benchmark, doc, answer(doc)) for doc in docs]
    return {m.metric: m.value for m in scorers.measure(benchmark, starter_answers.scored(benchmark, samples))}


def test_every_option_stands_under_every_letter_once_and_the_right_letter_moves_with_it() -> None:
    docs = list(changed_forms.option_orders(school(2)))
    assert len(docs) == 8
    second = [doc for doc in docs if doc["cluster"] == "q1"]
    assert [doc["text"].splitlines() for doc in second][1] == [
        "Which colour has thing 1?",
        "A. red",
        "B. green",
        "C. black",
        "D. blue",
    ]
    assert {doc["options"]["ABCD".index(doc["target"])] for doc in second} == {"red"}
    assert sorted(doc["target"] for doc in second) == list("ABCD")
    assert all(
        [doc["options"][doc["option_ids"].index(i)] for i in range(4)] == ["blue", "red", "green", "black"]
        for doc in docs
    )


@pytest.mark.parametrize(
    "option", ["All of the above", "both A and C", "Neither of these.", "none of the options", "None", "Black"]
)
def test_a_question_with_an_option_about_the_others_or_two_alike_is_left_out(option: str) -> None:
    rows = school(2)
    rows[0]["choices"]["text"][0] = option
    assert {doc["cluster"] for doc in changed_forms.option_orders(rows)} == {"q1"}


def test_an_option_that_only_sounds_so_stays() -> None:
    rows = school(1)
    rows[0]["choices"]["text"][0] = "All of the planets go around the Sun, both have moons"
    assert len(changed_forms.option_orders(rows)) == 4


def test_one_letter_in_every_order_is_never_the_same_option() -> None:
    found = values(ORDER, list(changed_forms.option_orders(school(8))), lambda _: "A")
    assert found == {
        "consistency": 0.0,
        "flip_rate": 1.0,
        "accuracy_clean": 0.25,
        "accuracy_perturbed": 0.25,
        "top_letter_share": 1.0,
    }


def test_one_order_that_gets_another_option_flips_its_question_alone() -> None:
    docs = list(changed_forms.option_orders(school(4)))
    found = values(ORDER, docs, lambda d: "purple" if d["id"] == "q0-1" else str(d["target"]))
    assert (found["consistency"], found["flip_rate"]) == (0.75, 0.25)
    assert (found["accuracy_clean"], found["accuracy_perturbed"]) == (1.0, 11 / 12)


def test_the_same_wrong_option_in_all_orders_is_consistent_and_wrong() -> None:
    found = values(ORDER, list(changed_forms.option_orders(school(4))), lambda _: "It is green.")
    assert (found["consistency"], found["accuracy_clean"], found["accuracy_perturbed"]) == (1.0, 0.25, 0.25)
    assert found["top_letter_share"] == 0.25


@pytest.mark.parametrize("turned", [(1, 0, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)])
def test_the_order_in_the_source_leaves_every_figure_of_a_model_that_reads(turned: tuple[int, ...]) -> None:
    def reordered(row: dict[str, Any]) -> dict[str, Any]:
        texts = row["choices"]["text"]
        place = turned.index("ABCD".index(row["answerKey"]))
        choices = {"text": [texts[i] for i in turned], "label": list("ABCD")}
        return {**row, "choices": choices, "answerKey": "ABCD"[place]}

    def by_words(doc: Doc) -> str:
        """Right of two questions of three, of the others blue."""
        return doc["options"]["ABCD".index(doc["target"])] if int(doc["cluster"][1:]) % 3 else "blue"

    straight = values(ORDER, list(changed_forms.option_orders(school(9))), by_words)
    other = values(ORDER, list(changed_forms.option_orders([reordered(row) for row in school(9)])), by_words)
    straight.pop("top_letter_share")
    other.pop("top_letter_share")
    assert other == straight


@pytest.mark.parametrize("key", [ORDER, TYPING])
def test_asking_everything_twice_and_in_another_order_leaves_every_figure(key: str) -> None:
    docs = list(changed_forms.option_orders(school(9)) if key == ORDER else changed_forms.typed_carelessly(facts(9)))
    answers = {doc["id"]: random.Random(doc["id"]).choice([doc["target"], "B"]) for doc in docs}
    copies = [{**doc, "cluster": f"{doc['cluster']}#2"} for doc in docs]
    once = values(key, docs, lambda doc: answers[doc["id"]])
    assert values(key, [*docs, *copies], lambda doc: answers[doc["id"]]) == pytest.approx(once)
    assert values(key, docs[::-1], lambda doc: answers[doc["id"]]) == pytest.approx(once)


def test_a_question_of_which_a_form_got_no_answer_counts_nowhere() -> None:
    docs = list(changed_forms.typed_carelessly(facts(4)))
    benchmark = BENCHMARKS[TYPING]
    samples = [starter_answers.sample(benchmark, doc, doc["target"]) for doc in docs[1:]]
    samples = starter_answers.scored(benchmark, [starter_answers.failed(benchmark, docs[0]), *samples])
    found = {m.metric: m for m in scorers.measure(benchmark, samples)}
    assert [found[name].n_scored for name in ("accuracy_perturbed", "accuracy_clean", "consistency")] == [3, 3, 6]


def test_the_score_of_careless_typing_is_the_ratio_of_the_two_accuracies() -> None:
    docs = list(changed_forms.typed_carelessly(facts(40)))
    wrong = {doc["id"] for doc in docs if doc["form"] == "clean"} - {doc["id"] for doc in docs[:64]}
    wrong |= {doc["id"] for doc in docs if doc["form"] != "clean"} - {doc["id"] for doc in docs[:48]}
    benchmark = BENCHMARKS[TYPING]
    samples = [starter_answers.sample(benchmark, d, "x" if d["id"] in wrong else d["target"]) for d in docs]
    found = scorers.measure(benchmark, starter_answers.scored(benchmark, samples))
    assert [(m.metric, m.value) for m in found[:2]] == [("accuracy_perturbed", 0.6), ("accuracy_clean", 0.8)]
    score = normalisers.normalise("ratio_clip1", {"chance": 0.25, "margin": 0.1}, found[:2])
    assert score.value == pytest.approx(0.75)
    chance = [starter_answers.sample(benchmark, d, "A") for d in docs]
    found = scorers.measure(benchmark, starter_answers.scored(benchmark, chance))
    assert normalisers.normalise("ratio_clip1", {"chance": 0.25, "margin": 0.1}, found[:2]).value is None


def test_options_and_targets_never_change_and_every_question_does(test_data: Path) -> None:
    docs = published_answers.loaded(BENCHMARKS[TYPING], test_data).docs
    for plain, typed in zip(docs[::2], docs[1::2], strict=True):
        assert plain["form"] == "clean"
        assert typed["form"] in careless.CHANGES
        same = ("cluster", "options", "target", "stratum")
        assert [plain[name] for name in same] == [typed[name] for name in same]
        tail = "".join(f"\n{letter}. {option}" for letter, option in zip("ABCD", plain["options"], strict=False))
        assert plain["text"].endswith(tail)
        assert typed["text"].endswith(tail)
        assert plain["text"] != typed["text"]
    kinds = Counter(doc["form"] for doc in docs[1::2])
    assert set(kinds) == set(careless.CHANGES)
    assert min(kinds.values()) > 100


def test_no_figure_formula_abbreviation_or_quotation_changes_in_the_real_questions(test_data: Path) -> None:
    docs = published_answers.loaded(BENCHMARKS[TYPING], test_data).docs
    for plain, typed in zip(docs[::2], docs[1::2], strict=True):
        for one, other in zip(plain["text"].split(), typed["text"].split(), strict=False):
            if typed["form"] != "short forms" and not one.strip("().,;:?!").isalpha():
                assert one == other, typed["id"]
            if one.isupper() and len(one) > 1 and typed["form"] != "short forms":
                assert one == other, typed["id"]


def test_no_slip_makes_another_word_of_the_questions(test_data: Path) -> None:
    docs = published_answers.loaded(BENCHMARKS[TYPING], test_data).docs
    known = set().union(*(careless.words(doc["text"]) for doc in docs if doc["form"] == "clean"))
    for plain, typed in zip(docs[::2], docs[1::2], strict=True):
        if typed["form"] == "typing errors":
            new = careless.words(typed["text"]) - careless.words(plain["text"])
            assert new
            assert not new & known


@pytest.mark.parametrize("name", careless.CHANGES)
@pytest.mark.parametrize(
    "kept", ['"Colourless Green ideas don’t sleep"', "“What is he?”", "$What is x$", "3.14 kg", "NaCl", "x=Following/2"]
)
def test_what_is_quoted_or_reckoned_stays_in_every_change(name: str, kept: str) -> None:
    text = f"Which of the following statements is not about {kept} and what is Another reason for saying so?"
    for seed in range(20):
        changed = careless.CHANGES[name](text, random.Random(seed), frozenset())
        assert kept in changed
        assert changed != text


@given(st.text(max_size=200), st.sampled_from(list(careless.CHANGES)), st.integers(0, 5))
def test_a_change_is_always_the_same_and_keeps_every_figure(text: str, name: str, seed: int) -> None:
    def make() -> str:
        return careless.CHANGES[name](text, random.Random(seed), frozenset())

    assert make() == make()
    assert [c for c in make() if c.isdigit()] == [c for c in text if c.isdigit()]


def test_a_question_that_allows_no_change_is_left_out() -> None:
    assert careless.changed("2 + 2 = ?", "q", frozenset()) is None
    assert not changed_forms.typed_carelessly([*facts(1), {"question": "6/2?", "choices": list("abcd"), "answer": 0}])[
        "text"
    ][2:]


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("What is it?", "What's it?"),
        ("Why can not it, or cannot it?", "Why can't it, or can't it?"),
        ("It is NOT so; that is, they are there.", "It's NOT so; that is, they're there."),
        ("Tell what it is.", "Tell what it is."),
        ("Somewhat is not said.", "Somewhat isn't said."),
    ],
)
def test_short_forms_stand_only_where_they_can_be_said(text: str, short: str) -> None:
    assert careless.with_short_forms(text, random.Random(1), ()) == short


@pytest.mark.parametrize("name", careless.CHANGES)
def test_a_predicate_of_logic_keeps_its_capital_in_every_change(name: str) -> None:
    text = "Which formula is meant by the following key? Bxy: x is bigger than y; Ixyz: x introduces y to z"
    for seed in range(20):
        changed = careless.CHANGES[name](text, random.Random(seed), frozenset())
        assert "Bxy:" in changed
        assert "Ixyz:" in changed


@pytest.mark.parametrize(
    ("word", "other"), [("meiosis", "miosis"), ("friction", "fiction"), ("infarction", "infraction")]
)
def test_no_slip_makes_a_word_that_means_something_else(word: str, other: str) -> None:
    made = {careless.mistyped(f"In {word}, what occurs?", random.Random(seed), frozenset()) for seed in range(200)}
    assert len(made) > 5
    assert f"In {other}, what occurs?" not in made
