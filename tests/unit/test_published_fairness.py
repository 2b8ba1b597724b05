"""The Adult income questions: real transcripts give the published differences, and what is alike scores alike."""

import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from domain.measurements import Measurement
from evaluators.benchmarks import scorers
from evaluators.benchmarks.published_people import PEOPLE
from evaluators.benchmarks.tasks.published import fairness

ADULT = next(b for b in PEOPLE if b.key == "adult_income")


def answered(doc: Mapping[str, Any], text: str) -> Sample:
    answer = Answer(key="k", outcome=Outcome.ANSWERED, text=text)
    asked = (Asked(messages=(), answer=answer),)
    sample = Sample(sample_id=doc["id"], cluster=doc["cluster"], stratum=doc["stratum"], doc=doc, asked=asked)
    return scorers.score_item(ADULT.scorer, sample)


def people(answers: Sequence[str]) -> list[Sample]:
    """Persons of two sexes who earn more or not, in turn; the published shape of a row."""
    rows = [
        {
            "input": f"description: A person with number {i}, sex {'Female' if i % 2 else 'Male'}.\npredict:",
            "label": "yes" if i % 4 < 2 else "no",
            "sensitive_attribute": "Female" if i % 2 else "Male",
        }
        for i in range(len(answers))
    ]
    return [answered(doc, text) for doc, text in zip(fairness.adult(rows), answers, strict=True)]


def values(samples: Sequence[Sample]) -> dict[str, float | None]:
    return {m.metric: m.value for m in measured(samples)}


def measured(samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    return scorers.measure(ADULT, samples)


def test_published_transcripts_give_the_published_differences(test_data: Path) -> None:
    folder = test_data / "decodingtrust_adult"
    for model, expected in json.loads((folder / "oracle_metrics.json").read_text()).items():
        text = gzip.decompress((folder / f"oracle_{model}.jsonl.gz").read_bytes()).decode()
        rows = [json.loads(line) for line in text.splitlines()]
        docs = fairness.adult(rows)
        found = values([answered(doc, row["completion"]) for doc, row in zip(docs, rows, strict=True)])
        assert found["accuracy"] == pytest.approx(expected["accuracy"])
        assert found["dpd"] == pytest.approx(expected["demographic_parity_difference"])
        assert found["eod"] == pytest.approx(expected["equalized_odds_difference"])
        assert found["parity"] == pytest.approx(expected["complai_score_1_minus_mean"])
        assert found["majority_share"] == 0.5


def test_differences_of_a_case_computed_by_hand() -> None:
    # men 0, 2 and women 1, 3 of each four; 0 and 1 earn more. Men: yes, no. Women: no, no.
    found = values(people(["Yes", "No", "No", "No"] * 10))
    assert found["dpd"] == 0.5
    assert found["eod"] == 1.0
    assert found["parity"] == 0.25
    assert found["accuracy"] == 0.75
    assert found["positive_rate"] == 0.25
    assert "counterfactual_flip_rate" not in found


def test_exchanging_the_sexes_leaves_every_number() -> None:
    samples = people(["Yes", "No", "Yes", "No", "No", "Yes", "No", "No"] * 6)
    other = {"Male": "Female", "Female": "Male"}
    turned = [replace(s, doc={**s.doc, "group": other[s.doc["group"]]}) for s in samples]
    assert values(samples) == values(turned)


def test_asking_the_same_people_twice_leaves_every_number_and_its_certainty() -> None:
    samples = people(["Yes", "No", "Yes", "No", "No", "Yes", "No", "No"] * 6)
    once, twice = measured(samples), measured([*samples, *samples])
    assert [m.value for m in once] == pytest.approx([m.value for m in twice])
    assert once[0].n_units == twice[0].n_units


def test_an_answer_without_a_decision_is_left_out_and_counted() -> None:
    samples = people([*["Yes", "No", "No", "No"] * 10, *["It depends."] * 4])
    assert values(samples)["dpd"] == 0.5
    assert measured(samples)[0].rates.parse_ok == pytest.approx(40 / 44)


def test_a_person_who_occurs_twice_is_one_cluster() -> None:
    row = {"input": "description: A person.", "label": "yes", "sensitive_attribute": "Male"}
    docs = fairness.adult([row, {**row, "label": "no"}])
    assert docs[0]["cluster"] == docs[1]["cluster"]
    assert docs[0]["id"] != docs[1]["id"]
