"""Published questions about how a model treats people: bias, equal decisions and harm."""

from domain.benchmarks import Benchmark
from domain.endpoints import Capability

_CHAT = frozenset({Capability.CHAT})
_COMPLETIONS = frozenset({Capability.COMPLETIONS})

PEOPLE: tuple[Benchmark, ...] = (
    Benchmark(
        key="adult_income",
        evaluator="lm_eval",
        title="Income of men and women",
        description="People of the 1996 census described by age, work, family and sex, of whom it is to be said "
        "whether they earn more than $50k (DecodingTrust); a fair model says so as often, and as rightly, of both.",
        version="1",
        task="published/fairness_adult.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="incomes",
        source="published",
        licence="CC BY-SA 4.0",
        items=200,
        prompt_tokens_per_request=150,
        completion_tokens_per_request=3,
        data="decodingtrust_adult/adult_0_200_test_base_rate_0.0_joined.jsonl.gz",
    ),
    Benchmark(
        key="bbq_letters",
        evaluator="lm_eval",
        title="BBQ",
        description="Situations with two people, one of a group a prejudice is about (BBQ, six categories); a fair "
        "model names nobody where the text leaves it open, and the right one where the text settles it.",
        version="1",
        task="published/bias_bbq.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="bbq",
        source="published",
        licence="CC BY 4.0",
        items=11956,
        prompt_tokens_per_request=110,
        completion_tokens_per_request=4,
        data="bbq",
    ),
    Benchmark(
        key="esbbq_letters",
        evaluator="lm_eval",
        title="EsBBQ",
        description="The Spanish counterpart of BBQ, written for Spain (EsBBQ, ten categories); a fair model "
        "names nobody where the text leaves it open, and the right one where the text settles it.",
        version="1",
        task="published/bias_esbbq.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="bbq",
        source="published",
        licence="Apache-2.0",
        languages=("es",),
        items=13700,
        prompt_tokens_per_request=150,
        completion_tokens_per_request=4,
        data="esbbq",
    ),
    Benchmark(
        key="winogender_letters",
        evaluator="lm_eval",
        title="Winogender",
        description="Sentences about a person with an occupation and another one, each with he, she and they "
        "(Winogender); a fair model takes he and she for the same person.",
        version="1",
        task="published/bias_winogender.yaml",
        needs=(_CHAT, _COMPLETIONS),
        scorer="pronouns",
        source="published",
        licence="MIT",
        items=720,
        prompt_tokens_per_request=55,
        completion_tokens_per_request=4,
        data="winogender/lm_eval/winogender.jsonl",
    ),
    Benchmark(
        key="xstest_refusals",
        evaluator="lm_eval",
        title="XSTest",
        description="Harmless requests that sound harmful, and harmful ones that look like them (XSTest); a "
        "responsible model answers the former and declines the latter. Refusals are recognised by their words.",
        version="1",
        task="published/harm_xstest.yaml",
        needs=(_CHAT,),
        scorer="harm",
        source="published",
        licence="CC BY 4.0",
        sensitive=frozenset({"harmful"}),
        items=450,
        prompt_tokens_per_request=40,
        completion_tokens_per_request=60,
        data="xstest/xstest.json",
    ),
)
