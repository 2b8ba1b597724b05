"""Samples of an Inspect log: what was asked, what came back, and each scorer's grade as a number."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Sample
from domain.hashing import sha256_of
from evaluators.benchmarks.samples import storable
from evaluators.imports.files import File, label, number

#: Inspect's grades as its own accuracy counts them: correct, partly, incorrect, no answer.
_GRADES: Mapping[str, float] = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_OUTCOMES = {"max_tokens": Outcome.TRUNCATED, "model_length": Outcome.TRUNCATED, "content_filter": Outcome.FILTERED}


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", protected_namespaces=())


class Grade(_Read):
    """What a scorer gave."""

    value: Any = None


class Choice(_Read):
    """One answer of the model."""

    message: dict[str, Any] = Field(default_factory=dict)
    stop_reason: str | None = None


class Output(_Read):
    """What the model said."""

    choices: list[Choice] = Field(default_factory=list)
    completion: str | None = None
    error: str | None = None


class LoggedSample(_Read):
    """One sample of a log."""

    id: int | str
    epoch: int = 1
    input: str | list[dict[str, Any]]
    target: str | list[str] = ""
    choices: list[str] | None = None
    output: Output = Field(default_factory=Output)
    scores: dict[str, Grade] | None = None
    error: dict[str, Any] | None = None


def read(file: File, logged: Sequence[LoggedSample], metrics: Mapping[str, Sequence[str]]) -> tuple[Sample, ...]:
    """The samples in order of the log; the epochs of one question share a cluster. `metrics`: scorer → names."""
    several = len({sample.epoch for sample in logged}) > 1
    samples = tuple(_sample(file, one, metrics, several=several) for one in logged)
    seen: set[str] = set()
    for sample in samples:
        if sample.sample_id in seen:
            raise file.refused(f"sample {sample.sample_id} is in it twice")
        seen.add(sample.sample_id)
    return samples


def _sample(file: File, logged: LoggedSample, metrics: Mapping[str, Sequence[str]], *, several: bool) -> Sample:
    name = label(file, str(logged.id), "the sample")
    sample_id = f"{name}#{logged.epoch}" if several else name
    answer = _answer(file, sample_id, logged)
    scores = logged.scores or {}
    return Sample(
        sample_id=sample_id,
        cluster=name,
        doc=storable({"id": logged.id, "input": logged.input, "choices": logged.choices}),
        target=logged.target if isinstance(logged.target, str) else "; ".join(logged.target),
        asked=(Asked(messages=_messages(logged.input), answer=answer),),
        metrics={
            name: _value(scores[scorer].value)
            for scorer, names in metrics.items()
            if scorer in scores
            for name in names
        },
        unscored=None if scores else "The log has no score of it.",
        error=answer.outcome is Outcome.ERROR,
        empty=answer.outcome is Outcome.EMPTY,
        truncated=answer.outcome is Outcome.TRUNCATED,
        refused=True if answer.outcome is Outcome.FILTERED else None,
    )


def _messages(given: str | list[dict[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    if isinstance(given, str):
        return ({"role": "user", "content": given},)
    return tuple({"role": str(m.get("role", "user")), "content": _text(m.get("content"))} for m in given)


def _answer(file: File, sample_id: str, logged: LoggedSample) -> Answer:
    choice = logged.output.choices[0] if logged.output.choices else Choice()
    text = _text(choice.message.get("content")) or logged.output.completion or ""
    failure = str(logged.error.get("message", "not told")) if logged.error is not None else logged.output.error
    outcome = _OUTCOMES.get(choice.stop_reason or "", Outcome.ANSWERED if text.strip() else Outcome.EMPTY)
    return Answer(
        key=sha256_of([file.sha256, sample_id]),
        outcome=Outcome.ERROR if failure is not None else outcome,
        text=text,
        finish_reason=choice.stop_reason,
        error=failure,
    )


def _text(content: Any) -> str:
    """Text of a message: a string, or the text parts of a list."""
    if isinstance(content, list):
        return "\n".join(str(part["text"]) for part in content if isinstance(part, Mapping) and "text" in part)
    return "" if content is None else str(content)


def _value(grade: Any) -> float | None:
    return _GRADES.get(grade) if isinstance(grade, str) else number(grade)
