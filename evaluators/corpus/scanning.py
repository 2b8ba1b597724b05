"""The documents of a corpus, classified; what the classifiers said is kept, so that scoring again asks none."""

from collections.abc import Callable
from typing import Any

from domain.benchmarks import Classification, Sample
from evaluators.benchmarks import classifiers
from evaluators.benchmarks.classifiers import sentiment
from evaluators.corpus import measures
from evaluators.corpus.groups import mentions
from evaluators.corpus.reading import READ_CHARACTERS, Corpus, Document


def scan(corpus: Corpus, *, every: int, stop: Callable[[], None]) -> tuple[tuple[Sample, ...], dict[str, Any]]:
    """One sample per document, and which tools were used; ``stop`` is called between parts and may raise."""
    classifier = classifiers.best()
    samples: list[Sample] = []
    for start in range(0, len(corpus.documents), every):
        stop()
        part = corpus.documents[start : start + every]
        scores = classifiers.checked_scores(classifier, [document.text for document in part])
        samples += [
            _sample(document, classifiers.classification_of(classifier, score))
            for document, score in zip(part, scores, strict=True)
        ]
    tools = {
        "classifier": classifiers.label(classifier),
        "sentiment": sentiment.version(),
        "scorer_version": measures.VERSION,
        "characters_read": READ_CHARACTERS,
    }
    return tuple(samples), tools


def _sample(document: Document, classification: Classification) -> Sample:
    groups: dict[str, list[float]] = {}
    found = mentions(document.text)
    for mention, compound in zip(found, sentiment.compound([m.sentence for m in found]), strict=True):
        for group in mention.groups:
            groups.setdefault(group, []).append(compound)
    sample = Sample(
        sample_id=str(document.number),
        cluster=str(document.number),
        doc={"text": document.text, "words": len(document.text.split()), "groups": groups},
        asked=(),
        truncated=document.cut,
        classification=classification,
    )
    return measures.score_item(sample)
