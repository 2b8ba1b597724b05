"""What an energy figure says and what it does not (levels A to D)."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class EnergyLevel(StrEnum):
    """Honesty levels; figures of two levels are never summed and never ranked against each other."""

    MEASURED_EXCLUSIVE = "A"
    MEASURED_SHARED = "B"
    ESTIMATED_FROM_TOKENS = "C"
    CLIENT_ONLY = "D"


class EnergyScope(StrEnum):
    """Which machine, or which part of it, the figure covers."""

    GPU_BOARD = "gpu_board"
    NODE = "node"
    CLIENT = "client"


@dataclass(frozen=True, slots=True, kw_only=True)
class EnergyReading:
    """One reading of one benchmark run. Energies in kWh before PUE; exactly one of value and reason is set."""

    level: EnergyLevel
    scope: EnergyScope
    energy_kwh: float | None
    missing_reason: str | None = None
    cpu_kwh: float | None = None
    gpu_kwh: float | None = None
    ram_kwh: float | None = None
    #: How codecarbon obtained each part, in its own words: ``cpu: Cpu Load (TDP 8 W)`` …
    method: str
    tool: str
    tool_version: str
    host: str
    #: Whether the model was served on the machine that was metered.
    same_host: bool = False
    seconds_run: float
    seconds_covered: float
    carbon_g_per_kwh: float | None = None
    carbon_source: str | None = None
    carbon_year: int | None = None
    country: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    #: Why there is no carbon intensity, and therefore no CO₂.
    carbon_missing_reason: str | None = None

    @property
    def coverage(self) -> float:
        """Share of the run's duration in which the meter ran, in [0, 1]."""
        return min(1.0, self.seconds_covered / self.seconds_run) if self.seconds_run > 0 else 0.0

    @property
    def co2_g(self) -> float | None:
        """Grams of CO₂-equivalent, derived at display time; None without energy or intensity."""
        if self.energy_kwh is None or self.carbon_g_per_kwh is None:
            return None
        return self.energy_kwh * self.carbon_g_per_kwh


#: Below this share of covered time a figure is a lower bound and says so.
FULL_COVERAGE = 0.95

_LEVEL_WORDS = {
    EnergyLevel.MEASURED_EXCLUSIVE: "measured, GPU board only, whole GPU",
    EnergyLevel.MEASURED_SHARED: "measured, GPU board only, allocated from a shared GPU",
    EnergyLevel.ESTIMATED_FROM_TOKENS: "estimated from tokens, not your hardware",
}


def label(reading: EnergyReading) -> str:
    """The figure and what it covers, in one line of plain words; never a bare number."""
    if reading.energy_kwh is None:
        return f"not measured: {reading.missing_reason}"
    amount = f"{_two_digits(reading.energy_kwh)} kWh"
    covered = f"{math.floor(reading.coverage * 100)}% of the run's time covered"
    if reading.coverage < FULL_COVERAGE:
        amount = f"at least {amount}"
    return f"{amount} — {_scope_words(reading)}; {reading.method}; {covered}; {_carbon_words(reading)}"


def total(readings: Sequence[EnergyReading]) -> EnergyReading | None:
    """The sum over the benchmarks of a run; None without readings.

    A sum of what cannot be compared (another level, scope, method, tool or host) and a sum with a missing part have no
    value but a reason.
    """
    if not readings:
        return None
    first = readings[0]
    missing = [r.missing_reason for r in readings if r.energy_kwh is None]
    reason = None
    if any(_kind(r) != _kind(first) for r in readings):
        reason = "the benchmarks of this run were metered in different ways, which are not added up"
    elif missing:
        reason = f"{len(missing)} of {len(readings)} benchmarks have no reading ({missing[0]})"
    return replace(
        first,
        energy_kwh=None if reason else _sum(r.energy_kwh for r in readings),
        missing_reason=reason,
        cpu_kwh=_sum(r.cpu_kwh for r in readings),
        gpu_kwh=_sum(r.gpu_kwh for r in readings),
        ram_kwh=_sum(r.ram_kwh for r in readings),
        seconds_run=sum(r.seconds_run for r in readings),
        seconds_covered=sum(r.seconds_covered for r in readings),
        prompt_tokens=_whole(_sum(r.prompt_tokens for r in readings)),
        completion_tokens=_whole(_sum(r.completion_tokens for r in readings)),
    )


def _kind(reading: EnergyReading) -> tuple[object, ...]:
    return (reading.level, reading.scope, reading.method, reading.tool, reading.host, reading.carbon_g_per_kwh)


def _sum(parts: Iterable[float | None]) -> float | None:
    known = list(parts)
    return None if any(part is None for part in known) else sum(part for part in known if part is not None)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _scope_words(reading: EnergyReading) -> str:
    if reading.level is not EnergyLevel.CLIENT_ONLY:
        return _LEVEL_WORDS[reading.level]
    if reading.same_host:
        return "the whole machine, with everything that ran on it, the model included"
    return "the machine that asks, not the one that answers: excludes the model"


def _carbon_words(reading: EnergyReading) -> str:
    grams = reading.co2_g
    if grams is None:
        return f"CO₂ not computed: {reading.carbon_missing_reason or 'no carbon intensity is known'}"
    return f"{_two_digits(grams)} g CO₂e ({reading.country} {reading.carbon_year}, {reading.carbon_source})"


def _two_digits(value: float) -> str:
    """Two significant figures without an exponent.

    >>> _two_digits(0.000012345), _two_digits(1234.5), _two_digits(0.5)
    ('0.000012', '1200', '0.50')
    """
    if value == 0:
        return "0"
    decimals = 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, decimals):.{max(decimals, 0)}f}"
