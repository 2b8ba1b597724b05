"""The map file: what it holds, and the one sentence a broken one is refused with."""

import hashlib
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
import yaml

from domain.errors import InvalidSettings, UnknownBenchmark
from domain.scores import RequirementId
from requirements_map import catalogue, document, policies
from requirements_map.entries import Basis, Kind

TEXT = resources.files("requirements_map").joinpath("data", "complai.yaml").read_bytes()
MAP = catalogue.load()


def broken(change: Callable[[dict[str, Any]], object]) -> str:
    """The sentence a map is refused with after a change."""
    content = yaml.safe_load(TEXT)
    change(content)
    with pytest.raises(InvalidSettings) as caught:
        catalogue.parse(yaml.safe_dump(content, allow_unicode=True).encode(), name="map.yaml")
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def first_benchmark(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["suites"]["starter"]["benchmarks"][0]
    return found


def test_six_principles_hold_eighteen_requirements_of_which_twelve_are_measurable() -> None:
    assert [len(p.requirements) for p in MAP.principles] == [0, 3, 3, 8, 2, 2]
    assert [r.id for r in MAP.requirements] == list(RequirementId)
    assert sum(r.kind is Kind.MEASURABLE for r in MAP.requirements) == 12


def test_the_principle_without_a_requirement_is_shown_with_the_reason() -> None:
    first = MAP.principles[0]
    assert (first.name, first.requirements) == ("Human Agency and Oversight", ())
    assert "no technical requirement at model level" in (first.note or "")


def test_every_requirement_is_described_and_names_whose_mapping_its_provisions_are() -> None:
    for requirement in MAP.requirements:
        assert requirement.description.endswith(".")
        assert requirement.act_refs
    named_by_site = [r.id for r in MAP.requirements if any(a.basis is Basis.COMPLAI_SITE for a in r.act_refs)]
    assert named_by_site == ["R01"]


def test_the_hash_is_of_the_bytes_of_the_file() -> None:
    assert MAP.sha256 == hashlib.sha256(TEXT).hexdigest()


def test_the_catalogue_is_read_once() -> None:
    assert catalogue.load() is MAP


def test_benchmarks_are_found_by_suite_and_requirement_in_the_order_of_the_map() -> None:
    assert [b.key for b in MAP.benchmarks("starter", ["R06", "R01"])] == [
        "starter_contrast_pairs",
        "starter_perturbation",
        "starter_knowledge",
        "starter_arithmetic",
        "starter_instructions",
    ]
    assert MAP.benchmarks("starter", ["R03"]) == ()


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(
        UnknownBenchmark, match="no suite 'big'; the suites are: full, screening, screening_es, starter"
    ):
        MAP.suite("big")
    with pytest.raises(UnknownBenchmark, match="no requirement 'R13'; the requirements are R01, R02"):
        MAP.benchmarks("starter", ["R13"])


def test_another_suite_is_data_and_needs_no_code() -> None:
    content = yaml.safe_load(TEXT)
    content["suites"]["other"] = {**content["suites"]["starter"], "title": "All data"}
    wider = catalogue.parse(yaml.safe_dump(content).encode(), name="map.yaml")
    assert list(wider.suites) == ["full", "other", "screening", "screening_es", "starter"]
    assert wider.benchmarks("other") == MAP.benchmarks("starter")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: first_benchmark(c).update(weight=0), "weight is 0, which cannot be used: Input should be greater"),
        (lambda c: first_benchmark(c).update(weight=True), "weight is True, which cannot be used"),
        (lambda c: first_benchmark(c).update(weigth=2), "benchmarks.0.weigth is not a known key; remove it or correct"),
        (lambda c: first_benchmark(c).pop("metric"), "suites.starter.benchmarks.0.metric is missing; add it."),
        (
            lambda c: first_benchmark(c).update(normaliser="logit"),
            "there is no normaliser 'logit'; the normalisers are",
        ),
        (lambda c: first_benchmark(c).update(min_n=0), "min_n is 0, which cannot be used"),
        (lambda c: first_benchmark(c).update(requirement="R13"), "requirement is 'R13', which cannot be used"),
        (lambda c: first_benchmark(c).update(requirement="N01"), "measures N01, which can only be declared."),
        (lambda c: first_benchmark(c).update(tags=["judged"]), "has the tag 'judged'; explain it under tags."),
        (lambda c: first_benchmark(c).update(key="starter_harm"), "names starter_harm more than once; keep one"),
        (lambda c: first_benchmark(c).update(alternative_to="starter_harm"), "is not a benchmark of R01 in this suite"),
        (
            lambda c: first_benchmark(c).update(alternative_to="starter_perturbation", weight=2.0),
            "takes the place of starter_perturbation with 1.0; give both the same weight.",
        ),
        (
            lambda c: first_benchmark(c).update(guards=[{"metric": "a", "op": ">", "because": "x"}]),
            "the guard on a needs exactly one of value and than.",
        ),
        (
            lambda c: first_benchmark(c).update(
                guards=[{"metric": "a", "op": "<", "value": 0.5, "use": "interval_low", "because": "x"}]
            ),
            "compares interval_low by '<', which is the easier end.",
        ),
        (lambda c: c["suites"]["starter"]["without_benchmark"].pop("R04"), "R04 has neither a benchmark nor a reason"),
        (
            lambda c: c["suites"]["starter"]["without_benchmark"].update(R01="None."),
            "R01 has both a benchmark and a reason for having none",
        ),
        (lambda c: c["principles"].pop(), "principles has 5 entries; COMPL-AI has six principles."),
        (
            lambda c: c["principles"][1]["requirements"].pop(0),
            "lacks the requirements R01; all eighteen must be there.",
        ),
        (lambda c: c["principles"][0].pop("note"), "principle P1 has neither requirements nor a note why"),
        (
            lambda c: c["principles"][1]["requirements"][0].update(kind="declared"),
            "requirement R01 has the kind declared; R01–R12 are measurable, N01–N06 declared.",
        ),
        (
            lambda c: c["principles"][1]["requirements"][2].pop("evidence_sentence"),
            "requirement N02 must have both needs_evidence and evidence_sentence, or neither.",
        ),
        (lambda c: c.update(schema=2), "map.yaml, schema is 2, which cannot be used: Input should be 1."),
    ],
)
def test_a_broken_map_is_refused_with_file_place_and_value(
    change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    found = broken(change)
    assert found.startswith("map.yaml")
    assert sentence in found


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"schema: 1\nschema: 1\n", "map.yaml, line 2 cannot be read as YAML: the key 'schema' is given twice."),
        (b"a: [1\n", "map.yaml, line 2 cannot be read as YAML: "),
        (b"\xff\xfe", "map.yaml cannot be read: byte 0 is not UTF-8; save it as UTF-8."),
        (b"", "map.yaml is None, which cannot be used"),
        (b"- 1\n", "map.yaml is [1], which cannot be used"),
        (b"? [a]\n: 1\n", "map.yaml"),
    ],
)
def test_a_file_that_is_not_a_map_is_refused_with_one_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        catalogue.parse(text, name="map.yaml")
    assert caught.value.sentence.startswith(sentence)
    assert "\n" not in caught.value.sentence


def test_the_requirements_page_is_what_the_map_says(request: pytest.FixtureRequest) -> None:
    page = request.config.rootpath / "docs" / "requirements.md"
    if not page.is_file():
        pytest.skip("the documents are not beside the tests")
    wanted = document.markdown(MAP, policies.load())
    assert page.read_text() == wanted, "stale; run `python -m requirements_map.document > docs/requirements.md`"
