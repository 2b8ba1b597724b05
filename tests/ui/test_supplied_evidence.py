"""A corpus is uploaded and a detector named where an evaluation is planned; what is wrong is one sentence."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from fakes import seeded
from streamlit.testing.v1 import AppTest

import app
from app import state
from app.components import transcript
from db.store import Store
from domain.benchmarks import Sample
from jobs import canaries

MAIN = str(Path(app.__file__).with_name("main.py"))


@pytest.fixture
def store(store: Store) -> Store:
    """The Store the pages use, with everything in it."""
    seeded.seed(store)
    return store


@pytest.fixture
def page(store: Store) -> AppTest:
    """The page of a new evaluation."""
    page = AppTest.from_file(MAIN, default_timeout=60).run()
    page.query_params["model"] = "smollm2-135m"
    return page.switch_page("views/new_evaluation.py").run()


def _blocked(page: AppTest) -> str:
    return _said(page.markdown)


def _said(elements: Iterable[Any]) -> str:
    """The words without the marks that keep Markdown from reading them."""
    return "\n".join(str(element.value).replace("\\", "") for element in elements)


def test_an_uploaded_corpus_becomes_part_of_the_run_and_is_kept_under_its_hash(page: AppTest, store: Store) -> None:
    assert "**R03 Training Data Suitability**: It cannot be observed" in _blocked(page)
    content = "\n".join(json.dumps({"text": f"Document {i}."}) for i in range(5)).encode()
    page.file_uploader(key="new_corpus").set_value(("crawl one.jsonl", content, "application/json")).run()
    assert not page.exception
    assert not page.error
    assert "R03 Training Data Suitability**: It cannot be observed" not in _blocked(page)
    page.button(key="start").click().run()
    assert not page.exception
    assert not page.error
    run = store.runs(limit=1)[0]
    assert "corpus_scan" in run.spec.benchmarks
    kept = Path(run.spec.options.data_files["corpus_scan"])
    assert kept.name == "crawl_one.jsonl"
    assert kept.read_bytes() == content


def test_a_wrong_line_of_an_upload_is_one_sentence_and_nothing_is_kept(page: AppTest) -> None:
    page.file_uploader(key="new_corpus").set_value(
        ("a.jsonl", b'{"text": "one"}\n{"text"}\n', "application/json")
    ).run()
    assert not page.exception
    assert _said(page.error) == "a.jsonl, line 2: not valid JSON (Expecting ':' delimiter)."
    assert "**R03 Training Data Suitability**: It cannot be observed" in _blocked(page)
    assert not list((state.context().settings.data_folder / "corpora").iterdir())


def test_uploaded_works_become_part_of_the_run_and_are_named(page: AppTest, store: Store) -> None:
    page.segmented_control(key="new_suite").set_value("screening").run()
    content = ("The train went on through the snow, and nobody in it spoke. " * 20).encode()
    page.file_uploader(key="new_works").set_value(("The night [train].txt", content, "text/plain")).run()
    assert not page.exception
    assert not page.error
    assert "The night train" in _said(page.caption)
    page.button(key="start").click().run()
    assert not page.exception
    assert not page.error
    kept = Path(store.runs(limit=1)[0].spec.options.data_files["passage_continuation"])
    assert kept.parent.parent.name == "works"
    assert kept.read_bytes() == content


def test_works_that_are_too_short_are_one_sentence_and_the_starter_suite_asks_for_none(page: AppTest) -> None:
    assert not [one for one in page.get("file_uploader") if one.key == "new_works"]
    page.segmented_control(key="new_suite").set_value("screening").run()
    page.file_uploader(key="new_works").set_value(("a.txt", b"Short.", "text/plain")).run()
    assert not page.exception
    assert _said(page.error) == "The work 'a' has 6 characters; at least 400 are needed to continue it."
    assert not list((state.context().settings.data_folder / "works").iterdir())


def test_an_uploaded_key_becomes_part_of_the_run_and_says_where_its_people_were_planted(
    page: AppTest, store: Store, tmp_path: Path
) -> None:
    content = canaries.make(3, to=tmp_path, seed="page", planted_in="the manuals").key.read_bytes()
    page.file_uploader(key="new_canaries").set_value(("key.json", content, "application/json")).run()
    assert not page.exception
    assert not page.error
    assert "3 planted people, 3 never planted. Planted, as you state: the manuals." in _said(page.caption)
    page.button(key="start").click().run()
    assert not page.exception
    assert not page.error
    run = store.runs(limit=1)[0]
    assert "canary_association" in run.spec.benchmarks
    kept = Path(run.spec.options.data_files["canary_association"])
    assert (kept.parent.parent.name, kept.stat().st_mode & 0o777) == ("canaries", 0o600)
    assert kept.read_bytes() == content


def test_a_file_that_is_no_key_is_one_sentence_and_nothing_is_kept(page: AppTest) -> None:
    page.file_uploader(key="new_canaries").set_value(("key.json", b"{}", "application/json")).run()
    assert not page.exception
    assert "key.json is no key of canaries" in _said(page.error)
    assert not list((state.context().settings.data_folder / "canaries").iterdir())


def test_an_address_with_a_password_is_refused_and_not_planned(page: AppTest) -> None:
    page.text_input(key="new_detector").set_value("http://user:geheim@127.0.0.1:9/detect").run()
    assert not page.exception
    assert len(page.error) == 1
    assert "env:VARIABLE" in _said(page.error)
    assert "geheim" not in _said(page.error)
    assert "**R09 Traceability**: No watermark detector was supplied" in _blocked(page)


def test_a_detector_without_texts_by_people_says_which_data_are_missing(page: AppTest) -> None:
    page.text_input(key="new_detector").set_value("http://127.0.0.1:9/detect").run()
    assert not page.exception
    assert not page.error
    assert "The data set public_domain_texts is not on this machine" in _blocked(page)


def test_a_document_of_a_corpus_is_masked_until_it_is_asked_for() -> None:
    sample = Sample(sample_id="1", cluster="1", doc={"text": "Something vile."}, asked=())
    assert "Something vile." not in transcript.markup(sample, masked=True)
    assert "Something vile." in transcript.markup(sample, masked=False)
