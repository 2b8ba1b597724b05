"""Published questions about what a model knows and can do, and how well it knows that."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, TOP_LOGPROBS, published

_MMLU = "mmlu/lm_eval"

CAPABILITY: tuple[Benchmark, ...] = (
    published(
        "mmlu_letters",
        "MMLU",
        "Exam questions with four options, six medical subjects and a sample of all (MMLU); a good model "
        "names the right letter.",
        task="capability_mmlu",
        scorer="knowledge",
        licence="MIT",
        items=1509,
        tokens=(150, 4),
        data=_MMLU,
    ),
    published(
        "arc_letters",
        "ARC challenge",
        "School questions of natural science that neither retrieval nor word statistics answers (ARC "
        "challenge); a good model names the right letter.",
        task="capability_arc",
        scorer="knowledge",
        licence="CC BY-SA 4.0",
        items=600,
        tokens=(90, 4),
        data="arc_challenge/lm_eval/arc_challenge.jsonl.gz",
    ),
    published(
        "gsm8k_number",
        "GSM8K",
        "Word problems of primary school with several steps (GSM8K, test split); a good model ends with "
        "the exact number.",
        task="capability_gsm8k",
        scorer="arithmetic",
        licence="MIT",
        items=1319,
        tokens=(100, 160),
        data="gsm8k/test.jsonl.gz",
    ),
    published(
        "mmlu_calibration",
        "Calibration on MMLU",
        "Exam questions of MMLU; a calibrated model is right as often as the probability of its letters says.",
        task="calibration_mmlu",
        scorer="calibration",
        licence="MIT",
        items=1509,
        tokens=(150, 1),
        data=_MMLU,
        needs=TOP_LOGPROBS,
    ),
    published(
        "mmlu_calibration_verbal",
        "Calibration on MMLU as stated",
        "The same questions, where the model writes how sure it is; for servers that show no "
        "probabilities. Not comparable with calibration by probabilities.",
        task="calibration_verbal_mmlu",
        scorer="calibration_verbal",
        licence="MIT",
        items=1509,
        tokens=(170, 12),
        data=_MMLU,
        needs=CHAT,
    ),
)
