"""One benchmark against one endpoint: load, ask through lm-eval, keep every answer."""

import importlib.metadata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, NamedTuple

import lm_eval.evaluator

from domain.answers import AnswerStore, Route
from domain.benchmarks import Benchmark, Method, Progress, RawResult, RunOptions, Sample, ServedJudge
from domain.endpoints import Capabilities, Capability, Endpoint
from domain.errors import CapabilityMissing, InvalidTask
from domain.evidence import Evidence
from domain.hashing import plain
from evaluators import circumstances
from evaluators.benchmarks import (
    catalogue,
    classifiers,
    executing,
    harness,
    loading,
    repeats,
    samples,
    scorers,
    subset,
    turns,
)
from evaluators.benchmarks.judging.stage import Stage
from evaluators.benchmarks.lm import ServedModel
from evaluators.benchmarks.progress import CountedClient, Counting
from evaluators.benchmarks.system_role import takes_system
from evaluators.endpoints import logprobs


def run(
    benchmark: Benchmark,
    *,
    endpoint: Endpoint,
    api_key: str | None,
    capabilities: Capabilities,
    options: RunOptions,
    answers: AnswerStore,
    progress: Progress,
    judge: ServedJudge | None = None,
) -> RawResult:
    """Ask every chosen question; see `domain.benchmarks.Evaluator.run`."""
    if reason := benchmark.missing(capabilities):
        raise CapabilityMissing(reason)
    if benchmark.evidence is Evidence.JUDGE and judge is None:
        raise CapabilityMissing(Evidence.JUDGE.how_to_supply)
    if reason := executing.refusal(benchmark, options):
        raise CapabilityMissing(reason)
    started_at = datetime.now(UTC)
    counting = Counting(progress)
    client = CountedClient(endpoint, api_key=api_key, answers=answers, counting=counting)
    stage = None
    if benchmark.evidence is Evidence.JUDGE and judge is not None:
        stage = Stage(judge, answers=answers, counting=counting, seed=options.seed)
    asked = _ask(benchmark, client, capabilities, options, stage)
    counting.tell()
    return RawResult(
        benchmark=benchmark.key,
        benchmark_version=benchmark.version,
        evaluator=benchmark.evaluator,
        method=asked.method,
        samples=asked.samples,
        population=asked.population,
        provenance=asked.facts
        | _circumstances(benchmark, endpoint, capabilities, options, asked.method)
        | ({} if stage is None else {"judge": plain(options.judge)}),
        started_at=started_at,
        finished_at=datetime.now(UTC),
    )


class _Asked(NamedTuple):
    samples: tuple[Sample, ...]
    method: Method
    population: int
    facts: dict[str, Any]


def _ask(
    benchmark: Benchmark, client: CountedClient, capabilities: Capabilities, options: RunOptions, stage: Stage | None
) -> _Asked:
    with harness.quiet() as warnings:
        loaded = loading.load(benchmark, options)
        limit = options.limit_of(benchmark.key)
        several = options.samples_of(benchmark)
        repeats.let_sample(loaded.task, several)
        chosen = subset.choose(loaded.docs, limit=limit, seed=options.seed)
        questions = Questions(benchmark, loaded, chosen, times=several)
        method = _method(benchmark, questions, capabilities)
        model = ServedModel(
            client, capabilities, method=method, seed=options.seed, images=questions.has_images, samples=several
        )
        chat = _is_chat(method, capabilities)
        if stage is not None:
            stage.expect(len(questions.docs))
        if later := _turns_to_come(benchmark, questions):
            client.foresee(len(questions.docs) + later)
        asked = questions.ask(model, chat=chat, system_prompt=options.system_prompt)
        if later:
            asked = turns.ask(asked, client, lambda said, at: model.request(said, questions.generation, position=at))
            client.forgo()
    facts: dict[str, Any] = {}
    if benchmark.scorer != catalogue.SCORER:  # our own scorers also see what lm-eval does not: log-probabilities
        asked, facts = _classified(benchmark, asked)
        asked = asked if stage is None else stage.judged(benchmark.scorer, asked)
        asked = executing.executed(benchmark, options, asked, client.tell)
        asked = tuple(scorers.score_item(benchmark.scorer, sample) for sample in asked)
    facts |= {
        **loaded.provenance,
        "higher_is_better": questions.directions,
        "generation": questions.generation,
        "ignored_generation_settings": sorted(model.ignored_settings),
        "warnings": list(warnings),
        "sample_ids": [sample.sample_id for sample in asked],
    }
    return _Asked(asked, method, len(loaded.docs), facts)


def _classified(benchmark: Benchmark, asked: tuple[Sample, ...]) -> tuple[tuple[Sample, ...], dict[str, Any]]:
    """The answers with a classifier's opinion where their scorer wants one, and which classifier that is."""
    if not scorers.wants_classifier(benchmark.scorer):
        return asked, {}
    classifier = classifiers.best()
    return scorers.classified(benchmark.scorer, asked, classifier), {"classifier": classifiers.label(classifier)}


