"""The decision page: its standards, its content, and what untrusted text cannot do to it."""

import io
import json
import re
from dataclasses import replace

import pytest
from fakes import report_cases
from pypdf import PdfReader
from pypdf.generic import IndirectObject

from domain.energy import EnergyLevel, EnergyScope
from domain.scores import Assessment, RequirementId
from reports import evidence, pdf

Tag = dict[str, object]


def rendered(assessment: Assessment) -> PdfReader:
    return PdfReader(io.BytesIO(pdf.render(assessment, catalogue_facts=report_cases.facts_of(assessment))))


def text_of(reader: PdfReader) -> str:
    """All text on single spaces, without the places where a long word may break."""
    raw = "\n".join(page.extract_text() for page in reader.pages)
    return re.sub(r"\s+", " ", raw.replace("\u200b", ""))


@pytest.fixture(scope="module")
def full() -> PdfReader:
    return rendered(report_cases.full())


@pytest.fixture(scope="module")
def full_text(full: PdfReader) -> str:
    return text_of(full)


def test_equal_assessments_give_equal_bytes() -> None:
    made = report_cases.full()
    facts = report_cases.facts_of(made)
    assert pdf.render(made, catalogue_facts=facts) == pdf.render(report_cases.full(), catalogue_facts=facts)


def test_the_file_declares_both_standards_language_and_title(full: PdfReader) -> None:
    root = full.trailer["/Root"]
    xmp = root["/Metadata"].get_data().decode()
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert full.metadata is not None
    assert full.metadata.title == "Responsible-AI assessment of smollm2"
    assert "<pdfuaid:part>1</pdfuaid:part>" in xmp
    assert "<pdfaid:part>2</pdfaid:part>" in xmp
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in xmp


def test_the_dates_of_the_file_are_those_of_the_assessment(full: PdfReader) -> None:
    assert full.metadata is not None
    assert full.metadata.creation_date == report_cases.CREATED


