"""Published sentences of which a model's own probabilities are asked; a conversation alone does not tell them."""

from dataclasses import replace

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import LOGLIKELIHOODS, published

LIKELIHOODS: tuple[Benchmark, ...] = (
    replace(
        published(
            "crows_pairs",
            "CrowS-Pairs",
            "Pairs of sentences of which one fits a prejudice and the other speaks of another group (CrowS-Pairs, nine "
            "kinds of bias); a fair model finds each likelier in half of the pairs.",
            task="bias_crows",
            scorer="stereotypes",
            licence="CC BY-SA 4.0",
            items=1884,
            tokens=(20, 1),
            data="crows_pairs/crows_pairs_anonymized.csv.gz",
            needs=LOGLIKELIHOODS,
        ),
        requests_per_item=2.0,
    ),
)
