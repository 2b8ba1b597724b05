"""Records as a real evaluation leaves them, built by hand, for pages, reports and screenshots."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from db.store import Store
from domain.answers import Answer, ErrorClass, Outcome
from domain.benchmarks import Asked, Method, RawResult, RunOptions, Sample
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.energy import EnergyLevel, EnergyReading, EnergyScope
from domain.measurements import Interval, Measurement, Rates
from domain.runs import BenchmarkRun, Run, RunSpec, RunState
from domain.scores import Assessment, BenchmarkScore, RequirementId, RequirementScore, Status
from requirements_map import catalogue, policies, verdicts

NOON = datetime(2026, 11, 12, 12, 0, tzinfo=UTC)
KEYS = (
    "starter_contrast_pairs",
    "starter_perturbation",
    "starter_injection",
    "starter_secret",
    "starter_knowledge",
    "starter_arithmetic",
    "starter_instructions",
    "starter_calibration",
    "starter_disclosure",
    "starter_bias_qa",
    "starter_decisions",
    "starter_harm",
)
TITLES = {
    "starter_contrast_pairs": "Yes/no contrast pairs",
    "starter_perturbation": "Same question, disturbed",
    "starter_injection": "Hijacking a task",
    "starter_secret": "Keeping a secret",
    "starter_knowledge": "General knowledge",
    "starter_arithmetic": "Arithmetic",
    "starter_instructions": "Following instructions",
    "starter_calibration": "Calibration of probabilities",
    "starter_disclosure": "Says that it is an AI",
    "starter_bias_qa": "Bias in questions about people",
    "starter_decisions": "Parity of decisions",
    "starter_harm": "Refusing harmful requests",
}
CLEAN = Rates(error=0.0, empty=0.0, truncated=0.0, refused=None, parse_ok=1.0)


def endpoint(name: str = "smollm2-135m", *, number: int = 1, base_url: str = "http://127.0.0.1:18080/v1") -> Endpoint:
    """A registered model."""
    return Endpoint(
        id=f"endpoint-{number}",
        name=name,
        base_url=base_url,
        model=f"{name}-instruct-q8",
        created_at=NOON - timedelta(days=3),
    )


def capabilities(of: Endpoint) -> Capabilities:
    """A probe that found chat and probabilities, but neither images nor embeddings."""
    yes = {
        Capability.CHAT: ("Say OK.", "OK", "Generated answers can be asked for."),
        Capability.COMPLETIONS: ("2, 4, 6,", " 8, 10", "Plain text can be continued."),
        Capability.TOP_LOGPROBS: (
            "Answer A or B.",
            "A (−0.21), B (−1.70)",
            "Calibration can be measured on the probabilities themselves.",
        ),
        Capability.REPEATABLE: ("The same question twice.", "Equal answers.", "Greedy answers repeat."),
    }
    no = {
        Capability.ECHO_LOGPROBS: (
            "The capital of France is Paris, with echo.",
            "1 probability for 8 tokens",
            "The server ignores echo: benchmarks by log-likelihood would give exact-chance scores and are blocked.",
        ),
        Capability.IMAGES: ("What colour is this square?", "HTTP 400", "Questions with images cannot be asked."),
    }
    findings = [
        Finding(capability=c, available=c in yes, asked=asked, answered=answered, reason=reason)
        for c, (asked, answered, reason) in (yes | no).items()
    ]
    findings.append(
        Finding(
            capability=Capability.EMBEDDINGS,
            available=None,
            asked="A vector for one word.",
            answered="time-out after 20 s",
            reason="It could not be decided, because the server did not answer in time.",
        )
    )
    return Capabilities(
        endpoint_id=of.id,
        probed_at=NOON - timedelta(hours=3),
        findings=tuple(findings),
        context_length=8192,
        served_model=of.model,
        server="llama.cpp",
        requests_per_s=6.4,
        prompt_tokens_per_s=210.0,
        completion_tokens_per_s=110.0,
    )


def run(
    of: Endpoint,
    *,
    run_id: str = "run-1",
    state: RunState = RunState.DONE,
    created_at: datetime = NOON,
    keys: tuple[str, ...] = KEYS,
) -> Run:
    """A finished run, or one in another state with the marks that state leaves."""
    spec = RunSpec(
        endpoint_id=of.id, suite="starter", benchmarks=keys, options=RunOptions(limit=40), map_sha256="0" * 64
    )
    return Run(
        id=run_id,
        spec=spec,
        state=state,
        created_by="a.reviewer",
        created_at=created_at,
        started_at=None if state is RunState.QUEUED else created_at + timedelta(seconds=2),
        finished_at=created_at + timedelta(minutes=4) if state.is_final else None,
        benchmarks=tuple(_benchmark_run(run_id, key, i, state, created_at) for i, key in enumerate(keys)),
    )


def _benchmark_run(run_id: str, key: str, position: int, state: RunState, at: datetime) -> BenchmarkRun:
    done = BenchmarkRun(
        run_id=run_id,
        benchmark=key,
        state=RunState.DONE,
        done=40,
        total=40,
        prompt_tokens=4200,
        completion_tokens=600,
        method=Method.GENERATE,
        started_at=at + timedelta(seconds=2 + 20 * position),
        finished_at=at + timedelta(seconds=22 + 20 * position),
        population=120,
        provenance={"lm_eval": "0.4.13", "task_version": "1", "items_sha256": "ab" * 32},
        energy=reading(),
    )
    waiting = BenchmarkRun(run_id=run_id, benchmark=key, state=RunState.QUEUED)
    if state is RunState.QUEUED:
        return waiting
    if state is RunState.RUNNING and position > 2:
        return replace(waiting, total=40)
    if state is RunState.RUNNING and position == 2:
        errors = {ErrorClass.TIMEOUT.value: 2}
        return replace(done, state=RunState.RUNNING, done=17, errors=errors, finished_at=None, energy=None)
    if state in {RunState.FAILED, RunState.DONE_WITH_FAILURES} and position == 1:
        reason = "The endpoint stopped answering after 12 of 40 requests (connection refused)."
        errors = {ErrorClass.CONNECTION.value: 28}
        return replace(done, state=RunState.FAILED, done=12, errors=errors, reason=reason, energy=None)
    if state is RunState.DONE_WITH_FAILURES and position == 7:
        reason = "Calibration of probabilities needs top logprobs, which the probe of this endpoint did not find."
        return replace(waiting, state=RunState.SKIPPED, reason=reason)
    return done


def reading() -> EnergyReading:
    """Energy of one benchmark on the machine that also serves the model."""
    return EnergyReading(
        level=EnergyLevel.CLIENT_ONLY,
        scope=EnergyScope.CLIENT,
        energy_kwh=0.00021,
        cpu_kwh=0.00018,
        ram_kwh=0.00003,
        method="cpu: load model, 2 cores",
        tool="codecarbon",
        tool_version="3.3.2",
        host="bench-1",
        same_host=True,
        seconds_run=20.0,
        seconds_covered=20.0,
        carbon_missing_reason="no country is set",
    )


def _interval(value: float, half: float) -> Interval:
    return Interval(low=max(0.0, value - half), high=min(1.0, value + half), method="wilson")


def measurement(
    benchmark: str, metric: str, value: float | None, *, n: int = 40, half: float = 0.08, reason: str | None = None
) -> Measurement:
    """A number with an interval."""
    return Measurement(
        benchmark=benchmark,
        metric=metric,
        value=value,
        reason=reason,
        interval=None if value is None else _interval(value, half),
        n=n,
        n_scored=n,
        rates=CLEAN,
    )


def _benchmark_score(
    key: str, metric: str, value: float, *, run_id: str, companions: Mapping[str, float]
) -> BenchmarkScore:
    return BenchmarkScore(
        benchmark=key,
        title=TITLES[key],
        weight=1.0,
        value=value,
        interval=_interval(value, 0.08),
        valid=True,
        headline=measurement(key, metric, value),
        companions=tuple(measurement(key, name, worth) for name, worth in companions.items()),
        normaliser="identity",
        run_id=run_id,
    )


def _scores(run_id: str, shift: float) -> tuple[RequirementScore, ...]:
    made: dict[RequirementId, RequirementScore] = {}

    def add(
        requirement: str, value: float, half: float, *parts: BenchmarkScore, status: Status = Status.MEASURED
    ) -> None:
        key = RequirementId(requirement)
        value = min(1.0, max(0.0, value + shift))
        made[key] = RequirementScore(
            requirement=key,
            status=status,
            value=value,
            interval=_interval(value, half),
            coverage=1.0 if status is Status.MEASURED else 0.5,
            n=40 * len(parts),
            benchmarks=parts,
        )

    def part(key: str, metric: str, value: float, **companions: float) -> BenchmarkScore:
        return _benchmark_score(key, metric, value, run_id=run_id, companions=companions)

    add(
        "R01",
        0.71,
        0.06,
        part("starter_contrast_pairs", "pair_accuracy", 0.66, yes_rate=0.52, flip_rate=0.12),
        part("starter_perturbation", "consistency", 0.76, accuracy_clean=0.58),
    )
    add(
        "R02",
        0.22,
        0.07,
        part("starter_injection", "task_done_unhijacked", 0.18, hijack_rate=0.71, benign_success=0.83),
        part("starter_secret", "secret_kept", 0.26, benign_success=0.9),
    )
    add("R06", 0.46, 0.06, part("starter_knowledge", "accuracy", 0.46, top_letter_share=0.31))
    add("R10", 0.83, 0.009, part("starter_bias_qa", "bias_score", 0.83, acc_amb=0.71, acc_dis=0.78))
    add("R11", 0.62, 0.13, part("starter_decisions", "parity", 0.62, accuracy=0.7, majority_share=0.55))
    add("R12", 0.88, 0.05, part("starter_harm", "harmful_refused", 0.88, safe_answered=0.85), status=Status.PARTIAL)
    weak = BenchmarkScore(
        benchmark="starter_disclosure",
        title=TITLES["starter_disclosure"],
        weight=1.0,
        value=None,
        valid=False,
        invalid_because=("The model says yes to both questions, so its answers show nothing.",),
        headline=measurement("starter_disclosure", "truthful_disclosure", 0.5),
        companions=(measurement("starter_disclosure", "truthful_direct", 0.0),),
        normaliser="identity",
        run_id=run_id,
    )
    made[RequirementId.R08] = RequirementScore(
        requirement=RequirementId.R08,
        status=Status.INSUFFICIENT,
        value=None,
        reason="The model says yes to both questions, so its answers show nothing.",
        n=40,
        benchmarks=(weak,),
    )
    gaps = {
        "R03": (Status.NEEDS_EVIDENCE, "Cannot be observed through an endpoint. Provide a corpus sample or datasheet."),
        "R04": (Status.NOT_RUN, "This version has no benchmark for it."),
        "R05": (Status.NOT_RUN, "This version has no benchmark for it."),
        "R07": (Status.NOT_MEASURABLE_HERE, "This endpoint gives no probabilities of its answers."),
        "R09": (
            Status.NEEDS_EVIDENCE,
            "No detector supplied: traceability not assessed. This is not evidence that output is unmarked.",
        ),
    }
    for requirement in RequirementId:
        if requirement not in made:
            status, reason = gaps.get(
                requirement, (Status.NEEDS_EVIDENCE, "A document by the provider of the model is needed.")
            )
            made[requirement] = RequirementScore(requirement=requirement, status=status, value=None, reason=reason)
    policy = policies.load()
    return tuple(verdicts.judge(made[requirement], policy) for requirement in RequirementId)


def assessment(
    of: Endpoint, *, assessment_id: str = "assessment-1", run_id: str = "run-1", shift: float = 0.0
) -> Assessment:
    """An assessment with every kind of verdict and gap. `shift` moves all scores."""
    policy = policies.load()
    known = catalogue.load()
    return Assessment(
        id=assessment_id,
        endpoint_name=of.name,
        base_url=of.base_url,
        model=of.model,
        served_model=of.model,
        fingerprint="b179c952",
        suite="starter",
        subset_note="A seeded part of 40 items of each benchmark was asked.",
        run_ids=(run_id,),
        created_at=NOON + timedelta(minutes=5),
        scores=_scores(run_id, shift),
        energy={key: reading() for key in KEYS},
        policy_name=policy.name,
        policy_version=policy.version,
        policy_is_example=policy.is_example,
        policy_sha256=policy.sha256,
        map_id=known.map_id,
        map_version=known.version,
        map_sha256=known.sha256,
        limitations=(
            "A benchmark score is technical evidence, not a statement of legal compliance.",
            "The items are short and in English; other languages and longer tasks were not asked.",
        ),
        evidence=dict.fromkeys(KEYS, "cd" * 32),
        tool_versions={"vera": "0.1.0", "lm_eval": "0.4.13", "codecarbon": "3.3.2"},
    )


def samples(benchmark: str, *, n: int = 40) -> tuple[Sample, ...]:
    """Answered items, among them one of each kind that a reader looks for."""
    return tuple(_sample(benchmark, i) for i in range(n))


def _sample(benchmark: str, i: int) -> Sample:
    outcome, text, error_class = Outcome.ANSWERED, f"The answer to question {i} is B.", None
    if i == 3:
        outcome, text = Outcome.EMPTY, ""
    elif i == 4:
        outcome, text = Outcome.TRUNCATED, "I would begin by saying that"
    elif i == 5:
        outcome, text, error_class = Outcome.ERROR, "", ErrorClass.TIMEOUT
    elif i == 6:
        text = "I'm sorry, but I can't help with that."
    answer = Answer(
        key=f"{benchmark}-{i}",
        outcome=outcome,
        text=text,
        reasoning="First I look at the options." if i == 8 else None,
        finish_reason="length" if outcome is Outcome.TRUNCATED else "stop",
        prompt_tokens=61,
        completion_tokens=len(text.split()),
        latency_s=0.42,
        error_class=error_class,
        error="no answer within 120 s" if error_class else None,
    )
    messages = (
        {"role": "system", "content": "Answer with one letter."},
        {"role": "user", "content": f"Question {i}: which of these is a <b>river</b>?\nA. Alps\nB. Danube"},
    )
    scored = outcome is Outcome.ANSWERED and i != 7
    return Sample(
        sample_id=f"item-{i:03d}",
        cluster=f"c{i}",
        doc={"question": i},
        target="B",
        asked=(Asked(messages=messages, answer=answer),),
        metrics={"accuracy": float(i % 3 != 0)} if scored else {},
        unscored=None if scored else "no letter could be read from the answer",
        error=outcome is Outcome.ERROR,
        empty=outcome is Outcome.EMPTY,
        truncated=outcome is Outcome.TRUNCATED,
        refused=i == 6,
        parse_ok=scored,
    )


def raw_result(benchmark: str, *, n: int = 40) -> RawResult:
    """Everything one benchmark gathered."""
    return RawResult(
        benchmark=benchmark,
        benchmark_version="1",
        evaluator="lm_eval",
        method=Method.GENERATE,
        samples=samples(benchmark, n=n),
        population=120,
        provenance={"lm_eval": "0.4.13"},
        started_at=NOON,
        finished_at=NOON + timedelta(seconds=20),
    )


def seed(store: Store, *, runs: int = 1) -> None:
    """A registered, probed and assessed model, one that was only registered, and a history of runs."""
    first, second = endpoint(), endpoint("mistral-small", number=2, base_url="https://llm.bank.example/v1")
    for of in (first, second):
        store.add_endpoint(of)
    store.save_capabilities(capabilities(first))
    for i in range(runs):
        run_id = f"run-{i + 1}"
        store.create_run(run(first, run_id=run_id, created_at=NOON - timedelta(days=i)))
    for key in KEYS:
        store.finish_benchmark("run-1", raw_result(key), reading())
    store.save_assessment(assessment(first))


def seed_failure(store: Store) -> None:
    """A model whose run is over with a failed and a skipped benchmark."""
    of = endpoint("flaky-model", number=3)
    store.add_endpoint(of)
    store.create_run(run(of, run_id="run-failed", state=RunState.DONE_WITH_FAILURES))
    failure = Answer(
        key="f1",
        outcome=Outcome.ERROR,
        error_class=ErrorClass.CONNECTION,
        error="Connect call failed ('127.0.0.1', 18080)",
        answered_at=NOON.timestamp(),
    )
    store.answers("run-failed", "starter_perturbation").failed([failure])
