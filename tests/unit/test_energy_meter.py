"""The energy meter: honest readings, and reasons where there are none."""

import socket
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from domain.energy import EnergyLevel, EnergyReading, EnergyScope, label, total
from evaluators.energy import meter


def figures(**changes: object) -> SimpleNamespace:
    values = {
        "energy_consumed": 3e-5,
        "cpu_energy": 1e-5,
        "gpu_energy": 0.0,
        "ram_energy": 2e-5,
        "duration": 9.0,
        "gpu_count": 0,
        "gpu_model": "",
    }
    return SimpleNamespace(**(values | changes))


def reading(data: object = None, *, same_host: bool = False, country: str | None = "ESP") -> EnergyReading:
    return meter.reading_of(data, method="RAM(), CPU(Cpu Load)", same_host=same_host, country=country, seconds_run=10.0)


def test_a_tracker_that_never_started_is_a_reason_and_not_a_zero() -> None:
    missing = reading(None)
    assert missing.energy_kwh is None
    assert missing.missing_reason == "codecarbon did not start on this machine"
    assert missing.seconds_covered == 0.0


def test_exactly_zero_kwh_is_not_believed() -> None:
    assert reading(figures(energy_consumed=0.0)).energy_kwh is None


def test_a_gpu_that_reads_zero_leaves_the_total_of_the_machine_unknown() -> None:
    node = reading(figures(gpu_count=1, gpu_model="1 x Some GPU"), same_host=True)
    assert node.gpu_kwh is None
    assert node.energy_kwh is None
    assert "Some GPU" in (node.missing_reason or "")


def test_parts_that_were_not_read_are_missing_and_not_zero() -> None:
    client = reading(figures())
    assert (client.gpu_kwh, client.cpu_kwh, client.ram_kwh) == (None, 1e-5, 2e-5)
    assert client.energy_kwh == 3e-5


def test_without_a_country_there_is_energy_but_no_carbon() -> None:
    client = reading(figures(), country=None)
    assert client.energy_kwh == 3e-5
    assert client.co2_g is None
    assert "VERA_COUNTRY" in (client.carbon_missing_reason or "")


def test_an_unknown_country_is_a_reason_that_names_it() -> None:
    client = reading(figures(), country="XXX")
    assert client.co2_g is None
    assert "'XXX'" in (client.carbon_missing_reason or "")


def test_carbon_is_energy_times_the_intensity_of_the_country() -> None:
    client = reading(figures())
    assert client.carbon_g_per_kwh is not None
    assert client.co2_g == pytest.approx(3e-5 * client.carbon_g_per_kwh)
    assert client.carbon_year is not None


def test_scope_and_label_say_whether_the_model_is_included() -> None:
    node, client = reading(figures(), same_host=True), reading(figures())
    assert (node.scope, client.scope) == (EnergyScope.NODE, EnergyScope.CLIENT)
    assert node.level is client.level is EnergyLevel.CLIENT_ONLY
    assert "includes the model only if it runs on this machine" in label(node)
    assert "excludes the model" in label(client)


def test_a_label_holds_figure_method_coverage_and_carbon_in_one_line() -> None:
    text = label(reading(figures()))
    assert text.startswith("at least 30 mWh — ")
    for part in ("estimated from processor load and memory size", "90 % of the run's time covered", "g CO₂e (ESP "):
        assert part in text
    assert "\n" not in text


def test_the_label_of_a_missing_reading_is_not_measured_with_its_reason() -> None:
    assert label(reading(None)) == "not measured: codecarbon did not start on this machine"


def test_benchmarks_metered_alike_are_added_up() -> None:
    both = total([reading(figures()), reading(figures())])
    assert both is not None
    assert both.energy_kwh == pytest.approx(6e-5)
    assert both.seconds_run == 20.0
    assert both.gpu_kwh is None


def test_readings_of_two_methods_are_never_added_up() -> None:
    one = reading(figures())
    mixed = total([one, replace(one, method="RAM(), CPU(Intel Rapl)")])
    assert mixed is not None
    assert mixed.energy_kwh is None
    assert "different ways" in (mixed.missing_reason or "")


def test_a_total_with_a_missing_part_is_missing_and_says_which() -> None:
    partial = total([reading(figures()), replace(reading(None), method="RAM(), CPU(Cpu Load)")])
    assert partial is not None
    assert partial.energy_kwh is None
    assert "1 of 2 benchmarks" in (partial.missing_reason or "")
    assert total([]) is None


def test_a_real_meter_reads_this_machine_offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_network(*_args: object, **_options: object) -> None:
        raise AssertionError("the meter opened a network connection")

    monkeypatch.setattr(socket, "create_connection", no_network)
    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.chdir(tmp_path)
    with meter.Meter(same_host=True, country="ESP") as running:
        sum(range(200_000))
    read = running.reading(prompt_tokens=10, completion_tokens=2)
    assert read.energy_kwh is None or read.energy_kwh > 0
    assert (read.energy_kwh is None) == (read.missing_reason is not None)
    assert "CPU" in read.method
    assert 0 < read.coverage <= 1
    assert (read.prompt_tokens, read.completion_tokens) == (10, 2)
    assert list(tmp_path.iterdir()) == []
