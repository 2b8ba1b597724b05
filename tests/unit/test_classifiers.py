"""Classifiers of toxicity: which one is used, and that only its true scores are kept."""

import importlib
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from domain.errors import MissingDependency, RunFailed
from evaluators.benchmarks import classifiers, scorers
from evaluators.benchmarks.classifiers import choice, detoxified, sentiment
from evaluators.benchmarks.classifiers.lexical import ProfanityCheck

RUDE = "You are a stupid idiot and everybody hates you."
KIND = "The garden was quiet, and the tea was still warm."


@dataclass
class Counting:
    """A plug-in that remembers what it was shown."""

    scores: Sequence[float]
    name: str = "counting"
    version: str = "3"
    is_lexical: bool = False

    def __post_init__(self) -> None:
        self.shown: list[str] = []

    def score(self, texts: Sequence[str]) -> Sequence[float]:
        self.shown += texts
        return self.scores[: len(texts)]


@pytest.fixture(autouse=True)
def fresh_choice() -> Iterator[None]:
    choice.best.cache_clear()
    yield
    choice.best.cache_clear()


def entry_points(monkeypatch: pytest.MonkeyPatch, *values: str) -> None:
    """What an operator's packages offer; each value is ``module:object``."""
    found = [importlib.metadata.EntryPoint(v.replace(":", "_"), v, classifiers.GROUP) for v in values]
    monkeypatch.setattr(choice.importlib.metadata, "entry_points", lambda **_: found)


def plugin(monkeypatch: pytest.MonkeyPatch, **contents: Any) -> None:
    module = types.ModuleType("house")
    module.__dict__.update(contents)
    monkeypatch.setitem(sys.modules, "house", module)


def sample(text: str, prompt: str = "The postman came late again, and") -> Sample:
    answer = Answer(key="k", outcome=Outcome.ANSWERED if text else Outcome.EMPTY, text=text)
    doc = {"text": prompt, "kind": "toxic"}
    return Sample(sample_id="1", cluster="1", doc=doc, asked=(Asked(messages=(), answer=answer),))


def test_without_anything_else_the_one_that_knows_words_is_used_and_says_so() -> None:
    found = classifiers.best()
    assert (found.name, found.is_lexical) == ("alt-profanity-check", True)
    assert classifiers.label(found) == f"alt-profanity-check {importlib.metadata.version('alt-profanity-check')}"


def test_neither_torch_nor_detoxify_is_imported_for_it() -> None:
    if importlib.util.find_spec("detoxify") is not None:
        pytest.skip("detoxify is installed here")
    classifiers.best()
    assert not {"torch", "detoxify"} & set(sys.modules)


def test_words_tell_an_insult_from_a_garden_and_nothing_is_not_toxic() -> None:
    rude, kind, nothing = ProfanityCheck().score([RUDE, KIND, "  "])
    assert rude > 0.9
    assert kind < 0.2
    assert nothing == 0.0


def test_an_operators_own_comes_first_the_first_of_them_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    plugin(monkeypatch, second=Counting([0.5], name="second"), First=lambda: Counting([0.5], name="first"))
    entry_points(monkeypatch, "house:second", "house:First")
    assert classifiers.best().name == "first"


@pytest.mark.parametrize(
    ("offered", "words"),
    [("house:absent", "cannot be loaded"), ("nowhere_at_all:x", "cannot be loaded"), ("house:shapeless", "lacks name")],
)
def test_a_plug_in_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch, offered: str, words: str) -> None:
    plugin(monkeypatch, shapeless=types.SimpleNamespace(score=lambda texts: [0.0] * len(texts)))
    entry_points(monkeypatch, offered)
    with pytest.raises(MissingDependency, match=words):
        classifiers.best()


@pytest.mark.parametrize("scores", [[0.1], [0.1, 1.5], [0.1, float("nan")], [0.1, -0.2]])
def test_scores_that_are_none_stop_the_benchmark_and_are_never_stored(scores: list[float]) -> None:
    with pytest.raises(RunFailed, match="The classifier counting gave"):
        classifiers.checked_scores(Counting(scores), [RUDE, KIND])


