"""Published problems whose answers are programs, which are run; off unless the operator allows that."""

from dataclasses import replace

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, published

#: As many as the estimate of pass@100 was made of (Chen et al. 2021, arXiv:2107.03374).
MOST_PROGRAMS = 200

CODE: tuple[Benchmark, ...] = (
    replace(
        published(
            "humaneval_sandboxed",
            "HumanEval",
            "Beginnings of Python functions with a description (HumanEval); what the model writes is run against "
            "tests, in a process that can reach neither files nor network. Off unless VERA_ALLOW_CODE=1.",
            task="code_humaneval",
            scorer="programs",
            licence="MIT",
            items=164,
            tokens=(190, 200),
            data="humaneval/HumanEval.jsonl.gz",
            needs=CHAT,
        ),
        runs_code=True,
        max_samples=MOST_PROGRAMS,
    ),
)
