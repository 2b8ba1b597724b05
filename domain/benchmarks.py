"""A benchmark, one question of it with its answers, and the contract of an evaluator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from domain.answers import Answer, AnswerStore
from domain.endpoints import Capabilities, Capability, Endpoint
from domain.evidence import Evidence
from domain.executions import Execution
from domain.hashing import sha256_of
from domain.measurements import Measurement


class Method(StrEnum):
    """How answers were obtained; part of a score's identity, scores of two methods are never compared."""

    GENERATE = "generate"
    LOGLIKELIHOOD_ECHO = "loglikelihood_echo"
    LOGLIKELIHOOD_FORCED = "loglikelihood_forced"
    LETTERS_TOP_LOGPROBS = "letters_top_logprobs"
    #: as another tool obtained them and wrote them down; what it says of how is in the provenance
    IMPORTED = "imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A task variant VERA can run, with what it needs and what a reader should know before starting it."""

    key: str
    #: Name of the evaluator that runs it.
    evaluator: str
    title: str
    #: One sentence for a reviewer: what is asked and what a good answer shows.
    description: str
    version: str
    #: lm-eval task name, or the file below the evaluator's tasks folder.
    task: str
    #: Alternatives; each is a set of capabilities that together suffice. The first that fits is used.
    needs: tuple[frozenset[Capability], ...]
    #: Name of the item scorer and of the measure function of the evaluator.
    scorer: str
    #: ``starter`` (items of our own), ``published`` (our task over a published data set), ``public`` (lm-eval's task).
    source: str
    licence: str
    languages: tuple[str, ...] = ("en",)
    #: ``harmful``, ``personal_data`` or ``copyright``; harmful text is masked until asked for.
    sensitive: frozenset[str] = frozenset()
    #: None where only the data set itself tells.
    items: int | None = None
    #: Estimates for the review step before a run.
    requests_per_item: float = 1.0
    prompt_tokens_per_request: int = 200
    completion_tokens_per_request: int = 32
    #: Where its items are below the data folder, a file or a folder of files; empty where it brings or fetches them.
    data: str = ""
    #: Why it is listed but cannot be run by anybody yet; None for a runnable one.
    unavailable: str | None = None
    #: What must be supplied with a run; None where the model and the benchmark's own data suffice.
    evidence: Evidence | None = None
    #: Whether programs the model wrote are run on this machine, in a sandbox; only where the operator allows it.
    runs_code: bool = False
    #: Answers to one question that a run may ask for; 1 where its score is made of one.
    max_samples: int = 1

    @property
    def data_names(self) -> tuple[str, ...]:
        """Names under which a run may be given its data: the key, the task, and the key without its prefix."""
        return (self.key, self.task, self.key.rpartition(":")[2])

    def missing(self, capabilities: Capabilities) -> str | None:
        """Why this endpoint cannot run the benchmark, in one sentence; None when it can."""
        if self.unavailable:
            return self.unavailable
        if any(all(capabilities.has(c) for c in alternative) for alternative in self.needs):
            return None
        wanted = " or ".join(" with ".join(sorted(alternative)) for alternative in self.needs)
        return f"{self.title} needs {wanted.replace('_', ' ')}, which the probe of this endpoint did not find."


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far a judge's verdicts agree with people's on one reference: the balanced accuracy."""

    value: float
    #: Lower and upper end of its interval.
    low: float
    high: float
    #: Answers of the reference that were judged.
    n: int
    #: The run in which it was measured.
    run_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """The registered model that judges answers, and what was measured of its judgement before."""

    endpoint_id: str
    name: str
    #: Of the questions put to it and of the rules its verdicts are read by.
    prompt_version: str
    #: What its server told of its weights when its agreement was measured.
    weights: str | None = None
    #: Benchmark of the reference → agreement.
    agreement: Mapping[str, Agreement] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedJudge:
    """What is needed to ask a judge; never stored, since it holds the key."""

    endpoint: Endpoint
    api_key: str | None = field(repr=False)
    capabilities: Capabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a run may vary; part of its identity."""

    #: At most this many items per benchmark, drawn by seed from all strata; None for all.
    limit: int | None = None
    seed: int = 20260801
    #: Files, or folders of them, standing in for a task's published data set: task name → path.
    data_files: Mapping[str, str] = field(default_factory=dict)
    system_prompt: str | None = None
    num_fewshot: int | None = None
    #: Benchmark key → limit of its own, which takes the place of ``limit``.
    limits: Mapping[str, int] = field(default_factory=dict)
    #: Where the operator's detector of watermarks is: an address, ``env:VARIABLE`` or ``file:ENTRY`` that holds one, or
    #: the name of an entry point. Never a secret.
    detector: str | None = None
    #: From this score on, a detector that gives scores takes a text for marked.
    detector_threshold: float | None = None
    #: Who judges the answers of the benchmarks that need it; None where nobody does.
    judge: Judge | None = None
    #: Whether programs the model wrote may be run, in a sandbox; only where a benchmark of the run has some.
    allow_code: bool = False
    #: Answers to each question of the benchmarks that may be asked for several.
    samples: int = 1

    def limit_of(self, benchmark: str) -> int | None:
        """At most this many items of a benchmark; None for all."""
        return self.limits.get(benchmark, self.limit)

    def samples_of(self, benchmark: Benchmark) -> int:
        """Answers to each question of a benchmark."""
        return min(self.samples, benchmark.max_samples)

    def files_of(self, benchmark: Benchmark) -> tuple[str, ...]:
        """Paths of what was given for a benchmark's data, in the order in which it names them."""
        return tuple(self.data_files[name] for name in benchmark.data_names if name in self.data_files)

    def supplies(self, benchmark: Benchmark) -> bool:
        """Whether what the operator must bring for a benchmark is there."""
        if benchmark.evidence in {Evidence.CORPUS, Evidence.CANARIES}:
            return bool(self.files_of(benchmark))
        if benchmark.evidence is Evidence.JUDGE:
            return self.judge is not None
        return benchmark.evidence is None or self.detector is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request of an item as a reader sees it, with its answer."""

    #: Chat messages ``[{"role", "content"}]`` or one ``{"role": "prompt", …}``; images as ``[image sha256]``.
    messages: tuple[Mapping[str, Any], ...]
    answer: Answer
    #: For log-likelihood requests: the continuation that was scored and its value in nats.
    continuation: str | None = None
    loglikelihood: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """What a classifier made of an answer, once and when it came; rescoring reads it and asks no classifier again."""

    classifier: str
    version: str
    #: It knows words and not what a sentence says.
    is_lexical: bool
    #: From 0 (harmless) to 1.
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question of a benchmark with every answer it got; all later numbers are made of these."""

    sample_id: str
    #: Items that share a cluster are resampled together (a paragraph, a pair, a person).
    cluster: str
    stratum: str = ""
    doc: Mapping[str, Any]
    target: str | None = None
    asked: tuple[Asked, ...]
    #: Per-item metrics of the task; None where the item could not be scored. Re-made by rescoring.
    metrics: Mapping[str, float | None] = field(default_factory=dict)
    #: Why the item has no metrics, if so.
    unscored: str | None = None
    error: bool = False
    empty: bool = False
    truncated: bool = False
    #: None where the benchmark does not look for it.
    refused: bool | None = None
    parse_ok: bool | None = None
    #: Where the benchmark's scorer wants a classifier's opinion of the answer.
    classification: Classification | None = None
    #: Where the answer is a program that was run.
    execution: Execution | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawResult:
    """Everything one benchmark gathered from one endpoint; `measure` needs nothing else."""

    benchmark: str
    benchmark_version: str
    evaluator: str
    method: Method
    #: One sample per planned item, in order, those with errors included.
    samples: tuple[Sample, ...]
    #: Items the whole data set has.
    population: int
    #: Tool versions, task hash, data-set hash, prompt format, system prompt hash …
    provenance: Mapping[str, Any]
    started_at: datetime
    finished_at: datetime

    @property
    def sha256(self) -> str:
        """Hash of the samples, for the evidence bundle and the audit log."""
        return sha256_of([self.benchmark, self.benchmark_version, self.method, self.samples])


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """How far a benchmark is, told about once a second while it runs."""

    done: int
    total: int
    errors: Mapping[str, int] = field(default_factory=dict)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    #: Requests answered from the store of an interrupted run.
    reused: int = 0


class Progress(Protocol):
    """Told how far a benchmark is; raising from it stops the run."""

    def __call__(self, tick: Tick) -> None:
        """Take note of the progress."""


class Evaluator(Protocol):
    """Asks a served model and measures; one instance each in ``evaluators.EVALUATORS``."""

    @property
    def name(self) -> str:
        """Name by which benchmarks refer to the evaluator."""

    def benchmarks(self) -> Sequence[Benchmark]:
        """What it can run. Cheap: reads no data and imports no heavy package."""

    def find(self, key: str) -> Benchmark | None:
        """The benchmark of this key, also one that is not listed (a public task by its name)."""

    def warm(self) -> None:
        """Import what a run needs; called once in the parent from which benchmark processes are forked."""

    def run(
        self,
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
        """Ask what was not yet asked. Network; the only one of an evaluator's functions that is."""

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """Numbers from stored samples. Pure."""

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:
        """The same answers with their per-item metrics made anew by the present scorer. Pure."""
