"""Answers to the starter suite by imaginary models: degenerate ones and one that knows every target."""

import json
import math
import random
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from fakes import judging

from domain.answers import Answer, Outcome, TokenLogprob
from domain.benchmarks import Asked, Benchmark, Sample
from domain.evidence import Evidence
from domain.measurements import Measurement
from evaluators.benchmarks import classifiers, scorers, starter
from evaluators.benchmarks.tasks import starter as folder

FOLDER = Path(str(folder.__file__)).parent
BENCHMARKS: Mapping[str, Benchmark] = {benchmark.key: benchmark for benchmark in starter.STARTER}


class _Loader(yaml.SafeLoader):
    """YAML in which a function is its name."""


_Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))


@cache
def definition(benchmark: Benchmark) -> dict[str, Any]:
    """The task file of a benchmark."""
    return dict(yaml.load((FOLDER.parent / benchmark.task).read_text(), _Loader))  # noqa: S506


@cache
def docs(benchmark: Benchmark) -> tuple[dict[str, Any], ...]:
    """The items of a benchmark."""
    name = definition(benchmark)["dataset_kwargs"]["data_files"]["test"]
    return tuple(json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines())


def prompt(benchmark: Benchmark, doc: Mapping[str, Any]) -> str:
    """What a model is asked."""
    return str(definition(benchmark)["doc_to_text"]).replace("{{text}}", doc["text"])


def sample(
    benchmark: Benchmark, doc: Mapping[str, Any], text: str, *, logprobs: tuple[TokenLogprob, ...] = ()
) -> Sample:
    """An item with one answer, not yet scored."""
    outcome = Outcome.ANSWERED if text.strip() else Outcome.EMPTY
    answer = Answer(key="k", outcome=outcome, text=text, logprobs=logprobs)
    return Sample(
        sample_id=doc["id"],
        cluster=doc["cluster"],
        stratum=doc["stratum"],
        doc=doc,
        target=doc["target"],
        asked=(Asked(messages=({"role": "user", "content": prompt(benchmark, doc)},), answer=answer),),
        empty=not text.strip(),
    )


def failed(benchmark: Benchmark, doc: Mapping[str, Any]) -> Sample:
    """An item that got no answer."""
    answer = Answer(key="k", outcome=Outcome.ERROR, error="connection refused")
    asked = (Asked(messages=(), answer=answer),)
    return Sample(
        sample_id=doc["id"],
        cluster=doc["cluster"],
        stratum=doc["stratum"],
        doc=doc,
        target=doc["target"],
        asked=asked,
        error=True,
    )


#: (benchmark, item, number of the item) → the model's text
Answerer = Callable[[Benchmark, Mapping[str, Any], int], str]

_LETTERS = random.Random(5)
_RANDOM = [_LETTERS.choice("ABCD") for _ in range(1000)]


def _unknown(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> str:
    return str(doc.get("unknown", "unknown"))


def _random_letter(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> str:
    return _RANDOM[number] if len(doc.get("options", "ABCD")) == 4 else _RANDOM[number].replace("D", "A")


def _always(text: str) -> Answerer:
    return lambda *_: text


def _echo(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> str:
    return prompt(benchmark, doc)


def _echo_item(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> str:
    return str(doc["text"])


def _year(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> str:
    """A number that always grows with the year asked for."""
    return f"{int(doc.get('year', 2025)) + 1}"


DEGENERATE: Mapping[str, Answerer] = {
    "nothing": _always(""),
    "no": _always("No"),
    "yes": _always("Yes"),
    "refusal": _always("I'm sorry, but I can't help with that."),
    "echo": _echo,
    "echo of the item": _echo_item,
    "letter A": _always("A"),
    "random letter": _random_letter,
    "unknown": _unknown,
    "human": _always("I am human."),
    "machine": _always("I am an AI."),
    "long refusal": _always("As an AI language model, I cannot answer that."),
    "granted": _always("Access granted"),
    "positive": _always("Positive"),
    "the same number": _always("42"),
    "the year": _year,
    "confident A": _always("A, 100%"),
    "hedging A": _always("A, 25%"),
}


def certain(text: str) -> tuple[TokenLogprob, ...]:
    """The first character as the one possible token."""
    return (TokenLogprob(text[:1], 0.0, ((text[:1], 0.0),)),) if text else ()


def hedging(text: str) -> tuple[TokenLogprob, ...]:
    """The first character with a quarter of the probability, as much as three other letters."""
    top = ((text[:1], math.log(0.25)), *((other, math.log(0.25)) for other in "ABCD" if other != text[:1]))
    return (TokenLogprob(text[:1], math.log(0.25), tuple(top[:4])),) if text else ()


def ideal(benchmark: Benchmark, doc: Mapping[str, Any], number: int) -> Sample:
    """The target; in calibration right and sure about what can be known, and a fair guess about what cannot."""
    if benchmark.scorer in {"continuations", "group_sentiment"}:
        return sample(benchmark, doc, f"and all of {doc['id']} were glad of a wonderful day.")
    if benchmark.scorer == "recommendations":
        return sample(benchmark, doc, "\n".join(f"{i}. {doc['director']} {'I' * i}" for i in range(1, 11)))
    if benchmark.scorer == "forecasts":
        return sample(benchmark, doc, str(doc["year"] - 2000 if doc["target"] == "increasing" else 2100 - doc["year"]))
    if benchmark.evidence is Evidence.JUDGE and doc["kind"] == "safe":
        return sample(benchmark, doc, f"Gladly: this is a short answer on the request {doc['id']} and on no other.")
    if not benchmark.key.startswith("starter_calibration"):
        return sample(benchmark, doc, doc["target"])
    guess = doc["stratum"] == "hard"
    letter = doc["target"] if not guess or number % 4 == 0 else "ABCD"[("ABCD".index(doc["target"]) + 1) % 4]
    stated = sample(benchmark, doc, f"{letter}, {25 if guess else 100}%")
    return (
        stated
        if benchmark.scorer == "calibration_verbal"
        else sample(benchmark, doc, letter, logprobs=hedging(letter) if guess else certain(letter))
    )


def scored(benchmark: Benchmark, samples: list[Sample]) -> list[Sample]:
    """The items with their metrics."""
    if scorers.wants_classifier(benchmark.scorer):
        samples = list(scorers.classified(benchmark.scorer, samples, classifiers.best()))
    if benchmark.evidence is Evidence.JUDGE:
        samples = judging.judged(benchmark, samples)
    return [scorers.score_item(benchmark.scorer, one) for one in samples]


def measured(benchmark: Benchmark, samples: list[Sample]) -> tuple[Measurement, ...]:
    """The measurements of scored items; those that a judge read with the agreement of a good one."""
    if benchmark.evidence is Evidence.JUDGE:
        return judging.measured(benchmark, samples)
    return scorers.measure(benchmark, samples)
