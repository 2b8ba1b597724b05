"""A meter around one benchmark: codecarbon's offline tracker, and what it really used.

codecarbon is imported when a meter starts, never before: it takes a quarter of a second and, on a machine with NVIDIA
GPUs, opens the driver. Its first start in a process looks for hardware for about three seconds; ``warm`` does that once
in the parent from which benchmark processes are forked, after which a start takes some milliseconds (measured).
"""

import importlib
import logging
import socket
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from domain.energy import EnergyLevel, EnergyReading, EnergyScope

TOOL = "codecarbon"
#: Seconds between two readings of the counters; RAPL counters wrap within minutes on a busy machine.
SAMPLE_SECONDS = 5
_NVIDIA_DRIVER = Path("/dev/nvidiactl")


class CarbonIntensity(NamedTuple):
    """Grams of CO₂-equivalent per kWh of a country, or why there is no figure."""

    g_per_kwh: float | None
    year: int | None
    reason: str | None


class Meter:
    """Meters the machine from entering to leaving the block; must be used in the main thread of its process.

    Every failure of codecarbon becomes the reason of a missing reading: a benchmark never fails because of its meter.
    """

    def __init__(self, *, same_host: bool, country: str | None) -> None:
        self._same_host = same_host
        self._country = country
        self._tracker: Any = None
        self._data: Any = None
        self._method = "none"
        self._entered = self._left = 0.0

    def __enter__(self) -> Self:
        self._entered = time.perf_counter()
        with _silence():
            self._tracker = new_tracker()
            self._tracker.start()
        self._method = method_of(self._tracker)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = time.perf_counter()
        with _silence():
            self._tracker.stop()
        self._data = getattr(self._tracker, "final_emissions_data", None)

    def reading(
        self, *, prompt_tokens: int | None = None, completion_tokens: int | None = None, share: float = 1.0
    ) -> EnergyReading:
        """What the meter saw, to be asked for after the block.

        ``share`` is the part of the work that was done inside the block; the rest, of a process that was interrupted,
        counts as time that was not covered.
        """
        return reading_of(
            self._data,
            method=self._method,
            same_host=self._same_host,
            country=self._country,
            seconds_run=self._left - self._entered,
            share=share,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
        )


def warm() -> None:
    """Import codecarbon and look for the machine's hardware, once for all processes forked from this one.

    Not where an NVIDIA driver is loaded: importing codecarbon opens the driver, and an opened driver does not survive a
    fork. There each benchmark process pays for its own start.
    """
    if _NVIDIA_DRIVER.exists():
        return
    with _silence():
        tracker = new_tracker()
        tracker.start()
        tracker.stop()
    carbon_intensity("FRA")


def new_tracker() -> Any:
    """A tracker that meters the whole machine, writes no file and asks no network.

    PUE is 1 because readings are stored before PUE. The carbon intensity is forced to 0 so that codecarbon does not
    assume the world's average for a machine of unknown country; CO₂ is computed from the reading when it is shown.
    """
    from codecarbon import OfflineEmissionsTracker  # noqa: PLC0415 - see the module's docstring

    return OfflineEmissionsTracker(
        tracking_mode="machine",
        measure_power_secs=SAMPLE_SECONDS,
        save_to_file=False,
        save_to_api=False,
        save_to_logger=False,
        allow_multiple_runs=True,
        log_level="critical",
        pue=1.0,
        wue=0.0,
        force_carbon_intensity_g_co2e_kwh=0.0,
        force_cpu_power=None,
        force_ram_power=None,
        force_mode_cpu_load=False,
    )


def method_of(tracker: Any) -> str:
    """How each part is obtained, in codecarbon's own words; neither its data nor its files hold that."""
    # There is no public list of the parts a tracker meters.
    hardware = getattr(tracker, "_hardware", None) or []
    return ", ".join(repr(part) for part in hardware) or "none"


def reading_of(
    data: Any,
    *,
    method: str,
    same_host: bool,
    country: str | None,
    seconds_run: float,
    share: float = 1.0,
    prompt_tokens: int | None = None,
    completion_tokens: int | None = None,
) -> EnergyReading:
    """A record of codecarbon's figures; what is missing, or 0 where it cannot be 0, is None with a reason."""
    carbon = carbon_intensity(country)
    reason = _why_not_believed(data, same_host=same_host)
    if share <= 0:
        reason = "every answer came from an interrupted process, whose reading was lost"
    return EnergyReading(
        level=EnergyLevel.CLIENT_ONLY,
        scope=EnergyScope.NODE if same_host else EnergyScope.CLIENT,
        energy_kwh=None if reason else float(data.energy_consumed),
        missing_reason=reason,
        cpu_kwh=_believed(data, "cpu_energy"),
        gpu_kwh=_believed(data, "gpu_energy"),
        ram_kwh=_believed(data, "ram_energy"),
        method=method,
        tool=TOOL,
        tool_version=metadata.version(TOOL),
        host=socket.gethostname(),
        same_host=same_host,
        seconds_run=seconds_run / share if share > 0 else seconds_run,
        seconds_covered=min(float(data.duration), seconds_run) if data is not None else 0.0,
        carbon_g_per_kwh=carbon.g_per_kwh,
        carbon_source="codecarbon's table of countries" if carbon.g_per_kwh is not None else None,
        carbon_year=carbon.year,
        country=country,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        carbon_missing_reason=carbon.reason,
    )


def carbon_intensity(country: str | None) -> CarbonIntensity:
    """The yearly average of a country in the table that codecarbon brings along."""
    if country is None:
        return CarbonIntensity(None, None, "the machine's country is not set (VERA_COUNTRY)")
    from codecarbon.input import DataSource  # noqa: PLC0415 - see the module's docstring

    row = DataSource().get_global_energy_mix_data().get(country)  # type: ignore[no-untyped-call] # theirs is not typed
    if row is None:
        return CarbonIntensity(None, None, f"codecarbon knows no country {country!r} (VERA_COUNTRY)")
    return CarbonIntensity(float(row["carbon_intensity"]), int(row["year"]), None)


def _why_not_believed(data: Any, *, same_host: bool) -> str | None:
    if data is None:
        return "codecarbon did not start on this machine"
    if not data.energy_consumed > 0:
        return "codecarbon read exactly 0 kWh, which no running machine uses"
    if same_host and data.gpu_count and not data.gpu_energy > 0:
        return f"codecarbon read 0 kWh for {data.gpu_model or 'the GPU'}, so the machine's total is not known"
    return None


def _believed(data: Any, part: str) -> float | None:
    value = getattr(data, part, None)
    return float(value) if value else None


@contextmanager
def _silence() -> Iterator[None]:
    """Keep codecarbon's log and warnings out of the benchmark's; it logs before its own log level is set."""
    importlib.import_module("codecarbon")  # sets its own level
    logging.getLogger("codecarbon").setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
