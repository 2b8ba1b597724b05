"""The API key is in the request's header and nowhere else."""

import logging

import pytest
from fakes.asking import client, endpoint, question
from fakes.openai_server import FakeServer

from domain.answers import MemoryAnswers
from domain.errors import UserError
from evaluators.endpoints import addresses
from evaluators.endpoints.probe import probe

KEY = "sk-very-secret-0123456789"


def test_the_key_is_sent_as_a_bearer_token() -> None:
    with FakeServer("ok", api_key=KEY) as server:
        (answer,) = client(server.base_url, api_key=KEY).ask([question(1)])
    assert answer.text == "5"


def test_no_key_sends_no_header() -> None:
    with FakeServer("ok") as server:
        client(server.base_url).ask([question(1)])
    assert "Authorization" not in server.headers[0]


def test_the_key_is_not_in_a_repr() -> None:
    assert KEY not in repr(client("http://h/v1", api_key=KEY))


@pytest.mark.parametrize("mode", ["unauthorised", "server_error", "error_body_200", "flaky", "hang"])
def test_the_key_is_in_no_answer_and_in_no_log(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    kept = MemoryAnswers()
    with FakeServer(mode, p=1.0) as server:
        answers = client(server.base_url, answers=kept, api_key=KEY, timeout_s=0.2).ask([question(1)])
    assert KEY not in repr(answers)
    assert KEY not in repr(kept)
    assert KEY not in caplog.text


def test_the_key_is_in_no_error_of_a_probe() -> None:
    with FakeServer("unauthorised") as server:
        with pytest.raises(UserError) as probed:
            probe(endpoint(server.base_url), api_key=KEY)
        with pytest.raises(UserError) as discovered:
            addresses.discover(server.url, api_key=KEY)
    for caught in (probed, discovered):
        assert KEY not in str(caught.value)
        assert KEY not in repr(caught.value.__cause__) + repr(caught.value.__context__)


def test_a_redirect_does_not_carry_the_key_away() -> None:
    with FakeServer("redirect") as server:
        (answer,) = client(server.base_url, api_key=KEY).ask([question(1)])
    assert len(server.requests) == 1
    assert "leads on to" in (answer.error or "")
