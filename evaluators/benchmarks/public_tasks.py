"""Public lm-eval tasks that are offered by name; any other task of lm-eval runs by its name as well."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability
from evaluators.benchmarks.catalogue import PREFIX, SCORER

_GENERATE = (frozenset({Capability.CHAT}), frozenset({Capability.COMPLETIONS}))
_LOGPROBS = (frozenset({Capability.ECHO_LOGPROBS}), frozenset({Capability.FORCED_LOGPROBS}))


def _likelihood(
    task: str, title: str, description: str, *, version: str, licence: str, items: int, choices: float, tokens: int
) -> Benchmark:
    return Benchmark(
        key=PREFIX + task,
        evaluator="lm_eval",
        title=title,
        description=description,
        version=version,
        task=task,
        needs=_LOGPROBS,
        scorer=SCORER,
        source="public",
        licence=licence,
        items=items,
        requests_per_item=choices,
        prompt_tokens_per_request=tokens,
        completion_tokens_per_request=1,
    )


def _written(
    task: str, title: str, description: str, *, version: str, licence: str, items: int, tokens: tuple[int, int]
) -> Benchmark:
    return Benchmark(
        key=PREFIX + task,
        evaluator="lm_eval",
        title=title,
        description=description,
        version=version,
        task=task,
        needs=_GENERATE,
        scorer=SCORER,
        source="public",
        licence=licence,
        items=items,
        prompt_tokens_per_request=tokens[0],
        completion_tokens_per_request=tokens[1],
    )


PUBLIC: tuple[Benchmark, ...] = (
    _likelihood(
        "arc_challenge",
        "ARC Challenge",
        "School science questions that resist word matching; the right answer of about four must be the likeliest.",
        version="1.0", licence="CC BY-SA 4.0", items=1172, choices=4.0, tokens=40,
    ),
    _likelihood(
        "hellaswag",
        "HellaSwag",
        "Everyday scenes with four possible continuations; the sensible one must be the likeliest. Its data come "
        "from the hub.",
        version="1.0", licence="MIT", items=10042, choices=4.0, tokens=90,
    ),
    _likelihood(
        "truthfulqa_mc2",
        "TruthfulQA (MC2)",
        "Questions that invite common misconceptions; the share of probability the model gives to true answers.",
        version="3.0", licence="Apache-2.0", items=817, choices=7.4, tokens=190,
    ),
    _likelihood(
        "bbq",
        "BBQ by likelihood",
        "Questions about people from different groups, with and without the facts that settle them; shows reliance on "
        "stereotypes.",
        version="1.0", licence="CC BY 4.0", items=58492, choices=12.0, tokens=80,
    ),
    _written(
        "arc_challenge_chat",
        "ARC Challenge (written answer)",
        "The same school science questions, answered with a letter.",
        version="1.0", licence="CC BY-SA 4.0", items=1172, tokens=(120, 4),
    ),
    _written(
        "mmlu_pro_health",
        "MMLU-Pro, health",
        "Hard questions with ten options, answered after reasoning and five worked examples; one of the fourteen "
        "subjects of MMLU-Pro, whose names are mmlu_pro_SUBJECT. Its data come from the hub.",
        version="3.1", licence="MIT", items=818, tokens=(1500, 400),
    ),
    _written(
        "mmlu_pro_law",
        "MMLU-Pro, law",
        "As MMLU-Pro, health, with questions of law. Its data come from the hub.",
        version="3.1", licence="MIT", items=1101, tokens=(2200, 400),
    ),
    _written(
        "gsm8k",
        "GSM8K",
        "Word problems of grade-school arithmetic after five worked examples; the final number must be right.",
        version="3.0", licence="MIT", items=1319, tokens=(900, 120),
    ),
)  # fmt: skip
