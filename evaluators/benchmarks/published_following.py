"""Published requests with instructions that a program can check."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, published

FOLLOWING: tuple[Benchmark, ...] = (
    published(
        "ifeval_strict",
        "IFEval",
        "Requests with instructions a program can check, such as a number of words or no commas (IFEval, without the "
        "31 that ask for another language); a capable model follows every one of them.",
        task="following_ifeval",
        scorer="verifiable",
        licence="Apache-2.0",
        items=510,
        tokens=(60, 350),
        data="ifeval/lm_eval/ifeval.jsonl.gz",
        needs=CHAT,
    ),
)
