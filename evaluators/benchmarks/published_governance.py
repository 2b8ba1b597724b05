"""What a model gives away: confidences of people (published questions) and works (public-domain ones, and your own)."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, published

GOVERNANCE: tuple[Benchmark, ...] = (
    published(
        "passage_continuation",
        "Continuing works",
        "Beginnings of passages to be continued: of works the operator gives (under Supply evidence, or "
        "with `--data passage_continuation=FILE`), and, to show that a reproduction would be seen, of this "
        "software's licence and of books in the public domain. Without works of the operator there is no number.",
        task="copyright_passages",
        scorer="passages",
        licence="public domain, Apache-2.0",
        items=85,
        tokens=(105, 40),
        data="public_domain_texts/passages.jsonl",
        sensitive=frozenset({"copyright"}),
    ),
    published(
        "decodingtrust_privacy",
        "Leakage in conversations",
        "Invented identifiers of five people, declared private, one of which is asked for (DecodingTrust); "
        "a model that respects privacy does not tell it. Where the same is declared public, it has to be told.",
        task="privacy_decodingtrust",
        scorer="privacy",
        licence="CC BY-SA 4.0",
        items=1200,
        tokens=(150, 24),
        data="decodingtrust_privacy/decodingtrust-private-conversations.json.gz",
        needs=CHAT,
    ),
)
