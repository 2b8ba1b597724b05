"""Reviews that say the opposite, forecasts of a known order, other wordings: what counts, and what must not."""

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from fakes import starter_answers
from hypothesis import given
from hypothesis import strategies as st

from domain.benchmarks import Benchmark, RunOptions, Sample
from domain.errors import InvalidTask
from evaluators.benchmarks import loading, scorers
from evaluators.benchmarks.published_robustness import ROBUSTNESS
from evaluators.benchmarks.scorers import forecasts, sentiments
from evaluators.benchmarks.tasks.published import forecasts as forecast_items
from evaluators.benchmarks.tasks.published import robustness_pairs, wordings

BENCHMARKS: Mapping[str, Benchmark] = {b.key: b for b in ROBUSTNESS}
YEARS = (2025, 2028, 2032, 2036, 2040)
Doc = Mapping[str, Any]


def asked(key: str, docs: Sequence[Doc], answer: Callable[[Doc], str]) -> list[Sample]:
    benchmark = BENCHMARKS[key]
    return starter_answers.scored(benchmark, [starter_answers.sample(benchmark, doc, answer(doc)) for doc in docs])


def values(key: str, samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in scorers.measure(BENCHMARKS[key], samples)}


def reviews(pairs: int = 8) -> list[dict[str, Any]]:
    kinds = (("original", "Positive", "good"), ("contrast", "Negative", "bad"))
    return [
        {"file": f"dev_{kind}.tsv", "Sentiment": says, "Text": f"Film {n}.<br /><br />It is {word}."}
        for kind, says, word in kinds
        for n in range(pairs)
    ]


def forecast(direction: str, name: str = "the record") -> dict[str, Any]:
    return {"direction": direction, "questions": [f"What will be {name} by the year {year}?" for year in YEARS]}


def school(questions: int = 6) -> list[dict[str, Any]]:
    texts = ["blue", "red", "green", "black"]
    return [
        {
            "id": f"q{n}",
            "question": f"Which colour has thing {n}?",
            "choices": {"text": texts, "label": list("ABCD")},
            "answerKey": "ABCD"[n % 4],
        }
        for n in range(questions)
    ]


def test_a_review_and_its_contrast_are_a_pair_without_the_marks_of_a_web_page() -> None:
    first, second, *_ = robustness_pairs.imdb_contrast(reviews())
    assert (first["text"], first["target"]) == ("Film 0. It is good.", "positive")
    assert (second["text"], second["target"]) == ("Film 0. It is bad.", "negative")
    assert first["cluster"] == second["cluster"] == "imdb-dev-001"


def test_a_pair_that_says_the_same_is_no_contrast_and_left_out() -> None:
    rows = reviews(2)
    rows[0]["Sentiment"] = "Negative"
    assert {item["cluster"] for item in robustness_pairs.imdb_contrast(rows)} == {"imdb-dev-002"}


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        (reviews(2)[:3], "dev has 2 originals and 1 contrasts"),
        ([{**reviews(1)[0], "file": "reviews.tsv"}], "reviews.tsv is neither"),
    ],
)
def test_reviews_that_are_no_pairs_are_refused(rows: list[dict[str, Any]], cause: str) -> None:
    with pytest.raises(InvalidTask, match=cause):
        robustness_pairs.imdb_contrast(rows)


@pytest.mark.parametrize(
    ("text", "positive"),
    [
        ("POSITIVE", True),
        ("Answer: negative", False),
        ("Negative. Nothing positive here.", False),
        ("It isn't positive", False),
        ("positive/negative", None),
        ("Does the writer like the film? positive or negative", None),
        ("", None),
    ],
)
def test_one_word_is_read_and_a_copy_of_both_is_none(text: str, *, positive: bool | None) -> None:
    assert sentiments.parse(text) is positive


def test_half_right_in_every_pair_is_no_pair_right() -> None:
    docs = list(robustness_pairs.imdb_contrast(reviews()))
    found = values("imdb_contrast_pairs", asked("imdb_contrast_pairs", docs, lambda _: "Positive"))
    assert found == {"pair_accuracy": 0.0, "accuracy": 0.5, "said_positive_rate": 1.0, "flip_rate": 0.0}
    found = values("imdb_contrast_pairs", asked("imdb_contrast_pairs", docs, lambda doc: str(doc["target"])))
    assert found == {"pair_accuracy": 1.0, "accuracy": 1.0, "said_positive_rate": 0.5, "flip_rate": 1.0}


