"""Published questions about what a model knows and can do, and how well it knows that."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

_CHAT = frozenset({Capability.CHAT})
_TEXT = (_CHAT, frozenset({Capability.COMPLETIONS}))
_TOP_LOGPROBS = (frozenset({Capability.CHAT, Capability.TOP_LOGPROBS}),)
_MMLU = "mmlu/lm_eval"

CAPABILITY: tuple[Benchmark, ...] = (
    Benchmark(
        key="mmlu_letters",
        evaluator="lm_eval",
        title="MMLU",
        description="Exam questions with four options, six medical subjects and a sample of all (MMLU); a good model "
        "names the right letter.",
        version="1",
        task="published/capability_mmlu.yaml",
        needs=_TEXT,
        scorer="knowledge",
        source="published",
        licence="MIT",
        items=1509,
        prompt_tokens_per_request=150,
        completion_tokens_per_request=4,
        data=_MMLU,
    ),
    Benchmark(
        key="arc_letters",
        evaluator="lm_eval",
        title="ARC challenge",
        description="School questions of natural science that neither retrieval nor word statistics answers (ARC "
        "challenge); a good model names the right letter.",
        version="1",
        task="published/capability_arc.yaml",
        needs=_TEXT,
        scorer="knowledge",
        source="published",
        licence="CC BY-SA 4.0",
        items=600,
        prompt_tokens_per_request=90,
        completion_tokens_per_request=4,
        data="arc_challenge/lm_eval/arc_challenge.jsonl.gz",
    ),
    Benchmark(
        key="gsm8k_number",
        evaluator="lm_eval",
        title="GSM8K",
        description="Word problems of primary school with several steps (GSM8K, test split); a good model ends with "
        "the exact number.",
        version="1",
        task="published/capability_gsm8k.yaml",
        needs=_TEXT,
        scorer="arithmetic",
        source="published",
        licence="MIT",
        items=1319,
        prompt_tokens_per_request=100,
        completion_tokens_per_request=160,
        data="gsm8k/test.jsonl.gz",
    ),
    Benchmark(
        key="mmlu_calibration",
        evaluator="lm_eval",
        title="Calibration on MMLU",
        description="Exam questions of MMLU; a calibrated model is right as often as the probability of its "
        "letters says.",
        version="1",
        task="published/calibration_mmlu.yaml",
        needs=_TOP_LOGPROBS,
        scorer="calibration",
        source="published",
        licence="MIT",
        items=1509,
        prompt_tokens_per_request=150,
        completion_tokens_per_request=1,
        data=_MMLU,
    ),
    Benchmark(
        key="mmlu_calibration_verbal",
        evaluator="lm_eval",
        title="Calibration on MMLU as stated",
        description="The same questions, where the model writes how sure it is; for servers that show no "
        "probabilities. Not comparable with calibration by probabilities.",
        version="1",
        task="published/calibration_verbal_mmlu.yaml",
        needs=(_CHAT,),
        scorer="calibration_verbal",
        source="published",
        licence="MIT",
        items=1509,
        prompt_tokens_per_request=170,
        completion_tokens_per_request=12,
        data=_MMLU,
    ),
)
