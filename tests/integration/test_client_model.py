"""On the real embedded model: forced values equal natural ones, the probe finds the truth, letters have a mass."""

import math

import pytest
from fakes.asking import MOMENT

from domain.answers import Answer, MemoryAnswers, Request
from domain.benchmarks import Method
from domain.endpoints import Capability, Endpoint
from evaluators.endpoints import addresses, forced, logprobs
from evaluators.endpoints.client import Client
from evaluators.endpoints.probe import probe
from evaluators.endpoints.tokens import Tokenizer

pytestmark = [pytest.mark.model, pytest.mark.slow]
CONTEXT = "The capital of France is"


@pytest.fixture
def served(model_server: str) -> Endpoint:
    found = addresses.discover(model_server)
    return Endpoint(id="m", name="embedded", base_url=found.base_url, model=found.models[0], created_at=MOMENT)


def test_the_probe_finds_what_the_embedded_model_can_do(served: Endpoint) -> None:
    found = probe(served, api_key=None)
    having = {capability for capability in Capability if found.has(capability)}
    assert having >= {
        Capability.CHAT, Capability.COMPLETIONS, Capability.FORCED_LOGPROBS, Capability.TOP_LOGPROBS,
        Capability.TOKENIZE, Capability.STOP_STRINGS,
    }  # fmt: skip
    assert not having & {Capability.ECHO_LOGPROBS, Capability.IMAGES, Capability.EMBEDDINGS, Capability.RERANK}
    assert found.server == "llama.cpp"
    assert found.context_length
    assert found.requests_per_s


def test_forced_values_equal_the_natural_ones(served: Endpoint) -> None:
    client = Client(served, api_key=None, answers=MemoryAnswers())
    ids = Tokenizer(client).encode([CONTEXT], special=True)[CONTEXT]
    assert ids
    natural: list[tuple[int, float]] = []

    def look(_request: Request, answer: Answer, body: object) -> Answer:
        natural.extend(forced.top_ids(body))  # type: ignore[arg-type]
        return answer

    client.ask([forced.request(served.model, ids, None, logprobs=5)], check=look)
    scored = forced.score(client, [(ids, (token,)) for token, _ in natural])
    assert len(natural) == 5
    assert [s.value for s in scored] == pytest.approx([value for _, value in natural], abs=0.01)
    assert [s.is_greedy for s in scored] == [True, False, False, False, False]


def test_a_sensible_continuation_is_likelier_than_an_absurd_one(served: Endpoint) -> None:
    client = Client(served, api_key=None, answers=MemoryAnswers())
    found = probe(served, api_key=None)
    method = logprobs.method_for(found)
    assert method is Method.LOGLIKELIHOOD_FORCED
    pairs = [(CONTEXT, " Paris"), (CONTEXT, " banana"), (f"{CONTEXT} ", "Paris")]
    paris, banana, moved = logprobs.score_continuations(client, found, pairs, method=method)
    assert (paris.value or 0.0) > (banana.value or 0.0) + math.log(100)
    assert moved.value == pytest.approx(paris.value, abs=0.01)
    (text,) = logprobs.rolling(client, found, [f"{CONTEXT} Paris"], method=method)
    assert (text.value or 0.0) < (paris.value or 0.0)
