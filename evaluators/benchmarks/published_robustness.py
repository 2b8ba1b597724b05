"""Published questions whose answer must change with the facts, and must not change with anything else."""

from domain.benchmarks import Benchmark
from evaluators.benchmarks.published_task import published

ROBUSTNESS: tuple[Benchmark, ...] = (
    published(
        "imdb_contrast_pairs",
        "IMDb contrast set",
        "Reviews of films, each also with a few words changed so that it says the opposite (its contrast set); a "
        "robust model tells both for what they are. One item is one of the two reviews.",
        task="robustness_imdb",
        scorer="sentiment_pairs",
        licence="not stated",
        items=1176,
        tokens=(260, 4),
        data="imdb_contrast",
    ),
    published(
        "forecast_monotonicity",
        "Forecasts in order",
        "Forecasts of 50 quantities that can only grow or only shrink, such as a world record, each for five years; a "
        "predictable model names numbers that go one way. One item is one year.",
        task="robustness_forecasts",
        scorer="forecasts",
        licence="Apache-2.0",
        items=250,
        tokens=(60, 16),
        data="forecast_consistency/questions.jsonl",
    ),
    published(
        "paraphrase_consistency",
        "Same question, other wording",
        "School questions of the ARC challenge, each asked in four wordings of this project; a robust model names the "
        "right option in all of them. One item is one wording.",
        task="robustness_wordings",
        scorer="wordings",
        licence="CC BY-SA 4.0",
        items=2400,
        tokens=(100, 4),
        data="arc_challenge/lm_eval/arc_challenge.jsonl.gz",
    ),
    published(
        "option_order_consistency",
        "Same question, other order",
        "School questions of the ARC challenge, each asked once with every option first; a predictable model chooses "
        "the same option wherever it stands. One item is one order.",
        task="robustness_option_order",
        scorer="option_order",
        licence="CC BY-SA 4.0",
        items=2394,
        tokens=(80, 4),
        data="arc_challenge/lm_eval/arc_challenge.jsonl.gz",
    ),
    published(
        "careless_typing",
        "Same question, typed carelessly",
        "Short questions of MMLU as they are, and with typing errors, without capitals, with wide gaps or with short "
        "forms; a robust model gets as many right. One item is one of the two.",
        task="robustness_typing",
        scorer="careless_typing",
        licence="MIT",
        items=2246,
        tokens=(90, 4),
        data="mmlu/lm_eval",
    ),
)
