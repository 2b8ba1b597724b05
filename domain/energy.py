"""What an energy figure says and what it does not (levels A to D)."""

from dataclasses import dataclass
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

    @property
    def co2_g(self) -> float | None:
        """Grams of CO₂-equivalent, derived at display time; None without energy or intensity."""
        if self.energy_kwh is None or self.carbon_g_per_kwh is None:
            return None
        return self.energy_kwh * self.carbon_g_per_kwh
