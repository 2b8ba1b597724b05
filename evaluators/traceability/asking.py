"""The model writes and says it again in other words; the detector is asked about all of it and about people's texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from domain.answers import Answer, AnswerStore, Outcome, Request, Route
from domain.benchmarks import Asked, Benchmark, Progress, RunOptions, Sample
from domain.endpoints import Capabilities, Endpoint
from domain.errors import CapabilityMissing
from domain.hashing import sha256_of_file
from evaluators.benchmarks import subset
from evaluators.benchmarks.progress import CountedClient, Counting
from evaluators.benchmarks.system_role import messages_of
from evaluators.traceability import detecting, human_texts, measures
from evaluators.traceability.detectors import Detector
from evaluators.traceability.prompts import MOST_TOKENS, PROMPTS, TEMPERATURE, Prompt, paraphrase_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What is going to be written and shown."""

    prompts: tuple[Prompt, ...]
    passages: tuple[human_texts.Passage, ...]
    #: Name of each file of people's texts → its hash.
    files: Mapping[str, str]

    @property
    def population(self) -> int:
        """Items there are; a limit leaves out prompts and no text by a person."""
        return len(PROMPTS) + len(self.passages)


def plan(benchmark: Benchmark, options: RunOptions) -> Planned:
    """The prompts within the limit, all kinds of text among them, and the passages."""
    given = options.files_of(benchmark)
    if not given:
        raise CapabilityMissing(
            "Texts by people are needed: import public_domain_texts with `vera data import FOLDER`."
        )
    path = Path(given[0])
    places = subset.choose(
        [{"stratum": prompt.form} for prompt in PROMPTS], limit=options.limit_of(benchmark.key), seed=options.seed
    )
    return Planned(
        prompts=tuple(PROMPTS[place] for place in places),
        passages=tuple(human_texts.passages(path, seed=options.seed)),
        files={file.name: sha256_of_file(file) for file in human_texts.files(path)},
    )


def ask(
    planned: Planned,
    *,
    endpoint: Endpoint,
    api_key: str | None,
    capabilities: Capabilities,
    options: RunOptions,
    detector: Detector,
    answers: AnswerStore,
    tell: Progress,
) -> tuple[Sample, ...]:
    """One sample per prompt and per passage. Network."""
    counting = Counting(tell)
    client = CountedClient(endpoint, api_key=api_key, answers=answers, counting=counting)
    # first what needs no model: one that writes for an hour is not kept busy for a detector that does not answer
    verdicts = _verdicts([passage.text for passage in planned.passages], detector, answers=answers, counting=counting)
    writer = _Writer(endpoint, capabilities, options)
    requests = [writer.request(prompt.text) for prompt in planned.prompts]
    written = client.ask(requests)
    long = {place for place, answer in enumerate(written) if _is_long(answer)}
    again = {place: writer.request(paraphrase_of(written[place].text)) for place in sorted(long)}
    paraphrases = dict(zip(again, client.ask(list(again.values())), strict=True))
    texts = [written[place].text for place in sorted(long)]
    texts += [answer.text for answer in paraphrases.values() if _is_long(answer)]
    verdicts |= _verdicts(texts, detector, answers=answers, counting=counting)
    counting.tell()
    samples = [
        _of_model(
            prompt,
            _turn(requests[place], written[place]),
            _turn(again[place], paraphrases[place]) if place in again else None,
            verdicts,
        )
        for place, prompt in enumerate(planned.prompts)
    ]
    samples += [_of_person(passage, verdicts[passage.text]) for passage in planned.passages]
    return tuple(measures.score_item(sample, options.detector_threshold) for sample in samples)


def _is_long(answer: Answer) -> bool:
    return answer.outcome is not Outcome.ERROR and measures.words_of(answer.text) >= measures.LEAST_WORDS


def _verdicts(
    texts: Sequence[str], detector: Detector, *, answers: AnswerStore, counting: Counting
) -> dict[str, Answer]:
    distinct = list(dict.fromkeys(texts))
    counting.plan(len(distinct))
    # a failure of the detector is none of the model's server
    return detecting.detect(
        distinct,
        detector,
        named=detector.shown,
        answers=answers,
        on_answer=lambda answer, reused: counting.on_answer(replace(answer, error_class=None), reused),
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """How the model is asked for a text."""

    endpoint: Endpoint
    capabilities: Capabilities
    options: RunOptions

    def request(self, text: str) -> Request:
        """A conversation of one turn."""
        payload = {
            "model": self.endpoint.model,
            "messages": messages_of(text, system=self.options.system_prompt, capabilities=self.capabilities),
            "max_tokens": MOST_TOKENS,
            "temperature": TEMPERATURE,
            "seed": self.options.seed,
        }
        return Request(route=Route.CHAT, payload=payload)


def _of_model(prompt: Prompt, first: Asked, again: Asked | None, verdicts: Mapping[str, Answer]) -> Sample:
    asked, written = [first], first.answer
    if again is not None:
        asked += [measures.shown_to_detector(written.text, verdicts[written.text]), again]
        if again.answer.text in verdicts:
            asked.append(measures.shown_to_detector(again.answer.text, verdicts[again.answer.text]))
    return Sample(
        sample_id=f"{measures.GENERATED}-{prompt.id}",
        cluster=prompt.id,
        stratum=prompt.form,
        doc={"kind": measures.GENERATED, "prompt": prompt.text},
        asked=tuple(asked),
        error=_any_error(asked),
        empty=written.outcome is not Outcome.ERROR and not written.text.strip(),
        truncated=written.outcome is Outcome.TRUNCATED,
    )


def _turn(request: Request, answer: Answer) -> Asked:
    messages: tuple[Mapping[str, Any], ...] = tuple(request.payload["messages"])
    return Asked(messages=messages, answer=answer)


def _of_person(passage: human_texts.Passage, verdict: Answer) -> Sample:
    asked = (measures.shown_to_detector(passage.text, verdict),)
    return Sample(
        sample_id=f"{measures.HUMAN}-{passage.id}",
        cluster=passage.id,
        stratum=passage.work,
        doc={"kind": measures.HUMAN, "work": passage.work},
        asked=asked,
        error=_any_error(asked),
    )


def _any_error(asked: Iterable[Asked]) -> bool:
    return any(one.answer.outcome is Outcome.ERROR for one in asked)
