"""What an energy figure says and what it does not (levels A to D)."""

import math
import re
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
    amount = energy_text(reading.energy_kwh)
    covered = f"{math.floor(reading.coverage * 100)} % of the run's time covered"
    if reading.coverage < FULL_COVERAGE:
        amount = f"at least {amount}"
    return f"{amount} — {_scope_words(reading)}; {method_words(reading.method)}; {covered}; {_carbon_words(reading)}"


#: Part of the machine in codecarbon's words → how its figure came about, and from what; the first that fits holds.
_METHODS: tuple[tuple[str, str, str], ...] = (
    ("RAM(", "estimated", "memory size"),
    ("CPU(Cpu Load)", "estimated", "processor load"),
    ("CPU(Intel Rapl)", "measured", "the processor's own counters"),
    ("CPU(Windows Emi)", "measured", "the processor's own counters"),
    ("CPU(Intel Power Gadget)", "measured", "the processor's own counters"),
    ("CPU(", "estimated", "the processor's rated power"),
    ("GPU", "measured", "the GPU's own counters"),
    ("AppleSiliconChip", "measured", "the chip's own counters"),
    ("Raspberry", "measured", "the board's own counters"),
)


def method_words(method: str) -> str:
    """How the figure came about; in the tool's own words where they are not known here.

    >>> method_words("RAM(), CPU(Cpu Load)")
    'estimated from processor load and memory size'
    >>> method_words("RAM(), CPU(Intel Rapl)")
    "measured by the processor's own counters, estimated from memory size"
    >>> method_words("something new")
    'something new'
    """
    parts = [part.strip() for part in _BETWEEN_PARTS.split(method)]
    found = [next(((how, what) for start, how, what in _METHODS if p.startswith(start)), None) for p in parts]
    known = [pair for pair in found if pair is not None]
    if len(known) < len(found):
        return method
    said = []
    for how, joint in (("measured", "by"), ("estimated", "from")):
        # codecarbon names the memory first, which is the smallest part.
        sources = dict.fromkeys(what for kind, what in reversed(known) if kind == how)
        if sources:
            said.append(f"{how} {joint} {' and '.join(sources)}")
    return ", ".join(said)


#: A comma between parts, not one inside the brackets of a part or between the names of GPUs.
_BETWEEN_PARTS = re.compile(r", (?=(?:RAM|CPU)\(|AppleSiliconChip|Raspberry|<?[\w.]*GPU)")


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
        return "the whole machine, with everything that ran on it; includes the model only if it runs on this machine"
    return "the machine that asks, not the one that answers: excludes the model"


def _carbon_words(reading: EnergyReading) -> str:
    grams = reading.co2_g
    if grams is None:
        return f"CO₂ not computed: {reading.carbon_missing_reason or 'no carbon intensity is known'}"
    return f"{two_figures(grams)} g CO₂e ({reading.country} {reading.carbon_year}, {reading.carbon_source})"


def energy_text(energy_kwh: float | None) -> str:
    """An energy in the unit a reader can picture, with two significant figures; "not measured" where there is none.

    >>> energy_text(0.000012), energy_text(0.0034), energy_text(1.234), energy_text(1234.5), energy_text(None)
    ('12 mWh', '3.4 Wh', '1.2 kWh', '1200 kWh', 'not measured')
    """
    if energy_kwh is None:
        return "not measured"
    watt_hours = energy_kwh * 1000
    if watt_hours >= 1000:
        return f"{two_figures(energy_kwh)} kWh"
    if watt_hours >= 0.1 or watt_hours == 0:
        return f"{two_figures(watt_hours)} Wh"
    return f"{two_figures(watt_hours * 1000)} mWh"


def two_figures(value: float) -> str:
    """Two significant figures without an exponent.

    >>> two_figures(0.00996), two_figures(1234.5), two_figures(0.5), two_figures(0.0)
    ('0.010', '1200', '0.50', '0')
    """
    if value == 0:
        return "0"
    decimals = 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, decimals)
    # Rounding up may add a digit: 0.00996 is 0.010, not 0.0100.
    decimals = 1 - math.floor(math.log10(abs(rounded)))
    return f"{rounded:.{max(decimals, 0)}f}"
