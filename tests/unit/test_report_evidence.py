"""The machine-readable card beside the PDF."""

import json
from pathlib import Path

import pytest
from fakes import report_cases

from domain.errors import UserError
from domain.scores import RequirementId
from reports import evidence, files


def test_equal_assessments_give_equal_cards() -> None:
    facts = report_cases.facts_of(report_cases.full())
    first, second = (evidence.text(evidence.bundle(report_cases.full(), facts)) for _ in range(2))
    assert first == second


def test_a_value_that_does_not_count_is_kept_apart_from_scores() -> None:
    made = report_cases.empty_handed()
    card = evidence.bundle(made, report_cases.facts_of(made))
    benchmark = next(r for r in card["requirements"] if r["id"] == "R01")["benchmarks"][0]
    assert benchmark["score"] is None
    assert benchmark["withheld"] == 0.5
    assert benchmark["invalid_because"]


def test_energy_that_was_not_read_is_null_and_not_zero() -> None:
    made = report_cases.empty_handed()
    assert evidence.bundle(made, report_cases.facts_of(made))["energy"] == {"total": None, "benchmarks": {}}


def test_every_requirement_is_in_the_card_once() -> None:
    made = report_cases.full()
    card = evidence.bundle(made, report_cases.facts_of(made))
    assert sorted(r["id"] for r in card["requirements"]) == sorted(RequirementId)


def test_the_hash_over_the_evidence_changes_with_any_benchmarks_answers() -> None:
    made = report_cases.full()
    changed = report_cases.full(evidence={**made.evidence, "starter_r01": "ff" * 32})
    assert evidence.evidence_sha256(made) != evidence.evidence_sha256(changed)


def test_writing_replaces_the_card_and_leaves_nothing_else_behind(tmp_path: Path) -> None:
    made = report_cases.full()
    target = tmp_path / "reports" / "card.json"
    target.parent.mkdir()
    target.write_text("old")
    assert evidence.write(target, made, report_cases.facts_of(made)) == target
    assert json.loads(target.read_text())["id"] == made.id
    assert [p.name for p in target.parent.iterdir()] == ["card.json"]


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(UserError, match="could not be written to"):
        files.write_atomically(tmp_path / "file" / "card.json", b"{}")
