"""A model does not judge itself, whatever its address is called."""

from datetime import UTC, datetime

import pytest

from domain.endpoints import Endpoint
from jobs import judges


def served_at(base_url: str, model: str = "m") -> Endpoint:
    return Endpoint(id=base_url, name=base_url, base_url=base_url, model=model, created_at=datetime.now(UTC))


@pytest.mark.parametrize("other", ["http://localhost:8000/v1", "http://127.0.0.1:8000/v1", "http://[::1]:8000/v1"])
def test_the_loopback_addresses_of_one_port_are_one_server(other: str) -> None:
    assert judges.is_same_model(served_at("http://127.0.0.1:8000/v1"), served_at(other))


@pytest.mark.parametrize(
    ("base_url", "model"),
    [("http://127.0.0.1:8001/v1", "m"), ("http://127.0.0.1:8000/v1", "n"), ("http://gpu:8000/v1", "m")],
)
def test_another_port_host_or_model_is_another_one(base_url: str, model: str) -> None:
    assert not judges.is_same_model(served_at("http://127.0.0.1:8000/v1"), served_at(base_url, model))