def test_every_font_is_embedded(full: PdfReader) -> None:
    fonts = [font.get_object() for page in full.pages for font in page["/Resources"]["/Font"].values()]
    descriptors = [f["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object() for f in fonts]
    assert descriptors
    assert all({"/FontFile", "/FontFile2", "/FontFile3"} & set(descriptor) for descriptor in descriptors)


def test_tables_have_header_cells_and_each_bar_tells_its_numbers(full: PdfReader) -> None:
    found = tags(full)
    heads = [tag for tag in found if tag["/S"] == "/TH"]
    bars = [str(tag["/Alt"]) for tag in found if tag["/S"] == "/Figure"]
    assert len(heads) >= 7 + 3 + 2 + 4
    assert len(bars) == len(report_cases.full().measured)
    assert "fail, score 41 of 100, 95 % interval 33–49, fail below 70, pass at 90, 120 items" in plain_spaces(bars)


def test_all_eighteen_requirements_are_on_the_page_with_name_and_word(full_text: str) -> None:
    card = evidence.bundle(report_cases.full(), report_cases.facts_of(report_cases.full()))
    assert len(card["requirements"]) == len(RequirementId)
    for requirement in card["requirements"]:
        assert f"{requirement['id']} {requirement['name']}" in full_text
        assert requirement["word"] in full_text
        if requirement["score"] is None:
            assert requirement["reason"] in full_text
        else:
            assert f"{requirement['score_text']} {requirement['interval_text']}" in full_text


def test_the_page_names_what_was_assessed_by_which_policy_and_when(full_text: str) -> None:
    made = report_cases.full()
    for expected in (
        made.model,
        made.base_url,
        "b0-unknown",
        "12 Nov 2026, 14:02 UTC",
        "lm-eval 0.4.13",
        made.policy_sha256[:12],
        made.map_sha256[:12],
        made.id,
        evidence.evidence_sha256(made),
        *made.evidence.values(),
        *made.limitations,
    ):
        assert expected in full_text


def test_a_draft_says_that_it_is_one_and_leaves_room_for_three_names(full_text: str) -> None:
    assert "Draft, not signed" in full_text
    assert all(f"{role} by" in full_text for role in ("Prepared", "Reviewed", "Approved"))


def test_an_example_policy_is_labelled_and_another_is_not(full_text: str) -> None:
    own = replace(report_cases.full(), policy_is_example=False, policy_name="bank-retail", policy_version="4")
    assert "Example policy:" in full_text
    assert "Example policy:" not in text_of(rendered(own))


def test_a_mapping_of_our_own_is_not_given_out_as_that_of_complai(full_text: str) -> None:
    assert "Art. 15(1)†" in full_text
    assert "Art. 50(1), Recital 132" in full_text
    assert "Our mapping; not legal advice." in full_text


@pytest.mark.parametrize(
    "name",
    [
        '#import "x"',
        "*bold* _it_ `raw`",
        "#panic()",
        "$x^2$ <label> @ref",
        '"; #read("/etc/passwd")',
        "\\u{41} // comment",
        "a\n= Heading",
    ],
)
def test_markup_in_a_model_name_stays_text(name: str) -> None:
    reader = rendered(report_cases.full(endpoint_name=name, model=name))
    assert " ".join(name.split()) in text_of(reader)
    assert not any("Heading" in str(t.get("/T", "")) for t in tags(reader) if t["/S"] != "/H1")


def test_characters_no_font_can_show_are_written_as_their_code() -> None:
    text = text_of(rendered(report_cases.full(endpoint_name="x\U0010fffd", model="safe\u202etxt")))
    assert "⟨U+10FFFD⟩" in text
    assert "safe⟨U+202E⟩txt" in text


def test_a_name_in_cyrillic_or_greek_is_printed_as_it_is() -> None:
    assert "мистраль αθήνα" in text_of(rendered(report_cases.full(endpoint_name="мистраль αθήνα")))


def test_a_page_of_gaps_has_no_score_and_no_bar() -> None:
    reader = rendered(report_cases.empty_handed())
    text = text_of(reader)
    assert not [tag for tag in tags(reader) if tag["/S"] == "/Figure"]
    assert text.count("not enough evidence") == 12
    assert text.count("Only 3 of 40 answers could be read") == 12


def test_energy_that_was_not_measured_is_said_in_words_and_never_as_zero() -> None:
    text = text_of(rendered(report_cases.empty_handed()))
    line = text[text.index("Energy of this evaluation:") : text.index("Identity")]
    assert "not measured" in line
    assert "0" not in line


def test_energy_stands_on_one_line_with_what_it_covers(full_text: str) -> None:
    line = full_text[full_text.index("Energy of this evaluation:") : full_text.index("Identity")]
    assert "model energy not measured. Evaluation client: 3.3 Wh" in line
    assert "excludes the model" in line


def test_energy_measured_at_the_server_is_not_called_the_clients() -> None:
    at_server = report_cases.reading(level=EnergyLevel.MEASURED_EXCLUSIVE, scope=EnergyScope.GPU_BOARD)
    text = text_of(rendered(report_cases.full(energy={"starter_r01": at_server})))
    assert "Energy of this evaluation: 0.41 Wh — measured, GPU board only" in text


def test_long_names_and_addresses_stay_on_the_paper_of_two_pages() -> None:
    name = "averyveryverylongmodelnamewithoutanybreaks" * 4
    url = "https://llm.bank.example/" + "deployments/abc/" * 12 + "v1"
    reader = rendered(report_cases.full(endpoint_name="long-name-" * 12, model=name, base_url=url))
    assert len(reader.pages) == 2
    assert name in re.sub(r"\s", "", text_of(reader))


def test_an_assessment_and_a_catalogue_of_different_requirements_are_refused() -> None:
    made = report_cases.full()
    shortened = replace(made, scores=made.scores[1:])
    with pytest.raises(ValueError, match="differ in the requirements"):
        pdf.render(shortened, catalogue_facts=report_cases.facts_of(made))


def test_the_template_holds_no_date_and_no_article() -> None:
    template = (report_cases.ROOT / "reports" / "templates" / "decision.typ").read_text()
    assert not re.search(r"\bArt\.|\bSR \d|\b20\d\d-\d\d|\b(19|20)\d\d\b(?<!2024)", template)


def tags(reader: PdfReader) -> list[Tag]:
    """All elements of the structure tree."""
    found: list[Tag] = []
    waiting = [reader.trailer["/Root"]["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop()
        node = node.get_object() if isinstance(node, IndirectObject) else node
        if not isinstance(node, dict):
            continue
        if "/S" in node:
            found.append(node)
        kids = node.get("/K", [])
        kids = kids.get_object() if isinstance(kids, IndirectObject) else kids
        waiting += kids if isinstance(kids, list) else [kids]
    return found


def plain_spaces(texts: list[str]) -> list[str]:
    return [text.replace("\u00a0", " ") for text in texts]


def test_the_card_is_json_with_the_same_numbers() -> None:
    made = report_cases.full()
    card = json.loads(evidence.text(evidence.bundle(made, report_cases.facts_of(made))))
    by_id = {r["id"]: r for r in card["requirements"]}
    assert by_id["R06"]["score"] == 0.618
    assert by_id["R11"]["score"] == 0.0
    assert by_id["R04"]["score"] is None
    assert by_id["R04"]["reason"] == "The starter suite has no benchmark for it."
    assert card["evidence"]["benchmarks"] == made.evidence
