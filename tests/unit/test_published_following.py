"""Instructions of IFEval: what follows each of them to the letter, and what does not."""

import json
from pathlib import Path
from typing import Any

import pytest
from fakes import published_answers, starter_answers

from domain.errors import InvalidTask
from domain.scores import Verdict
from evaluators.benchmarks import scorers
from evaluators.benchmarks.published_following import FOLLOWING
from evaluators.benchmarks.scorers.verifiable_checks import CHECKS, follows
from evaluators.benchmarks.tasks.published import following

[IFEVAL] = FOLLOWING

#: instruction, its arguments, a text that follows it and one that does not
CASES: list[tuple[str, dict[str, Any], str, str]] = [
    (
        "change_case:capital_word_frequency",
        {"capital_frequency": 2, "capital_relation": "at least"},
        "BE QUIET now",
        "BE so",
    ),
    (
        "change_case:capital_word_frequency",
        {"capital_frequency": 2, "capital_relation": "less than"},
        "BE so",
        "BE QUIET",
    ),
    ("change_case:english_capital", {}, "ALL 3 OF THEM.", "ALL of THEM."),
    ("change_case:english_lowercase", {}, "all 3 of them.", "All of them."),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say why."}, "say why. Because.", "Because. Say why."),
    ("combination:two_responses", {}, "One.\n******\nTwo.", "One.\n******\nOne."),
    ("combination:two_responses", {}, "One.\n******\nTwo.\n******", "One.\n******\nTwo.\n******\nThree."),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[name], [street]", "[name] of (street)"),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Bye.\nP.S. One more.", "Bye. One more."),
    (
        "detectable_content:postscript",
        {"postscript_marker": "P.P.S"},
        "Bye.\nP.P.S I mean it.",
        "Bye.\nP.S. I mean it.",
    ),
    ("detectable_format:constrained_response", {}, "My answer is maybe.", "Maybe."),
    ("detectable_format:json_format", {}, '```json\n{"a": [1, 2]}\n```', "{a: 1}"),
    (
        "detectable_format:multiple_sections",
        {"num_sections": 2, "section_spliter": "Part"},
        "Part 1\na\nPart 2\nb",
        "Part 1\na",
    ),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}, "Two:\n* a\n- b", "* a\n* b\n* c"),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 2}, "*a* and **b c**", "*a* and ** **"),
    ("detectable_format:title", {}, "<<A day>>\nIt rained.", "<< >>\nIt rained."),
    ("keywords:existence", {"keywords": ["rain", "sun"]}, "Rain and sunshine", "Rain alone"),
    ("keywords:forbidden_words", {"forbidden_words": ["rain"]}, "A rainy day", "No RAIN today"),
    ("keywords:frequency", {"keyword": "rain", "frequency": 2, "relation": "at least"}, "Rain, rain", "Rain"),
    ("keywords:frequency", {"keyword": "rain", "frequency": 2, "relation": "less than"}, "Rain", "Rain, rain"),
    ("keywords:letter_frequency", {"letter": "#", "let_frequency": 2, "let_relation": "at least"}, "# a # b", "# a"),
    ("keywords:letter_frequency", {"letter": "n", "let_frequency": 2, "let_relation": "less than"}, "No", "None"),
    (
        "length_constraints:nth_paragraph_first_word",
        {"first_word": "elm", "nth_paragraph": 2, "num_paragraphs": 2},
        'Oaks.\n\n"Elm" trees.',
        "Elm.\n\nOak.",
    ),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "One.\n***\nTwo.", "One.\n\nTwo."),
    (
        "length_constraints:number_sentences",
        {"num_sentences": 2, "relation": "at least"},
        "Mr. Oak left. Why?",
        "Mr. Oak left.",
    ),
    ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "Two words.", "These are three."),
    ("punctuation:no_comma", {}, "First second.", "First, second."),
    ("startend:end_checker", {"end_phrase": "Is that all?"}, 'Well. "Is that all?"', "Is that all? Yes."),
    ("startend:quotation", {}, '"All of it."', '"All" of it.'),
]


@pytest.mark.parametrize(("instruction", "given", "right", "wrong"), CASES)
def test_an_instruction_is_followed_to_the_letter_or_not(
    instruction: str, given: dict[str, Any], right: str, wrong: str
) -> None:
    assert follows(instruction, right, given)
    assert not follows(instruction, wrong, given)
    assert not follows(instruction, " \n", given)


def test_every_kind_of_instruction_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(CHECKS)


def request(*instructions: str, **given: Any) -> dict[str, Any]:
    return {
        "key": 7,
        "prompt": "Write.",
        "instruction_id_list": list(instructions),
        "kwargs": [given for _ in instructions],
    }


def test_a_request_counts_only_with_all_of_its_instructions_and_each_of_them_alone_beside_it() -> None:
    rows = [request("punctuation:no_comma", "change_case:english_lowercase"), request("punctuation:no_comma")]
    docs = [{**doc, "id": str(n), "cluster": str(n)} for n, doc in enumerate(following.ifeval(rows))]
    samples = [starter_answers.sample(IFEVAL, doc, "No comma here.") for doc in docs]
    found = {m.metric: m.value for m in scorers.measure(IFEVAL, starter_answers.scored(IFEVAL, samples))}
    assert found == {"strict_accuracy": 0.5, "instruction_accuracy": pytest.approx(2 / 3)}


def test_a_request_for_another_language_is_left_out_and_an_unknown_instruction_refused() -> None:
    rows = [request("language:response_language", language="de"), request("punctuation:no_comma")]
    assert len(following.ifeval(rows)) == 1
    with pytest.raises(InvalidTask, match="The request 7 of IFEval has the instruction 'punctuation:no_dash'"):
        following.ifeval([request("punctuation:no_dash")])


def test_the_real_requests_load_and_each_of_their_instructions_can_be_checked(test_data: Path) -> None:
    docs = published_answers.loaded(IFEVAL, test_data).docs
    assert len(docs) == IFEVAL.items == len({doc["id"] for doc in docs})
    for doc in docs:
        given = json.loads(doc["arguments"])
        assert len(given) == len(doc["instructions"]) > 0
        for name, one in zip(doc["instructions"], given, strict=True):
            assert follows(name, "Some text.", one) in {True, False}


@pytest.mark.parametrize("name", starter_answers.DEGENERATE)
def test_an_answer_given_without_reading_is_never_valid_and_good(test_data: Path, name: str) -> None:
    task = published_answers.loaded(IFEVAL, test_data)
    for samples in published_answers.answered(IFEVAL, task, list(range(len(task.docs))), name):
        score = published_answers.required(IFEVAL, samples)
        found = next(b for b in score.benchmarks if b.benchmark == IFEVAL.key)
        assert not (found.valid and (found.value or 0) >= 0.5), (name, found.value)
        assert score.verdict is not Verdict.PASS