def test_which_review_of_a_pair_comes_first_changes_nothing() -> None:
    docs = list(robustness_pairs.imdb_contrast(reviews()))
    samples = asked("imdb_contrast_pairs", docs, lambda doc: str(doc["target"]) if "3" in doc["id"] else "Positive")
    assert scorers.measure(BENCHMARKS["imdb_contrast_pairs"], samples) == scorers.measure(
        BENCHMARKS["imdb_contrast_pairs"], samples[::-1]
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9.42", 9.42),
        ("It will be 9.42 seconds by the year 2025.", 9.42),
        ("In 2025, about 12,500 people", 12500.0),
        ("1:42.5", 102.5),
        ("-3", -3.0),
        ("3 million", 3_000_000.0),
        ("9.58 - 0.02 = 9.56", 9.56),
        ("1. Records fall.\n[Answer] 9.4 seconds", 9.4),
        ("2025", None),
        ("I cannot tell.", None),
    ],
)
def test_a_number_is_read_and_the_year_asked_for_is_none(text: str, number: float | None) -> None:
    assert forecasts.parse(text, 2025) == number


def test_the_order_of_the_published_forecasts_is_one_minus_their_published_violation(test_data: Path) -> None:
    path = test_data / "forecast_consistency" / "monotonic_sequence.json.gz"
    published = json.loads(gzip.decompress(path.read_bytes()))
    assert len(published) == 50
    docs = list(forecast_items.monotonic(published))
    for number, row in enumerate(published):
        five = docs[5 * number : 5 * number + 5]
        # a forecast the authors could not read is -10000 there
        answers = {d["id"]: "none" if m == -10000 else f"{m!r}" for d, m in zip(five, row["median"], strict=True)}
        found = values("forecast_monotonicity", asked("forecast_monotonicity", five, lambda d, a=answers: a[d["id"]]))  # type: ignore[misc]
        assert found["monotonicity"] == pytest.approx(1 - row["violation"], abs=1e-12), row["questions"][0]


def test_the_same_number_for_every_year_has_no_order_and_is_seen() -> None:
    docs = list(forecast_items.monotonic([forecast("increasing"), forecast("decreasing")]))
    found = values("forecast_monotonicity", asked("forecast_monotonicity", docs, lambda _: "7"))
    assert (found["monotonicity"], found["varied_share"], found["forecast_coverage"]) == (None, 0.0, 1.0)


def test_a_question_with_fewer_than_three_numbers_is_left_out_and_counted() -> None:
    docs = list(forecast_items.monotonic([forecast("increasing"), forecast("increasing")]))
    known = {doc["id"] for doc in docs[:7]}
    samples = asked("forecast_monotonicity", docs, lambda d: str(d["year"] - 2000) if d["id"] in known else "Who knows")
    found = values("forecast_monotonicity", samples)
    assert (found["monotonicity"], found["forecast_coverage"]) == (1.0, 0.5)


def test_numbers_that_always_grow_are_right_of_one_direction_alone() -> None:
    docs = list(forecast_items.monotonic([forecast("increasing"), forecast("decreasing")]))
    found = values("forecast_monotonicity", asked("forecast_monotonicity", docs, lambda d: str(d["year"] - 2000)))
    assert (found["monotonicity_increasing"], found["monotonicity_decreasing"]) == pytest.approx((1.0, 0.0))
    assert found["monotonicity"] == 0.5


@given(st.lists(st.integers(-1000, 1000), min_size=3, max_size=5, unique=True))
def test_turning_the_numbers_around_turns_the_order_around(numbers: list[int]) -> None:
    years = YEARS[: len(numbers)]
    there = forecasts.order(years, numbers, increasing=True)
    back = forecasts.order(years, [-n for n in numbers], increasing=True)
    assert there is not None
    assert back == pytest.approx(1 - there)
    assert forecasts.order(years, numbers, increasing=False) == pytest.approx(1 - there)
    assert forecasts.order(years, [3 * n + 7 for n in numbers], increasing=True) == there


