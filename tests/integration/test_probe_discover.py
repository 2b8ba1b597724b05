"""An address is tried with and without /v1; what is wrong is one sentence."""

import pytest
from fakes.openai_server import FakeServer

from domain.errors import EndpointRefused, EndpointUnreachable
from evaluators.endpoints import addresses


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/chat/completions", "/v1/completions", "/v1/models"])
def test_the_root_of_the_api_is_found_from_any_form_of_its_address(path: str) -> None:
    with FakeServer("ok") as server:
        found = addresses.discover(server.url + path, model="fake-model")
        assert found.base_url == server.base_url
    assert found.models == ("fake-model",)


def test_an_unknown_model_is_told_the_known_ones() -> None:
    with FakeServer("ok", model="mistral-small") as server, pytest.raises(EndpointRefused) as caught:
        addresses.discover(server.url, model="gpt-5")
    assert "'gpt-5'" in str(caught.value)
    assert "it serves: mistral-small" in str(caught.value)


def test_a_server_without_a_model_list_is_found_by_asking_the_model() -> None:
    with FakeServer("no_models") as server:
        found = addresses.discover(server.url, model="fake-model")
        assert found == addresses.Discovered(base_url=server.base_url, models=(), server=None)


@pytest.mark.parametrize(
    ("mode", "path", "says"),
    [
        ("unauthorised", "", "refuses requests without a key"),
        ("ok", "/other", "no OpenAI-compatible API at this path"),
        ("web_page", "", "web page"),
        ("models_error", "", "the model list is broken"),
        ("models_redirect", "", "leads on to"),
    ],
)
def test_a_refusal_is_one_clear_sentence(mode: str, path: str, says: str) -> None:
    with FakeServer(mode) as server, pytest.raises(EndpointRefused, match=says) as caught:
        addresses.discover(server.url + path)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://127.0.0.1:1/v1", "does not answer: no connection to 127.0.0.1:1 \\(connection refused\\)"),
        ("http://no-such-host.invalid/v1", "the name no-such-host.invalid is not known"),
    ],
)
def test_an_address_where_nobody_answers_is_one_clear_sentence(url: str, says: str) -> None:
    with pytest.raises(EndpointUnreachable, match=says):
        addresses.discover(url)


def test_https_to_a_plain_server_says_so() -> None:
    with FakeServer("ok") as server, pytest.raises(EndpointUnreachable, match="or whether it is http://"):
        addresses.discover(server.url.replace("http:", "https:"))
