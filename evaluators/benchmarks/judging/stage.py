"""The second stage of a judged benchmark: one verdict per answer, stored beside it."""

from collections.abc import Sequence
from dataclasses import replace

from domain.answers import AnswerStore, Request, Route
from domain.benchmarks import Asked, Sample, ServedJudge
from evaluators.benchmarks import scorers
from evaluators.benchmarks.judging import rubrics
from evaluators.benchmarks.progress import CountedClient, Counting


class Stage:
    """Asks the judge; its requests are part of the benchmark's total from the beginning."""

    def __init__(self, judge: ServedJudge, *, answers: AnswerStore, counting: Counting, seed: int) -> None:
        self._endpoint = judge.endpoint
        self._seed = seed
        self._client = CountedClient(judge.endpoint, api_key=judge.api_key, answers=answers, counting=counting)

    def expect(self, items: int) -> None:
        """At most so many verdicts will be asked for."""
        self._client.foresee(items)

    def judged(self, scorer: str, samples: Sequence[Sample]) -> tuple[Sample, ...]:
        """The samples with the judge's answer behind their own; nothing was written, nothing is judged."""
        prompts = [scorers.shown_to_judge(scorer, sample) for sample in samples]
        asked = {i: prompt for i, prompt in enumerate(prompts) if prompt is not None}
        answers = self._client.ask([request(self._endpoint.model, prompt, self._seed) for prompt in asked.values()])
        self._client.forgo()
        verdicts = {
            i: Asked(messages=({"role": rubrics.ROLE, "content": prompt},), answer=answer)
            for (i, prompt), answer in zip(asked.items(), answers, strict=True)
        }
        return tuple(
            replace(sample, asked=(*sample.asked, verdicts[i])) if i in verdicts else sample
            for i, sample in enumerate(samples)
        )


def request(model: str, prompt: str, seed: int) -> Request:
    """The same request as lm-eval makes of the reference's items, so that what was checked is what judges."""
    payload = {
        "model": model,
        "max_tokens": rubrics.MAX_TOKENS,
        "temperature": 0,
        "seed": seed,
        "messages": [{"role": "user", "content": prompt}],
    }
    return Request(route=Route.CHAT, payload=payload)
