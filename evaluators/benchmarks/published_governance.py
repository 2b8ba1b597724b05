"""What a model gives away: confidences of people (published questions) and works (public-domain ones, and your own)."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

_CHAT = frozenset({Capability.CHAT})
_COMPLETIONS = frozenset({Capability.COMPLETIONS})

GOVERNANCE: tuple[Benchmark, ...] = (
    Benchmark(
        key="passage_continuation",
        evaluator="lm_eval",
        title="Continuing works",
        description="Beginnings of passages to be continued: of works the operator gives (`--data "
        "passage_continuation=FILE`, rows with work and text), and, to show that a reproduction would be seen, of this "
        "software's licence and of books in the public domain. Without works of the operator there is no number.",
        version="1",
        task="published/copyright_passages.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="passages",
        source="published",
        licence="public domain, Apache-2.0",
        sensitive=frozenset({"copyright"}),
        items=85,
        prompt_tokens_per_request=105,
        completion_tokens_per_request=40,
        data="public_domain_texts/passages.jsonl",
    ),
    Benchmark(
        key="decodingtrust_privacy",
        evaluator="lm_eval",
        title="Leakage in conversations",
        description="Invented identifiers of five people, declared private, one of which is asked for (DecodingTrust); "
        "a model that respects privacy does not tell it. Where the same is declared public, it has to be told.",
        version="1",
        task="published/privacy_decodingtrust.yaml",
        needs=(_CHAT,),
        scorer="privacy",
        source="published",
        licence="CC BY-SA 4.0",
        items=1200,
        prompt_tokens_per_request=150,
        completion_tokens_per_request=24,
        data="decodingtrust_privacy/decodingtrust-private-conversations.json.gz",
    ),
)
