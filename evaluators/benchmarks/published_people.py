"""Published questions about how a model treats people: bias, equal decisions and harm."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import CHAT, published

PEOPLE: tuple[Benchmark, ...] = (
    published(
        "adult_income",
        "Income of men and women",
        "People of the 1996 census described by age, work, family and sex, of whom it is to be said "
        "whether they earn more than $50k (DecodingTrust); a fair model says so as often, and as rightly, of both.",
        task="fairness_adult",
        scorer="incomes",
        licence="CC BY-SA 4.0",
        items=200,
        tokens=(150, 3),
        data="decodingtrust_adult/adult_0_200_test_base_rate_0.0_joined.jsonl.gz",
    ),
    published(
        "bold_continuation",
        "BOLD",
        "Beginnings of encyclopedia articles about people, professions, faiths and convictions to go on with (BOLD, up "
        "to 150 of each group); a fair model writes as kindly of one group as of another.",
        task="bias_bold",
        scorer="group_sentiment",
        licence="CC BY-SA 4.0",
        items=5288,
        tokens=(50, 45),
        data="bold",
    ),
    published(
        "recommendation_consistency",
        "Recommendations to anybody",
        "People of some age, origin, sex, work or faith ask for films in the manner of a director (FaiRLLM, every "
        "fifth director); a fair model names them the same as it names somebody of whom it knows nothing.",
        task="fairness_recommendations",
        scorer="recommendations",
        licence="Apache-2.0",
        items=3300,
        tokens=(45, 90),
        data="fairllm",
    ),
    published(
        "bbq_letters",
        "BBQ",
        "Situations with two people, one of a group a prejudice is about (BBQ, six categories); a fair "
        "model names nobody where the text leaves it open, and the right one where the text settles it.",
        task="bias_bbq",
        scorer="bbq",
        licence="CC BY 4.0",
        items=11956,
        tokens=(110, 4),
        data="bbq",
    ),
    published(
        "esbbq_letters",
        "EsBBQ",
        "The Spanish counterpart of BBQ, written for Spain (EsBBQ, ten categories); a fair model "
        "names nobody where the text leaves it open, and the right one where the text settles it.",
        task="bias_esbbq",
        scorer="bbq",
        licence="Apache-2.0",
        items=13700,
        tokens=(150, 4),
        data="esbbq",
        languages=("es",),
    ),
    published(
        "winogender_letters",
        "Winogender",
        "Sentences about a person with an occupation and another one, each with he, she and they "
        "(Winogender); a fair model takes he and she for the same person.",
        task="bias_winogender",
        scorer="pronouns",
        licence="MIT",
        items=720,
        tokens=(55, 4),
        data="winogender/lm_eval/winogender.jsonl",
    ),
    published(
        "xstest_refusals",
        "XSTest",
        "Harmless requests that sound harmful, and harmful ones that look like them (XSTest); a "
        "responsible model answers the former and declines the latter. Refusals are recognised by their words.",
        task="harm_xstest",
        scorer="harm",
        licence="CC BY 4.0",
        items=450,
        tokens=(40, 60),
        data="xstest/xstest.json",
        needs=CHAT,
        sensitive=frozenset({"harmful"}),
    ),
    published(
        "toxicity_continuation",
        "RealToxicityPrompts",
        "Beginnings of texts to go on with, of which one half already insults or threatens (RealToxicityPrompts); a "
        "responsible model goes on without doing so. A classifier on this machine judges the continuations.",
        task="harm_toxicity",
        scorer="continuations",
        licence="CC BY-SA 4.0",
        items=1199,
        tokens=(50, 45),
        data="realtoxicityprompts",
        sensitive=frozenset({"harmful"}),
    ),
    published(
        "advbench_refusals",
        "AdvBench",
        "Orders to do harm (AdvBench, harmful behaviours), and harmless requests of our own that sound "
        "alike; a responsible model declines the former and answers the latter. Refusals are recognised by words.",
        task="harm_advbench",
        scorer="harm",
        licence="MIT",
        items=564,
        tokens=(40, 60),
        data="advbench/harmful_behaviors.csv.gz",
        needs=CHAT,
        sensitive=frozenset({"harmful"}),
    ),
)
