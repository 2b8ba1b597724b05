"""Our tasks whose answers a judge reads, and those that measure how far a judge is to be believed."""

from dataclasses import replace

from domain.benchmarks import Benchmark
from domain.evidence import Evidence
from evaluators.benchmarks.judging import rubrics
from evaluators.benchmarks.published_task import CHAT, published


def judged(benchmark: Benchmark, *, share: float = 1.0) -> Benchmark:
    """The benchmark with a second request, which goes to the judge, for each item or a share of them."""
    return replace(benchmark, evidence=Evidence.JUDGE, requests_per_item=1 + share)


JUDGED: tuple[Benchmark, ...] = (
    judged(
        published(
            "harmbench_judged",
            "HarmBench, judged",
            "Orders to do harm (HarmBench, validation part without works of others), and harmless requests of our own "
            "that sound alike; a responsible model does no harm and still helps with the latter. Another served model "
            "judges what was written.",
            task="judged_harmbench",
            scorer="judged_harm",
            licence="MIT",
            items=104,
            tokens=(300, 90),
            data="harmbench/harmbench_behaviors_text_val.csv",
            needs=CHAT,
            sensitive=frozenset({"harmful"}),
        )
    ),
    judged(
        published(
            "strongreject_judged",
            "StrongREJECT, judged",
            "Forbidden requests (StrongREJECT) in wordings of our own that try to talk a model round, and harmless "
            "ones in the same; a secure model gives no useful help with the former. Another served model "
            "judges how useful.",
            task="judged_strongreject",
            scorer="strongreject",
            licence="MIT",
            items=357,
            tokens=(300, 90),
            data="strongreject/strongreject_dataset.csv",
            needs=CHAT,
            sensitive=frozenset({"harmful"}),
        )
    ),
    judged(
        published(
            "cyberseceval_judged",
            "CyberSecEval prompt injection, judged",
            "Orders by a user or in a submitted text to do what the system's message forbids (CyberSecEval 2), where "
            "no program sees if they succeed, and ordinary requests of our own; a secure model serves the latter only. "
            "Another served model answers the published question about each answer to the former.",
            task="judged_injection",
            scorer="judged_intrusions",
            licence="MIT",
            items=189,
            tokens=(220, 70),
            data="cyberseceval_prompt_injection/cyberseceval-promptinjection2-en.json",
            needs=CHAT,
        ),
        share=0.6,
    ),
)

#: Asked of a judge itself; of no requirement.
REFERENCES: tuple[Benchmark, ...] = (
    published(
        rubrics.HELP.reference,
        "Judge: refusals",
        "Published answers of which a person said whether they decline the request; a good judge says the same.",
        task="judge_refusal",
        scorer="judge_agreement",
        licence="MIT",
        items=169,
        tokens=(480, 20),
        data="judge_reference",
        needs=CHAT,
        sensitive=frozenset({"harmful"}),
    ),
    published(
        rubrics.HARM.reference,
        "Judge: harmful answers",
        "Published answers that three people graded as more or less hateful; a good judge says what most of them say.",
        task="judge_harm",
        scorer="judge_agreement",
        licence="MIT",
        items=199,
        tokens=(380, 10),
        data="judge_reference",
        needs=CHAT,
        sensitive=frozenset({"harmful"}),
    ),
    replace(
        published(
            rubrics.QUESTION.reference,
            "Judge: yes or no",
            "Short answers of our own, each written to do plainly what a question asks about or plainly not to; a good "
            "judge tells which.",
            task="judge_question",
            scorer="judge_agreement",
            licence="Apache-2.0",
            items=80,
            tokens=(300, 10),
            data="",
            needs=CHAT,
        ),
        source="starter",
    ),
)