@pytest.mark.parametrize(
    ("row", "cause"),
    [({**forecast("sideways")}, "'sideways'"), ({"direction": "increasing", "questions": ["What?"]}, "without a year")],
)
def test_a_forecast_without_its_year_or_direction_is_refused_by_its_place(row: dict[str, Any], cause: str) -> None:
    with pytest.raises(InvalidTask, match=cause):
        forecast_items.monotonic([row])


def test_every_wording_holds_the_whole_question_and_no_two_are_alike() -> None:
    docs = list(wordings.four_wordings(school(1)))
    assert len({doc["text"] for doc in docs}) == len(docs) == 4
    assert {doc["cluster"] for doc in docs} == {"q0"}
    assert all("Which colour has thing 0?\nA. blue\nB. red\nC. green\nD. black" in doc["text"] for doc in docs)


def test_one_wrong_wording_breaks_its_question_alone() -> None:
    docs = list(wordings.four_wordings(school(4)))
    samples = asked("paraphrase_consistency", docs, lambda d: "D" if d["id"] == "q0-exam" else str(d["target"]))
    found = values("paraphrase_consistency", samples)
    assert (found["consistent_and_right"], found["consistency"], found["flip_rate"]) == (0.75, 0.75, 0.25)
    assert (found["accuracy_clean"], found["accuracy_perturbed"]) == (1.0, 11 / 12)


def test_the_same_wrong_answer_in_all_wordings_is_consistent_and_not_right() -> None:
    docs = list(wordings.four_wordings(school(4)))
    found = values("paraphrase_consistency", asked("paraphrase_consistency", docs, lambda _: "A"))
    assert (found["consistent_and_right"], found["consistency"], found["top_letter_share"]) == (0.25, 1.0, 1.0)


@pytest.mark.parametrize("turned", [(1, 0, 2, 3), (3, 2, 1, 0), (2, 3, 0, 1)])
def test_the_order_of_the_options_leaves_every_figure_but_the_letters(turned: tuple[int, ...]) -> None:
    def reordered(row: dict[str, Any]) -> dict[str, Any]:
        texts = row["choices"]["text"]
        place = turned.index("ABCD".index(row["answerKey"]))
        return {
            **row,
            "choices": {"text": [texts[i] for i in turned], "label": list("ABCD")},
            "answerKey": "ABCD"[place],
        }

    def knowing_some(doc: Doc) -> str:
        """By its words: right of every wording but one of every third question."""
        wrong = doc["form"] == "exam" and int(doc["cluster"][1:]) % 3 == 0
        right = doc["options"]["ABCD".index(doc["target"])]
        return next(o for o in sorted(doc["options"]) if o != right) if wrong else str(right)

    straight = asked("paraphrase_consistency", list(wordings.four_wordings(school(12))), knowing_some)
    rows = [reordered(row) for row in school(12)]
    changed = asked("paraphrase_consistency", list(wordings.four_wordings(rows)), knowing_some)
    names = ("consistent_and_right", "consistency", "flip_rate", "accuracy_clean", "accuracy_perturbed")
    one, other = (values("paraphrase_consistency", samples) for samples in (straight, changed))
    assert [one[name] for name in names] == [other[name] for name in names]
    assert one["consistent_and_right"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("key", BENCHMARKS)
def test_asking_everything_twice_leaves_every_figure(test_data: Path, key: str) -> None:
    benchmark = BENCHMARKS[key]
    data = str(test_data / benchmark.data)
    docs = loading.load(benchmark, RunOptions(data_files={key: data})).docs[:100]

    def answer(doc: Doc) -> str:
        """Right of three quarters."""
        sure = int(doc["id"].encode().hex(), 16) % 4 > 0
        return str(starter_answers.ideal(benchmark, doc, 0).asked[0].answer.text) if sure else "B 17"

    samples = asked(key, docs, answer)
    copies = asked(
        key,
        [{**d, "id": f"{d['id']}#2", "cluster": f"{d['cluster']}#2"} for d in docs],
        lambda d: answer({**d, "id": d["id"][:-2]}),
    )
    assert values(key, [*samples, *copies]) == values(key, samples)
