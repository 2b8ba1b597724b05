"""Records as tests need them: complete, small, and different each time where that matters."""

import uuid
from datetime import UTC, datetime
from typing import Any

from db.store import Store
from domain.answers import Answer, ErrorClass, Outcome, TokenLogprob
from domain.benchmarks import Asked, Method, RawResult, Sample
from domain.endpoints import Capabilities, Capability, Endpoint, Finding
from domain.energy import EnergyLevel, EnergyReading, EnergyScope
from domain.measurements import Interval, Measurement, Rates
from domain.runs import Run, RunSpec, RunState
from domain.scores import (
    Assessment,
    BenchmarkScore,
    RequirementId,
    RequirementScore,
    Status,
    Verdict,
)

#: A moment with microseconds, so that losing them is noticed.
MOMENT = datetime(2026, 11, 3, 9, 15, 30, 123456, tzinfo=UTC)


def _id() -> str:
    return uuid.uuid4().hex


def endpoint(**changes: Any) -> Endpoint:
    number = _id()
    usual = {"id": number, "name": f"model {number}", "base_url": "http://127.0.0.1:1/v1", "model": "m"}
    return Endpoint(**({**usual, "created_at": MOMENT} | changes))


def add_endpoint(store: Store, **changes: Any) -> Endpoint:
    made = endpoint(**changes)
    store.add_endpoint(made)
    return made


def capabilities(endpoint_id: str, **changes: Any) -> Capabilities:
    findings = (
        Finding(capability=Capability.CHAT, available=True, asked="hi", answered="hello", reason="It answered."),
        Finding(capability=Capability.IMAGES, available=None, asked="", answered="", reason="Not tried."),
    )
    usual = {"endpoint_id": endpoint_id, "probed_at": MOMENT, "findings": findings, "context_length": 2048}
    return Capabilities(**(usual | {"requests_per_s": 12.5} | changes))


def run(endpoint_id: str, *benchmarks: str, **changes: Any) -> Run:
    spec = RunSpec(endpoint_id=endpoint_id, suite="starter", benchmarks=benchmarks, map_sha256="0" * 64)
    usual = {"id": _id(), "spec": spec, "state": RunState.QUEUED, "created_by": "ana", "created_at": MOMENT}
    return Run(**(usual | changes))


def add_run(store: Store, *benchmarks: str, **changes: Any) -> Run:
    """A run with an endpoint of its own."""
    made = run(add_endpoint(store).id, *(benchmarks or ("b",)), **changes)
    store.create_run(made)
    return made


def answer(key: str = "k", **changes: Any) -> Answer:
    usual = {"key": key, "outcome": Outcome.ANSWERED, "text": f"answer to {key}", "finish_reason": "stop"}
    counts = {"prompt_tokens": 11, "completion_tokens": 3, "latency_s": 0.25, "answered_at": 1_790_000_000.5}
    return Answer(**(usual | counts | changes))


def failure(key: str = "k", **changes: Any) -> Answer:
    usual = {
        "outcome": Outcome.ERROR,
        "error_class": ErrorClass.TIMEOUT,
        "error": "no answer within 1 s",
        "attempts": 3,
    }
    return Answer(**({"key": key, "answered_at": 1_790_000_000.5} | usual | changes))


def with_logprobs(key: str = "k") -> Answer:
    tokens = (TokenLogprob(" A", -0.1, ((" A", -0.1), (" B", -2.5))), TokenLogprob("\n", -1.0))
    return answer(key, logprobs=tokens)


def sample(sample_id: str = "1", **changes: Any) -> Sample:
    messages = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": f"question {sample_id}?"})
    asked = (Asked(messages=messages, answer=with_logprobs(f"key {sample_id}"), continuation="A", loglikelihood=-0.5),)
    usual = {"sample_id": sample_id, "cluster": sample_id, "doc": {"id": 1, "options": ["a", "b"], "x": None}}
    return Sample(**(usual | {"target": "A", "asked": asked, "metrics": {"acc": 1.0, "acc_norm": None}} | changes))


def raw_result(*samples: Sample, **changes: Any) -> RawResult:
    usual = {"benchmark": "b", "benchmark_version": "1", "evaluator": "lm_eval", "method": Method.GENERATE}
    more = {"population": 1000, "provenance": {"lm_eval": "0.4.13", "nested": {"a": [1, 2.5]}}}
    times = {"started_at": MOMENT, "finished_at": MOMENT}
    return RawResult(**(usual | more | times | {"samples": samples} | changes))


def energy(**changes: Any) -> EnergyReading:
    usual = {"level": EnergyLevel.MEASURED_SHARED, "scope": EnergyScope.NODE, "energy_kwh": 0.0125}
    tool = {"method": "cpu: Cpu Load", "tool": "codecarbon", "tool_version": "3.3.2", "host": "h"}
    return EnergyReading(**(usual | tool | {"seconds_run": 12.0, "seconds_covered": 11.5} | changes))


def measurement(**changes: Any) -> Measurement:
    interval = Interval(low=0.6, high=0.8, method="wilson")
    usual = {"benchmark": "b", "metric": "accuracy", "value": 0.7, "interval": interval, "n": 50, "n_scored": 49}
    rates = Rates(error=0.02, empty=0.0, truncated=0.0, parse_ok=1.0)
    return Measurement(**(usual | {"rates": rates, "by_group": {"α": 0.5, "β": None}} | changes))


def requirement_score(**changes: Any) -> RequirementScore:
    headline = measurement()
    benchmark = BenchmarkScore(
        benchmark="b",
        title="A benchmark",
        weight=1.0,
        value=0.7,
        interval=headline.interval,
        valid=True,
        headline=headline,
        companions=(measurement(metric="bias", value=-0.5, domain=(-1.0, 1.0)),),
        normaliser="identity",
    )
    usual = {"requirement": RequirementId.R06, "status": Status.MEASURED, "value": 0.7, "interval": headline.interval}
    more = {"benchmarks": (benchmark,), "verdict": Verdict.PASS, "thresholds": {"pass_at": 0.5}}
    return RequirementScore(**(usual | more | changes))


def assessment(**changes: Any) -> Assessment:
    absent = requirement_score(
        requirement=RequirementId.R09,
        status=Status.NEEDS_EVIDENCE,
        value=None,
        interval=None,
        reason="A detector is needed.",
        benchmarks=(),
        verdict=Verdict.NONE,
        thresholds={},
    )
    usual = {"id": _id(), "endpoint_name": "Model", "base_url": "http://x/v1", "model": "m", "suite": "starter"}
    served = {"served_model": "m-1", "fingerprint": None, "subset_note": None, "run_ids": ("r1",)}
    made_of = {"created_at": MOMENT, "scores": (requirement_score(), absent), "energy": {"b": energy()}}
    policy = {"policy_name": "p", "policy_version": "1", "policy_is_example": True, "policy_sha256": "1" * 64}
    catalogue = {"map_id": "m", "map_version": "2", "map_sha256": "2" * 64}
    rest = {"limitations": ("One.", "Two."), "evidence": {"b": "3" * 64}, "tool_versions": {"vera": "0.1.0"}}
    return Assessment(**(usual | served | made_of | policy | catalogue | rest | changes))
