"""The evaluator of results that another tool gathered: it measures and never asks."""

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from domain.answers import AnswerStore
from domain.benchmarks import Benchmark, Progress, RawResult, RunOptions, ServedJudge
from domain.endpoints import Capabilities, Endpoint
from domain.errors import UserError
from domain.measurements import Measurement, Rates


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedResults:
    """Measures imported results; has no benchmarks of its own."""

    @property
    def name(self) -> str:
        """See domain.benchmarks.Evaluator."""
        return "imported"

    def benchmarks(self) -> Sequence[Benchmark]:
        """None: what was imported is known by its run alone."""
        return ()

    def find(self, key: str) -> Benchmark | None:  # noqa: ARG002 - the contract's
        """None, so that a key leads to the evaluator that can ask it."""
        return None

    def warm(self) -> None:
        """Nothing is asked, nothing is imported for it."""

    def run(
        self,
        benchmark: Benchmark,
        *,
        endpoint: Endpoint,
        api_key: str | None,  # noqa: ARG002 - the contract's
        capabilities: Capabilities,  # noqa: ARG002 - as above
        options: RunOptions,  # noqa: ARG002 - as above
        answers: AnswerStore,  # noqa: ARG002 - as above
        progress: Progress,  # noqa: ARG002 - as above
        judge: ServedJudge | None = None,  # noqa: ARG002 - as above
    ) -> NoReturn:
        """Refused: there is no model to ask."""
        raise UserError(f"{benchmark.key} of {endpoint.name} was imported; there is no model that could be asked.")

    def measure(self, benchmark: Benchmark, raw: RawResult) -> tuple[Measurement, ...]:
        """Metrics made of the items with their intervals; those only reported without one, on the items told."""
        from evaluators.benchmarks import public  # noqa: PLC0415 - loads numpy

        directions = raw.provenance.get("higher_is_better") or {}
        reported = raw.provenance.get("reported") or {}
        told = tuple(_told(benchmark.key, name, entry, directions) for name, entry in reported.items())
        has_metrics = any(sample.metrics for sample in raw.samples)
        made = public.measure(benchmark, raw) if has_metrics else ()
        tells = raw.provenance.get("tells") or ()
        return (*(replace(m, rates=_as_told(m.rates, tells)) for m in made), *told)

    def rescore(self, benchmark: Benchmark, raw: RawResult) -> RawResult:  # noqa: ARG002 - the contract's
        """The other tool's item scores are kept: its scorer is not here."""
        return raw


def _as_told(rates: Rates, tells: Collection[str]) -> Rates:
    """The shares without those that the tool's files do not tell."""
    return replace(rates, **{name: None for name in ("error", "truncated") if name not in tells})


def _told(key: str, name: str, entry: Mapping[str, Any], directions: Mapping[str, bool]) -> Measurement:
    value, n = float(entry["value"]), int(entry["n"])
    domain = (0.0, 1.0) if 0.0 <= value <= 1.0 else (0.0, sys.float_info.max)
    return Measurement(
        benchmark=key,
        metric=name,
        value=value,
        n=n,
        n_scored=n,
        higher_is_better=bool(directions[name.partition(",")[0]]),
        domain=domain,
        rates=Rates(error=None, empty=None, truncated=None),
    )
