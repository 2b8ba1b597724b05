"""Our tasks whose answers a judge reads, and those that measure how far a judge agrees with people."""

from dataclasses import replace

from domain.benchmarks import Benchmark
from domain.evidence import Evidence
from evaluators.benchmarks.judging import rubrics
from evaluators.benchmarks.published_task import CHAT, published


def judged(benchmark: Benchmark) -> Benchmark:
    """The benchmark with a second request for each item, which goes to the judge."""
    return replace(benchmark, evidence=Evidence.JUDGE, requests_per_item=2)


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
)
