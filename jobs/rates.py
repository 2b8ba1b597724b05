"""How long requests of a model take: as its latest runs took, else at the rates its probe saw."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from domain.endpoints import Capabilities
from domain.runs import BenchmarkRun, Run, RunState

#: A benchmark of fewer requests says more of its start than of the model.
_LEAST_REQUESTS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Seconds a model took, and the rates its probe saw."""

    #: By benchmark, of its latest run.
    per_request: Mapping[str, float] = field(default_factory=dict)
    #: Of all tokens read and written in its latest runs; None where none tells.
    per_token: float | None = None
    probed: Capabilities

    def seconds(self, benchmark: str, requests: int | None, prompt: int | None, completion: int | None) -> float | None:
        """What so many requests and tokens of a benchmark would take; None where nothing tells."""
        if requests is None or prompt is None or completion is None:
            return None
        if benchmark in self.per_request:
            return self.per_request[benchmark] * requests
        if self.per_token is not None:
            return self.per_token * (prompt + completion)
        reading, writing = self.probed.prompt_tokens_per_s, self.probed.completion_tokens_per_s
        if reading and writing:
            return prompt / reading + completion / writing
        return requests / self.probed.requests_per_s if self.probed.requests_per_s else None


def rates_of(runs: Iterable[Run], probed: Capabilities) -> Rates:
    """The rates of a model from its runs, the latest first; what was reused or interrupted took no time of its own."""
    per_request: dict[str, float] = {}
    seconds = tokens = 0.0
    for part, took in _timed(runs):
        per_request.setdefault(part.benchmark, took / part.done)
        seconds += took
        tokens += part.prompt_tokens + part.completion_tokens
    return Rates(per_request=per_request, per_token=seconds / tokens if tokens else None, probed=probed)


def _timed(runs: Iterable[Run]) -> Iterator[tuple[BenchmarkRun, float]]:
    for part in (part for run in runs for part in run.benchmarks):
        if part.state is RunState.DONE and part.started_at and part.finished_at and not part.reused:
            took = (part.finished_at - part.started_at).total_seconds()
            if part.done >= _LEAST_REQUESTS and took > 0:
                yield part, took
