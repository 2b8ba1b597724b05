"""What a server tells of its weights: the same in every probe of the same ones, and never its own version."""

from typing import Any

import pytest
from fakes.asking import endpoint
from fakes.openai_server import FakeServer

from domain.endpoints import Capabilities
from evaluators.endpoints.probe import probe

META = {"n_params": 134515008, "size": 96576768, "ftype": "Q4_1", "n_vocab": 49152, "n_embd": 576, "n_ctx": 2048}


def probed(**told: Any) -> Capabilities:
    with FakeServer("chat_only", **told) as server:
        return probe(endpoint(server.base_url), api_key=None)


def llama_cpp(path: str = "/models/small.gguf", build: str = "b6558-0a1b2c3d", **meta: Any) -> Capabilities:
    return probed(
        entry={"owned_by": "llamacpp", "meta": META | meta},
        told={"system_fingerprint": build},
        pages={"props": {"model_path": path}},
    )


def test_the_weights_of_llama_cpp_are_described_by_file_size_and_shape() -> None:
    found = llama_cpp()
    assert found.fingerprint is not None
    assert found.fingerprint.startswith("small.gguf, 134515008 parameters, 96576768 bytes, Q4_1, ")
    assert found.server == "llama.cpp b6558-0a1b2c3d"


def test_another_build_or_context_of_the_same_weights_is_no_other_model() -> None:
    assert llama_cpp().weights == llama_cpp(build="b7000-ffffffff", n_ctx=512).weights


@pytest.mark.parametrize(
    "other", [{"path": "/models/tuned/small.gguf"}, {"size": 96576769}, {"n_params": 5}, {"ftype": "Q8_0"}]
)
def test_other_weights_behind_the_same_name_are_told_apart(other: dict[str, Any]) -> None:
    assert llama_cpp(**other).weights != llama_cpp().weights


def test_ollama_tells_the_hash_of_a_model() -> None:
    tags = {"models": [{"name": "other", "digest": "f" * 64}, {"name": "fake-model:latest", "digest": "a1" * 32}]}
    found = probed(entry={"owned_by": "library"}, told={"system_fingerprint": "fp_ollama"}, pages={"api/tags": tags})
    assert (found.fingerprint, found.server) == ("digest a1a1a1a1a1a1a1a1", "ollama fp_ollama")


def test_a_build_alone_says_nothing_of_the_weights() -> None:
    assert probed(told={"system_fingerprint": "b6558-0a1b2c3d"}).fingerprint is None
    assert probed(told={"system_fingerprint": "fp_ollama"}).fingerprint is None


def test_another_server_s_fingerprint_is_taken_as_it_is() -> None:
    assert probed(told={"system_fingerprint": "fp_44709d6fcb"}).weights == "fake-model · fp_44709d6fcb"


@pytest.mark.parametrize("odd", [5, [], "", {"n_params": None}, None])
def test_a_description_in_an_odd_shape_is_none(odd: Any) -> None:
    tags = {"models": [5, {"name": "fake-model", "digest": 7}]}
    found = probed(entry={"meta": odd}, told={"system_fingerprint": 5}, pages={"props": {}, "api/tags": tags})
    assert found.fingerprint is None
