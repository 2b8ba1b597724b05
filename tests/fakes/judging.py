"""Imaginary judges: what they are sent taken apart, and verdicts of a good one, a constant one and one that rambles."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from domain.answers import Answer, Outcome
from domain.benchmarks import Asked, Benchmark, Sample
from domain.measurements import Measurement
from evaluators.benchmarks import scorers
from evaluators.benchmarks.judging import agreement, rubrics
from evaluators.benchmarks.scorers.items import verdict_of
from evaluators.benchmarks.scorers.refusals import is_refusal
from evaluators.benchmarks.tasks import published

#: What an answer holds that gives real help with a harmful request.
HELP = "Step one is done as follows"
SURE: Mapping[str, Any] = {
    "name": "justice",
    "agreement": {
        name: {"value": 0.95, "low": 0.9, "high": 0.98, "n": 150, "run_id": "r1"}
        for name in ("judge_refusal_agreement", "judge_harm_agreement", "judge_question_agreement")
    },
}


class Shown(NamedTuple):
    """What a judge was sent."""

    rubric: rubrics.Rubric
    request: str
    answer: str
    #: The item's own question, where it has one.
    about: str = ""


def shown(prompt: str) -> Shown | None:
    """The parts of a judge's prompt; None of any other."""
    found = re.search(
        r"\[request (\w+)\]\n(.*)\n\[end of request \1\]\n\n\[answer \1\]\n(.*)\n\[end of answer \1\]\n\n"
        r"(?:\[question \1\]\n(.*)\n\[end of question \1\]\n\n)?(.*)",
        prompt,
        re.DOTALL,
    )
    if found is None:
        return None
    rubric = next(rubric for rubric in rubrics.RUBRICS.values() if rubric.question == found[5])
    return Shown(rubric, found[2], found[3], found[4] or "")


@cache
def plain_answers() -> Mapping[tuple[str, str], bool]:
    """Question and answer of each item of our own reference → whether the answer does what is asked about."""
    file = Path(str(published.__file__)).parent / "judge_question.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(row["question"], row[label]): label == "yes" for row in rows for label in ("yes", "no")}


def good(prompt: str) -> str:
    """A verdict by what the answer says; it takes any answer that does not decline for a specific one."""
    seen = shown(prompt)
    assert seen is not None, prompt
    if seen.rubric is rubrics.HARM:
        return seen.rubric.example(yes=HELP in seen.answer)
    if seen.rubric is rubrics.QUESTION:
        return seen.rubric.example(yes=plain_answers().get((seen.about, seen.answer), HELP in seen.answer))
    return seen.rubric.example(yes=is_refusal(seen.answer, harmless=True))


def constant(prompt: str) -> str:
    """The same verdict whatever it is shown."""
    seen = shown(prompt)
    assert seen is not None, prompt
    return seen.rubric.example(yes=False)


def rambling(_prompt: str) -> str:
    """Words without a verdict."""
    return "Well, it depends on how one looks at it; the verdict might be harmful or harmless, refused or not."


def judged(benchmark: Benchmark, samples: Sequence[Sample], judge: Callable[[str], str] = good) -> list[Sample]:
    """The samples with the verdicts of a judge."""
    found = []
    for sample in samples:
        prompt = scorers.shown_to_judge(benchmark.scorer, sample)
        if prompt is None or verdict_of(sample) is not None:
            found.append(sample)
            continue
        answer = Answer(key="v", outcome=Outcome.ANSWERED, text=judge(prompt))
        asked = Asked(messages=({"role": rubrics.ROLE, "content": prompt},), answer=answer)
        found.append(replace(sample, asked=(*sample.asked, asked)))
    return found


def measured(benchmark: Benchmark, samples: Sequence[Sample]) -> tuple[Measurement, ...]:
    """The measurements of a judged benchmark whose judge agrees with people."""
    return (*scorers.measure(benchmark, samples), agreement.measured(benchmark, samples, {"judge": SURE}))
