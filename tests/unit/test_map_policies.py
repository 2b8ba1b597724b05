"""Policies: the example, an operator's own, and broken ones."""

from pathlib import Path

import pytest

from domain.errors import InvalidSettings
from domain.scores import RequirementId
from requirements_map import policies

OWN = """\
schema: 1
name: bank-retail
version: "4"
thresholds:
  R02: {pass_at: 0.95, fail_below: 0.8}
"""


def test_the_example_policy_is_labelled_as_such_and_judges_every_measurable_requirement() -> None:
    policy = policies.load()
    assert policy.is_example
    assert list(policy.thresholds) == [r for r in RequirementId if r.is_measurable]
    assert all(0 < t.fail_below < t.pass_at < 1 for t in policy.thresholds.values())


def test_an_operators_policy_is_no_example_unless_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(OWN)
    policy = policies.load(path)
    assert (policy.name, policy.version, policy.is_example) == ("bank-retail", "4", False)
    assert policy.thresholds[RequirementId.R02].pass_at == 0.95
    assert policy.sha256 != policies.load().sha256


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("R02", "R13", "p.yaml, thresholds.R13 names no measurable requirement; use one of R01, R02, "),
        ("R02", "N01", "p.yaml, thresholds.N01 names no measurable requirement; use one of R01, "),
        ("0.8}", "0.99}", "p.yaml, thresholds.R02 has fail_below 0.99 above pass_at 0.95; exchange or correct them."),
        (
            "0.95",
            "95",
            "p.yaml, thresholds.R02.pass_at is 95, which cannot be used: Input should be less than or equal",
        ),
        ("0.95", "true", "p.yaml, thresholds.R02.pass_at is True, which cannot be used: "),
        ("0.95", ".nan", "p.yaml, thresholds.R02.pass_at is nan, which cannot be used: "),
        ('"4"', "4", "p.yaml, version is 4, which cannot be used: Input should be a valid string."),
        ("schema: 1\n", "", "p.yaml, schema is missing; add it."),
        ("name:", "nmae:", "p.yaml, nmae is not a known key; remove it or correct its spelling."),
    ],
)
def test_a_broken_policy_is_one_clear_sentence(old: str, new: str, sentence: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        policies.parse(OWN.replace(old, new).encode(), name="p.yaml")
    assert caught.value.sentence.startswith(sentence)
    assert "\n" not in caught.value.sentence


def test_a_policy_file_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match=r"none\.yaml cannot be read: No such file"):
        policies.load(tmp_path / "none.yaml")
