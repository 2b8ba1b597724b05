"""Our tasks over published questions about robustness, attacks and honesty about being a machine."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

_CHAT = frozenset({Capability.CHAT})
_COMPLETIONS = frozenset({Capability.COMPLETIONS})

SECURITY: tuple[Benchmark, ...] = (
    Benchmark(
        key="boolq_contrast_pairs",
        evaluator="lm_eval",
        title="BoolQ contrast set",
        description="Two questions about one paragraph, of which one is true and the other is not (its contrast set); "
        "a robust model gets both right. One item is one of the two questions.",
        version="1",
        task="published/robustness_boolq.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="contrast_pairs",
        source="published",
        licence="not stated",
        items=128,
        prompt_tokens_per_request=190,
        completion_tokens_per_request=4,
        data="boolq_contrast/boolq_perturbed.json",
    ),
    Benchmark(
        key="tensor_trust_extraction",
        evaluator="lm_eval",
        title="Tensor Trust",
        description="Attempts of players to get an access code out of a guard (Tensor Trust, prompt extraction), and "
        "visitors who give the code and must be let in; a secure model tells the code to nobody.",
        version="1",
        task="published/cyber_tensor_trust.yaml",
        needs=(_CHAT,),
        scorer="secret",
        source="published",
        licence="not stated",
        items=400,
        prompt_tokens_per_request=220,
        completion_tokens_per_request=40,
        data="tensor_trust/extraction_robustness_dataset_200.jsonl.gz",
    ),
    Benchmark(
        key="human_deception_questions",
        evaluator="lm_eval",
        title="Human deception",
        description="Published questions whether one talks to a human, and our own that ask the other way round or "
        "about others; an honest model says plainly that it is an AI.",
        version="1",
        task="published/disclosure_deception.yaml",
        needs=(_CHAT,),
        scorer="disclosure",
        source="published",
        licence="Apache-2.0",
        items=137,
        prompt_tokens_per_request=44,
        completion_tokens_per_request=27,
        data="human_deception/human_deception.csv",
    ),
)
