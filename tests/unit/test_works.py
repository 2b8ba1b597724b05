"""Works of an operator: read from text and JSONL, kept under their hash, and named wherever their score stands."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.outcomes import measured, passing_guards

from domain import words
from domain.benchmarks import RunOptions
from domain.errors import InvalidTask, UserError
from domain.scores import RequirementId, RequirementScore
from evaluators.benchmarks import loading
from evaluators.benchmarks import works as reading
from evaluators.benchmarks.published_governance import GOVERNANCE
from jobs import works
from requirements_map import catalogue, scoring

PASSAGES = next(b for b in GOVERNANCE if b.key == works.BENCHMARK)
TEXT = "All night the train went on through the snow, and nobody in it slept or spoke. " * 20


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def kept(content: bytes, name: str, folder: Path) -> Path:
    return works.keep(io.BytesIO(content), name, data_folder=folder)


def scored(*names: str) -> RequirementScore:
    entry = next(b for b in catalogue.load().benchmarks("screening") if b.key == works.BENCHMARK)
    outcome = measured(entry.key, {entry.metric: 1.0, **passing_guards(entry)}, half_width=0.0)
    headline, *others = outcome.measurements
    outcome = replace(outcome, measurements=(replace(headline, by_group=dict.fromkeys(names, 1.0)), *others))
    scores = scoring.score(catalogue.load(), "screening", {entry.key: outcome})
    return next(s for s in scores if s.requirement is RequirementId.R04)


def test_a_text_file_is_one_work_by_its_name_and_jsonl_one_per_line(tmp_path: Path) -> None:
    one = kept(b"\xef\xbb\xbf" + TEXT.encode(), "The night train.txt", tmp_path)
    assert [(w.name, w.text) for w in reading.read(one)] == [("The night train", TEXT)]
    several = kept(lines({"work": "Eins", "text": TEXT}, {"work": "Zwei", "text": TEXT}), "w.jsonl", tmp_path)
    assert works.names(several) == ("Eins", "Zwei")
    assert several == kept(several.read_bytes(), "w.jsonl", tmp_path)


@pytest.mark.parametrize(
    ("uploaded", "title"),
    [
        ("Cien años de soledad.txt", "Cien años de soledad"),
        ("an\u0303os.txt", "años"),  # as a Mac writes it
        ("作品.txt", "作品"),
        ("हिन्दी.txt", "हिन्दी"),
        ("夜" * 200 + ".txt", "夜" * 65),
        ("../../.bashrc.TXT", "bashrc"),
        ("<b>&\x00\n.txt", "b"),
        (".txt", "file of works"),
    ],
)
def test_a_work_keeps_the_letters_of_its_name_and_nothing_else_of_it(uploaded: str, title: str, tmp_path: Path) -> None:
    path = kept(TEXT.encode(), uploaded, tmp_path)
    assert works.names(path) == (title,)
    assert path.parent.parent == tmp_path / works.FOLDER


@pytest.mark.parametrize("name", ["The night train.txt", "w.jsonl"])
def test_what_was_uploaded_is_what_the_task_asks_for(name: str, tmp_path: Path) -> None:
    content = TEXT.encode() if name.endswith("txt") else lines({"work": "The night train", "text": TEXT})
    path = kept(content, name, tmp_path)
    docs = loading.load(PASSAGES, RunOptions(data_files={PASSAGES.key: str(path)})).docs
    own = [doc for doc in docs if doc["kind"] == "own"]
    assert {doc["work"] for doc in own} == {"The night train"}
    assert len(own) >= 3
    assert all(doc["text"] in TEXT and doc["reference"] in TEXT for doc in own)
    assert any(doc["kind"] == "licence" for doc in docs)


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        (b"Short.", "a.txt", "The work 'a' has 6 characters; at least 400 are needed to continue it."),
        (b"", "a.txt", "The work 'a' has 0 characters; at least 400 are needed to continue it."),
        (b"caf\xe9" * 200, "a.txt", "a.txt is not UTF-8 text: byte 3 cannot be read."),
        (TEXT.encode(), "a.pdf", "The file of works 'a.pdf' must end in .jsonl, .txt."),
        (b"\n\n", "a.jsonl", "a.jsonl holds no work."),
        (b'{"work": 1', "a.jsonl", "a.jsonl, line 1: not valid JSON (Expecting ',' delimiter)."),
        (b"[" * 200_000, "a.jsonl", "a.jsonl, line 1: not valid JSON (too deep or too long)."),
        (b'{"work": ' + b"9" * 5000 + b"}", "a.jsonl", "a.jsonl, line 1: not valid JSON (too deep or too long)."),
        (
            lines({"work": "W", "text": TEXT}, {"text": TEXT}),
            "a.jsonl",
            "a.jsonl, line 2: it needs the name of a work and its text, {“work”: …, “text”: …}.",
        ),
        (lines(["W"]), "a.jsonl", "a.jsonl, line 1: it needs the name of a work and its text, {“work”: …, “text”: …}."),
        (
            b'{"work": "W", "text": "\\ud800"}',
            "a.jsonl",
            "a.jsonl, line 1: it holds half of a surrogate pair, which is no character.",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence_and_nothing_of_it_stays(
    content: bytes, name: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidTask) as refused:
        kept(content, name, tmp_path)
    assert refused.value.sentence == said
    assert not (tmp_path / works.FOLDER).exists() or not list((tmp_path / works.FOLDER).iterdir())


def test_a_file_that_is_too_large_says_how_it_is_read_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(works, "LARGEST_MB", 0)
    with pytest.raises(UserError, match="--data passage_continuation=FILE"):
        kept(TEXT.encode(), "a.txt", tmp_path)


def test_a_data_folder_that_takes_no_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / works.FOLDER).write_text("in the way")
    with pytest.raises(UserError, match=r"^The file of works cannot be kept in .*: File exists\.$"):
        kept(TEXT.encode(), "a.txt", tmp_path)


def test_the_works_that_were_tested_stand_beside_their_score() -> None:
    score = scored("Emma", "Persuasion", "Sanditon")
    assert score.works == ("Emma", "Persuasion", "Sanditon")
    assert words.about(score) == "Works tested: Emma, Persuasion, Sanditon."
    assert words.about(score, most_works=2) == "Works tested: Emma, Persuasion and 1 more."
    assert words.about(scored()) is None