def _turns_to_come(benchmark: Benchmark, questions: "Questions") -> int:
    """Lm-eval's own scores know the first answer only."""
    return 0 if benchmark.scorer == catalogue.SCORER else turns.count(questions.docs)


class Questions:
    """The chosen questions of a task, on which lm-eval runs."""

    def __init__(
        self, benchmark: Benchmark, loaded: loading.LoadedTask, positions: Sequence[int], *, times: int = 1
    ) -> None:
        self._title = benchmark.title
        self._name = loaded.task.config.task or benchmark.key
        self._task = loaded.task
        self.docs = repeats.repeated([loaded.docs[position] for position in positions], times)
        self._position_of = {id(doc): position for position, doc in enumerate(self.docs)}
        self._unscored: dict[int, str] = {}
        with loading.naming(self._title):
            self.directions = {str(k): bool(v) for k, v in self._task.higher_is_better().items()}
        self.kind: str | None = self._task.OUTPUT_TYPE
        self.has_images = bool(getattr(self._task, "MULTIMODAL", False))
        self.generation = samples.storable(self._task.config.generation_kwargs)
        self._task.doc_iterator = lambda **_: enumerate(self.docs)
        # lm-eval's own means over all items are not used; a constant stands in, so that none of them can fail.
        self._task.aggregation = lambda: defaultdict(lambda: len)

    @cached_property
    def choices(self) -> dict[int, Sequence[str]]:
        """The given answers of each question that has some."""
        if getattr(self._task.config, "doc_to_choice", None) is None:
            return {}
        with loading.naming(self._title):
            return {position: self._task.doc_to_choice(doc) for position, doc in enumerate(self.docs)}

    def ask(self, model: ServedModel, *, chat: bool, system_prompt: str | None) -> tuple[Sample, ...]:
        """Let lm-eval ask and score; an item that cannot be scored says why and takes nothing else with it."""
        self._task.process_results = self._guarded(self._task.process_results, model)
        try:
            with loading.naming(self._title):
                results = lm_eval.evaluator.evaluate(
                    model,
                    {"tasks": {self._name: self._task}},
                    bootstrap_iters=0,
                    log_samples=True,
                    apply_chat_template=chat,
                    fewshot_as_multiturn=chat,
                    system_instruction=system_prompt,
                )
        except InvalidTask:
            if model.stopped_by is not None:
                raise model.stopped_by from None
            raise
        logged = results["samples"][self._name]
        return samples.join(self.docs, logged, model.items, self._unscored, self.choices)

    def _guarded(self, process_results: Any, model: ServedModel) -> Any:
        def guarded(doc: dict[str, Any], results: list[Any]) -> Mapping[str, Any]:
            position = self._position_of[id(doc)]
            if failure := model.items[position].failure:
                self._unscored[position] = f"The endpoint gave no answer: {failure.error or failure.error_class}."
                return {}
            try:
                scored: Mapping[str, Any] = process_results(doc, results)
            except Exception as error:  # noqa: BLE001 - any code of a task: one bad item must not end the run
                self._unscored[position] = f"The task could not score this answer ({type(error).__name__}: {error})."
                return {}
            return scored

        return guarded


def _method(benchmark: Benchmark, questions: Questions, capabilities: Capabilities) -> Method:
    if questions.kind in {"generate_until", None}:
        return Method.GENERATE
    letters = questions.kind == "multiple_choice" and all(map(catalogue.is_letters, questions.choices.values()))
    method = logprobs.method_for(capabilities, letters_possible=letters and capabilities.has(Capability.CHAT))
    if method is None:
        raise CapabilityMissing(
            f"{benchmark.title} needs log-probabilities of whole answers, by echo or by forced tokens; "
            "this endpoint offers neither."
        )
    return method


def _is_chat(method: Method, capabilities: Capabilities) -> bool:
    """Whether lm-eval makes messages of a prompt; the letters method sends it as one message by itself."""
    return method is Method.GENERATE and capabilities.has(Capability.CHAT)


def _circumstances(
    benchmark: Benchmark, endpoint: Endpoint, capabilities: Capabilities, options: RunOptions, method: Method
) -> dict[str, Any]:
    """What a score depends on beside the task."""
    chat = _is_chat(method, capabilities)
    on_chat_route = chat or method is Method.LETTERS_TOP_LOGPROBS
    common = circumstances.of(
        benchmark, endpoint, capabilities, options, scorer_version=scorers.VERSION.get(benchmark.scorer)
    )
    return common | {
        "lm_eval_version": importlib.metadata.version("lm_eval"),
        "datasets_version": importlib.metadata.version("datasets"),
        "route": (Route.CHAT if on_chat_route else Route.COMPLETIONS).value,
        "chat_template": "server" if on_chat_route else None,
        "fewshot_as_multiturn": chat,
        "system_message": "of its own" if takes_system(capabilities) else "at the head of the user's message",
        **({"samples_per_item": options.samples_of(benchmark)} if benchmark.max_samples > 1 else {}),
    }
