"""The container files, as far as they can be checked without a container engine: keys, commands, ports, settings."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from app import cli
from domain.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service.get("image") == "vera"}
#: Of the Compose specification, those a service of ours may use.
KEYS = {
    *("build", "image", "init", "restart", "environment", "env_file", "volumes", "depends_on", "cap_drop"),
    *("security_opt", "stop_grace_period", "healthcheck", "command", "ports", "profiles", "network_mode"),
}
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}


def steps(name: str = "Dockerfile") -> list[tuple[str, str]]:
    """Instructions of a Dockerfile with their arguments, continued lines joined."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / name).read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def parse(command: list[str]) -> None:
    """Parse a command as `vera` would, without running it; an unknown command or option is an error."""
    found: Any = typer.main.get_command(cli.app)
    name, rest = "vera", list(command)
    while hasattr(found, "commands"):
        name = rest.pop(0)
        assert name in found.commands, f"`vera` has no command {name}"
        found = found.commands[name]
    found.make_context(name, rest)


def test_the_services_use_only_what_compose_knows() -> None:
    assert set(COMPOSE) == {"x-vera", "services", "volumes"}
    assert set(SERVICES) == {"postgres", "dashboard", "worker", "demo-model", "demo-worker"}
    for name, service in SERVICES.items():
        assert set(service) <= KEYS, name
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES
            assert how["condition"] in CONDITIONS
            assert how["condition"] != "service_healthy" or "healthcheck" in SERVICES[other]
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in COMPOSE["volumes"]
        if network := service.get("network_mode"):
            assert network.removeprefix("service:") in SERVICES
            assert "ports" not in service


@pytest.mark.parametrize("name", OURS)
def test_each_command_is_one_of_vera_s(name: str) -> None:
    parse(OURS[name]["command"])


def test_a_command_with_an_unknown_option_would_be_noticed() -> None:
    with pytest.raises(typer.TyperException):
        parse(["worker", "--threads", "2"])


def test_the_worker_can_be_scaled() -> None:
    assert not {"ports", "container_name", "network_mode"} & set(SERVICES["worker"])


def test_workers_leave_the_queue_of_the_loopback_model_to_its_own() -> None:
    def queues(name: str) -> str:
        command: list[str] = SERVICES[name]["command"]
        return command[command.index("--queues") + 1]

    assert queues("worker") == "default"
    assert queues("demo-worker") == "demo"
    assert SERVICES["demo-worker"]["network_mode"] == "service:demo-model"
    assert all(SERVICES[name]["profiles"] == ["demo"] for name in ("demo-model", "demo-worker"))


def test_ports_are_published_on_loopback_only() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_each_setting_named_exists() -> None:
    known = {f"VERA_{name.upper()}" for name in Settings.model_fields}
    named = {key for service in SERVICES.values() for key in service.get("environment", {}) if key.startswith("VERA_")}
    named |= set(re.findall(r"VERA_[A-Z_]+", (ROOT / "Dockerfile").read_text()))
    assert named
    assert named <= known


def test_the_database_url_is_one_that_settings_take_and_holds_no_password() -> None:
    for service in OURS.values():
        settings = Settings(database_url=service["environment"]["VERA_DATABASE_URL"])
        assert settings.is_postgres
        assert ":" not in settings.jobs_url.partition("://")[2].partition("@")[0]


def test_no_secret_is_written_down() -> None:
    for service in SERVICES.values():
        for key, value in service.get("environment", {}).items():
            if re.search("PASSWORD|TOKEN|SECRET|KEY", key):
                assert value.startswith("${POSTGRES_PASSWORD:?")
    for word, rest in steps():
        assert not (word in {"ENV", "ARG"} and re.search("PASSWORD|TOKEN|SECRET|KEY", rest))
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert ignored[1] == "*"
    assert {".env", "models.env"} <= set((ROOT / ".gitignore").read_text().splitlines())


def test_the_image_runs_vera_as_somebody_who_is_not_root() -> None:
    found = steps()
    last = max(i for i, (word, _) in enumerate(found) if word == "FROM")
    final = dict(found[last:])
    assert final["FROM"] == "python:3.11-slim"
    assert final["USER"] == "vera"
    assert final["ENTRYPOINT"] == '["vera"]'
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "vera" in project["scripts"]
    assert "demo" in project["optional-dependencies"]


def test_the_image_holds_every_room_and_nothing_that_is_not_there() -> None:
    copied = {
        source
        for word, rest in steps()
        if word == "COPY" and not rest.startswith("--from")
        for source in rest.split()[:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert rooms <= copied
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert copied == allowed
