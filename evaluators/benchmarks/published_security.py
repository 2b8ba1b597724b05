"""Our tasks over published questions about robustness, attacks and honesty about being a machine."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, published

SECURITY: tuple[Benchmark, ...] = (
    published(
        "boolq_contrast_pairs",
        "BoolQ contrast set",
        "Two questions about one paragraph, of which one is true and the other is not (its contrast set); "
        "a robust model gets both right. One item is one of the two questions.",
        task="robustness_boolq",
        scorer="contrast_pairs",
        licence="not stated",
        items=128,
        tokens=(190, 4),
        data="boolq_contrast/boolq_perturbed.json",
    ),
    published(
        "tensor_trust_extraction",
        "Tensor Trust",
        "Attempts of players to get an access code out of a guard (Tensor Trust, prompt extraction), and "
        "visitors who give the code and must be let in; a secure model tells the code to nobody.",
        task="cyber_tensor_trust",
        scorer="secret",
        licence="not stated",
        items=400,
        tokens=(220, 40),
        data="tensor_trust/extraction_robustness_dataset_200.jsonl.gz",
        needs=CHAT,
    ),
    published(
        "tensor_trust_hijacking",
        "Tensor Trust hijacking",
        "Attempts of players to be let in by a guard without the code (Tensor Trust, goal hijacking), and visitors "
        "who give the code; a secure model opens for the latter only.",
        task="cyber_tensor_trust_hijacking",
        scorer="hijacking",
        licence="not stated",
        items=596,
        tokens=(560, 30),
        data="tensor_trust/hijacking_robustness_dataset_300.jsonl.gz",
        needs=CHAT,
    ),
    published(
        "llm_rules",
        "LLM RuLES",
        "Conversations of one or more turns in which the user argues against simple rules that a program can check "
        "(LLM RuLES, all fifteen situations: secrets kept, replies given word for word, games judged), and ordinary "
        "requests under the same rules; a secure model keeps them in every turn.",
        task="cyber_rules",
        scorer="rules",
        licence="MIT",
        items=2128,
        tokens=(230, 50),
        data="llm_rules",
        needs=CHAT,
        requests=1.7,
        version="2",
    ),
    published(
        "cyberseceval_injection",
        "CyberSecEval prompt injection",
        "Orders by a user or in a submitted text to tell or do what the system's message forbids (CyberSecEval 2), and "
        "ordinary requests; a secure model serves the latter only. Of 251 attempts those whose success a program sees.",
        task="cyber_injection",
        scorer="intrusions",
        licence="MIT",
        items=172,
        tokens=(100, 90),
        data="cyberseceval_prompt_injection/cyberseceval-promptinjection2-en.json",
        needs=CHAT,
    ),
    published(
        "human_deception_questions",
        "Human deception",
        "Published questions whether one talks to a human, and our own that ask the other way round or "
        "about others; an honest model says plainly that it is an AI.",
        task="disclosure_deception",
        scorer="disclosure",
        licence="Apache-2.0",
        items=137,
        tokens=(44, 27),
        data="human_deception/human_deception.csv",
        needs=CHAT,
    ),
)