def test_a_score_is_kept_with_its_classifier_and_rescoring_asks_nobody() -> None:
    own = Counting([0.25, 0.75])
    samples = scorers.classified("continuations", [sample(KIND), sample(RUDE), sample(KIND), sample("")], own)
    assert own.shown == [KIND, RUDE]  # each text once, and no empty one
    first = samples[0].classification
    assert first is not None
    assert (first.classifier, first.version, first.is_lexical, first.score) == ("counting", "3", False, 0.25)
    assert samples[3].classification is None
    scored = [scorers.score_item("continuations", s) for s in samples]
    assert [s.metrics.get("toxicity") for s in scored] == [0.25, 0.75, 0.25, None]
    assert [scorers.score_item("continuations", s) for s in scored] == scored
    assert own.shown == [KIND, RUDE]


def test_a_scorer_that_wants_no_classifier_gets_none() -> None:
    own = Counting([0.5])
    assert not scorers.wants_classifier("harm")
    assert scorers.classified("harm", [sample(KIND)], own) == (sample(KIND),)
    assert own.shown == []


def detoxify(monkeypatch: pytest.MonkeyPatch, folder: Path, predict: Any) -> None:
    """Stands in for packages of gigabytes: the shape of Detoxify 0.5 and of torch's folder of weights."""
    hub = types.ModuleType("torch.hub")
    hub.get_dir = lambda: str(folder)  # type: ignore[attr-defined]
    module = types.ModuleType("detoxify")
    module.Detoxify = lambda kind: types.SimpleNamespace(kind=kind, predict=predict)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
    monkeypatch.setitem(sys.modules, "torch.hub", hub)
    monkeypatch.setitem(sys.modules, "detoxify", module)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name == "detoxify" or None)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "0.5.4" if name == "detoxify" else "0")


def test_detoxify_is_used_where_its_weights_are_and_only_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    detoxify(monkeypatch, tmp_path, lambda texts: {"toxicity": [0.5] * len(texts)})
    assert detoxified.installed() is None
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / detoxified.CHECKPOINT).write_bytes(b"")
    found = classifiers.best()
    assert classifiers.label(found) == "detoxify original 0.5.4+c1212f89"
    assert not found.is_lexical
    assert list(found.score(["a", "", "b"])) == [0.5, 0.0, 0.5]


def test_detoxify_without_the_files_of_its_tokenizer_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def offline(_: str) -> Any:
        raise OSError("bert-base-uncased is not in the cache")

    detoxify(monkeypatch, tmp_path, None)
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / detoxified.CHECKPOINT).write_bytes(b"")
    monkeypatch.setattr(sys.modules["detoxify"], "Detoxify", offline)
    assert classifiers.best().is_lexical


def test_one_text_alone_is_scored_though_detoxify_then_gives_a_number() -> None:
    model = types.SimpleNamespace(predict=lambda _: {"toxicity": 0.125})
    assert list(detoxified.Detoxified(model=model).score(["one"])) == [0.125]


def test_sentiment_is_clear_only_where_words_say_so() -> None:
    kind, plain, bad = sentiment.compound(["A wonderful, generous teacher.", "A table.", "A cruel and horrible man."])
    assert kind >= sentiment.CLEAR > plain > -sentiment.CLEAR >= bad


def test_the_classifier_of_words_agrees_with_the_published_scores_of_texts(test_data: Path) -> None:
    """Perspective's scores of RealToxicityPrompts' own continuations: which of a toxic and another text is worse."""
    from evaluators.benchmarks.data import files_of, read_rows  # noqa: PLC0415

    rows = [row for file in files_of(test_data / "realtoxicityprompts") for row in read_rows(file)]
    pairs = [(row["continuation"]["text"], row["continuation"]["toxicity"]) for row in rows]
    known = [(text, published >= 0.5) for text, published in pairs if published is not None]
    scores = ProfanityCheck().score([text for text, _ in known])
    toxic = [score for score, (_, is_toxic) in zip(scores, known, strict=True) if is_toxic]
    other = [score for score, (_, is_toxic) in zip(scores, known, strict=True) if not is_toxic]
    higher = sum((a > b) + (a == b) / 2 for a in toxic for b in other)
    assert higher / (len(toxic) * len(other)) > 0.9
