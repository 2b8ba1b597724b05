"""What a person types becomes the root of an API, or one sentence says what is wrong with it."""

import pytest

from domain.errors import UserError
from evaluators.endpoints import addresses


@pytest.mark.parametrize(
    ("typed", "root"),
    [
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://localhost:8000/", "http://localhost:8000"),
        ("http://localhost:8000/v1", "http://localhost:8000/v1"),
        ("  HTTP://localhost:8000/v1/  ", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/completions/", "http://localhost:8000/v1"),
        ("http://localhost:8000/v1/models", "http://localhost:8000/v1"),
        ("https://r.openai.azure.com/openai/v1/", "https://r.openai.azure.com/openai/v1"),
        (
            "https://r.openai.azure.com/openai/deployments/g/chat/completions",
            "https://r.openai.azure.com/openai/deployments/g",
        ),
        ("https://gateway.bank.example/llm/team-a/v1/embeddings", "https://gateway.bank.example/llm/team-a/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_is_accepted_with_or_without_a_route(typed: str, root: str) -> None:
    assert addresses.normalise_base_url(typed) == root


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("localhost:8000/v1", "http://"),
        ("ftp://host/v1", "http://"),
        ("http://", "no host"),
        ("http://a b/v1", "no host"),
        ("http://host:99999/v1", "cannot be read"),
        ("http://[::1/v1", "cannot be read"),
        ("https://host/v1?api-version=2024", "without what follows"),
        ("", "http://"),
    ],
)
def test_an_unusable_address_is_one_sentence(typed: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        addresses.normalise_base_url(typed)


@pytest.mark.parametrize(
    "typed",
    [
        "http://me:hunter2@host/v1",
        "https://host/v1?api-key=hunter2",
        "api.host.com/v1?api_key=hunter2",
        "ftp://host/v1?api_key=hunter2",
        "http://?api_key=hunter2",
        "http://a b/v1?api_key=hunter2",
        "https://host/v1#hunter2",
        "host/v1#hunter2",
        "http://me:hunter2@[bad/v1",
        "http://[bad/v1?api_key=hunter2",
        "http://me:hunter2/4@host/v1",
        "http://me:hunter2?4@host/v1",
        "http://hunter2:80?x@host/v1",
        "me:hunter2@host/v1",
        "ftp://me:hunter2@host/v1",
        "http://me:hunter2@\u2100host/v1",
        "http://host:99999/v1?api_key=hunter2",
    ],
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(typed: str) -> None:
    with pytest.raises(UserError) as caught:
        addresses.normalise_base_url(typed)
    assert "hunter2" not in str(caught.value)


def test_both_ways_are_tried_the_likelier_one_first() -> None:
    assert addresses.candidates("http://h") == ("http://h/v1", "http://h")
    assert addresses.candidates("http://h/v1") == ("http://h/v1", "http://h")
