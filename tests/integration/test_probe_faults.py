"""The probe believes what it saw: what is missing is a finding, what is false is caught, a dead end one sentence."""

import zlib

import pytest
from fakes.asking import endpoint
from fakes.openai_server import FakeServer

from domain.endpoints import Capabilities, Capability
from domain.errors import EndpointRefused, EndpointUnreachable
from evaluators.endpoints import probe_questions
from evaluators.endpoints.probe import probe

ALL = set(Capability)


def _probe(mode: str, **changes: object) -> Capabilities:
    with FakeServer(mode) as server:
        return probe(endpoint(server.base_url, **changes), api_key=None)


def _having(found: Capabilities) -> set[Capability]:
    return {capability for capability in Capability if found.has(capability)}


@pytest.mark.parametrize(
    ("mode", "lacks"),
    [
        ("ok", {Capability.IMAGES}),
        ("forced", {Capability.IMAGES, Capability.ECHO_LOGPROBS}),
        ("forced_biased", {Capability.IMAGES, Capability.ECHO_LOGPROBS, Capability.FORCED_LOGPROBS}),
        ("bias_ignored", {Capability.IMAGES, Capability.FORCED_LOGPROBS}),
        ("echo", {Capability.IMAGES, Capability.FORCED_LOGPROBS, Capability.TOKENIZE}),
        ("bos_adding", {Capability.IMAGES, Capability.FORCED_LOGPROBS, Capability.TOKENIZE}),
        ("no_echo", {Capability.IMAGES, Capability.ECHO_LOGPROBS, Capability.FORCED_LOGPROBS, Capability.TOKENIZE}),
        ("shifted", {Capability.IMAGES, Capability.ECHO_LOGPROBS}),
        (
            "chat_only",
            ALL - {Capability.CHAT, Capability.REPEATABLE, Capability.STOP_STRINGS, Capability.SYSTEM_PROMPT},
        ),
        ("random_letter", {Capability.IMAGES, Capability.SYSTEM_PROMPT, Capability.STOP_STRINGS}),
    ],
)
def test_it_finds_just_what_the_server_can_do(mode: str, lacks: set[Capability]) -> None:
    found = _probe(mode)
    assert ALL - _having(found) == lacks
    assert [finding.capability for finding in found.findings].count(Capability.CHAT) == 1
    assert len(found.findings) == len(Capability)


def test_each_finding_says_what_was_asked_what_came_and_what_follows() -> None:
    for finding in _probe("chat_only").findings:
        assert finding.asked
        assert finding.answered
        assert finding.reason.endswith(".")


def test_an_endpoint_that_ignores_echo_is_caught_by_the_length() -> None:
    finding = _probe("no_echo").finding(Capability.ECHO_LOGPROBS)
    assert finding is not None
    assert finding.available is False
    assert "not echoed" in finding.reason


def test_log_probabilities_from_after_the_bias_are_caught() -> None:
    finding = _probe("forced_biased").finding(Capability.FORCED_LOGPROBS)
    assert finding is not None
    assert finding.available is False
    assert "-0.0000 forced" in finding.answered


def test_an_endpoint_that_answers_with_nothing_has_no_usable_chat() -> None:
    found = _probe("empty")
    chat = found.finding(Capability.CHAT)
    assert chat is not None
    assert chat.available is None
    assert "empty text" in chat.reason


def test_a_picture_that_is_taken_but_not_seen_is_undecided() -> None:
    finding = _probe("ok").finding(Capability.IMAGES)
    assert finding is not None
    assert finding.available is None


def test_a_model_that_names_the_colour_sees_pictures() -> None:
    def answerer(prompt: str, _system: str) -> str:
        return "Red." if "colour" in prompt else "Some words of text."

    with FakeServer("ok", answerer=answerer) as server:
        assert probe(endpoint(server.base_url), api_key=None).has(Capability.IMAGES)


def test_a_model_that_varies_is_not_repeatable() -> None:
    count = iter(range(100))
    with FakeServer("ok", answerer=lambda _prompt, _system: f"Some answer, number {next(count)}.") as server:
        finding = probe(endpoint(server.base_url), api_key=None).finding(Capability.REPEATABLE)
    assert finding is not None
    assert finding.available is False


def test_facts_of_the_server_and_its_speed_are_noted() -> None:
    found = _probe("ok", max_in_flight=4)
    assert (found.context_length, found.served_model, found.endpoint_id) == (4096, "fake-model", "e1")
    assert all(rate and rate > 0 for rate in (found.requests_per_s, found.prompt_tokens_per_s))


@pytest.mark.parametrize("mode", ["unauthorised", "error_body_200", "server_error", "not_json", "null_content"])
def test_an_endpoint_that_answers_nothing_is_refused_in_one_sentence(mode: str) -> None:
    if mode == "null_content":  # completions still answer
        assert _probe(mode).has(Capability.COMPLETIONS)
        return
    with pytest.raises(EndpointRefused) as caught:
        _probe(mode)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("mode", ["hang"])
def test_an_endpoint_that_hangs_is_unreachable(mode: str) -> None:
    with pytest.raises(EndpointUnreachable, match="time limit"):
        _probe(mode, timeout_s=0.3)


def test_a_dead_port_is_unreachable() -> None:
    with FakeServer("ok") as server:
        base_url = server.base_url
    with pytest.raises(EndpointUnreachable, match="does not answer"):
        probe(endpoint(base_url), api_key=None)


def test_the_picture_is_a_picture() -> None:
    data = probe_questions.png((255, 0, 0), side=2)
    start = data.index(b"IDAT") + 4
    rows = zlib.decompress(data[start : data.index(b"IEND") - 8])
    assert rows == b"\x00\xff\x00\x00\xff\x00\x00" * 2
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
