"""Measurements of lm-eval's own metrics from stored samples."""

import math
from datetime import UTC, datetime

import pytest

from domain.benchmarks import Benchmark, Method, RawResult, Sample
from evaluators.benchmarks import public

BENCHMARK = Benchmark(
    key="lm_eval:x", evaluator="lm_eval", title="x", description="", version="1", task="x", needs=(), scorer="lm_eval",
    source="public", licence="",
)  # fmt: skip


def sample(number: int, metrics: dict[str, float | None], **fields: object) -> Sample:
    values = {"cluster": str(number), "doc": {}, "asked": (), "metrics": metrics, **fields}
    return Sample(sample_id=str(number), **values)  # type: ignore[arg-type]


def raw(samples: list[Sample], directions: dict[str, bool] | None = None) -> RawResult:
    now = datetime.now(UTC)
    return RawResult(
        benchmark="lm_eval:x", benchmark_version="1", evaluator="lm_eval", method=Method.GENERATE,
        samples=tuple(samples), population=len(samples), provenance={"higher_is_better": directions or {}},
        started_at=now, finished_at=now,
    )  # fmt: skip


def test_a_share_of_independent_items_has_a_wilson_interval() -> None:
    (measured,) = public.measure(BENCHMARK, raw([sample(i, {"acc": float(i < 9)}) for i in range(10)]))

    assert measured.value == 0.9
    assert measured.interval is not None
    assert (measured.interval.method, round(measured.interval.low, 3)) == ("wilson", 0.596)


def test_a_mass_of_probability_has_a_bootstrap_interval() -> None:
    (measured,) = public.measure(BENCHMARK, raw([sample(i, {"acc": 0.1 * i}) for i in range(10)]))

    assert measured.value == pytest.approx(0.45)
    assert measured.interval is not None
    assert measured.interval.method == "bootstrap_clustered"


def test_items_without_a_value_are_left_out_and_counted() -> None:
    samples = [sample(0, {"acc": 1.0}), sample(1, {}, error=True, unscored="no answer")]

    (measured,) = public.measure(BENCHMARK, raw(samples))

    assert (measured.value, measured.n, measured.n_scored, measured.rates.error) == (1.0, 2, 1, 0.5)


def test_where_nothing_was_scored_each_promised_metric_says_why_there_is_no_value() -> None:
    measured = public.measure(BENCHMARK, raw([sample(0, {}, error=True)], {"acc": True, "acc_norm": True}))

    assert [(m.metric, m.value) for m in measured] == [("acc", None), ("acc_norm", None)]
    assert all(m.reason for m in measured)


def test_the_direction_of_a_metric_is_the_task_s_also_with_a_filter_in_its_name() -> None:
    (measured,) = public.measure(BENCHMARK, raw([sample(0, {"wer,strict": 0.2})], {"wer": False}))

    assert (measured.metric, measured.higher_is_better) == ("wer,strict", False)


def test_perplexity_weighs_texts_by_their_length() -> None:
    samples = [
        sample(0, {"word_perplexity:loglikelihood": -2.0, "word_perplexity:weight": 1.0}),
        sample(1, {"word_perplexity:loglikelihood": -4.0, "word_perplexity:weight": 5.0}),
    ]

    (measured,) = public.measure(BENCHMARK, raw(samples, {"word_perplexity": False}))

    assert measured.metric == "word_perplexity"
    assert measured.value == pytest.approx(math.exp(6.0 / 6.0))
    assert measured.domain[0] == 0.0


def test_bits_per_byte_are_nats_per_byte_over_ln_2() -> None:
    samples = [sample(0, {"bits_per_byte:loglikelihood": -math.log(2) * 8, "bits_per_byte:weight": 4.0})]

    (measured,) = public.measure(BENCHMARK, raw(samples))

    assert measured.value == pytest.approx(2.0)


def test_a_value_beyond_one_widens_the_domain_and_is_not_clipped() -> None:
    (measured,) = public.measure(BENCHMARK, raw([sample(0, {"length": 12.0}), sample(1, {"length": 14.0})]))

    assert measured.value == 13.0


def test_strata_are_groups_a_reader_may_open() -> None:
    samples = [sample(i, {"acc": float(i % 2)}, stratum="ab"[i % 2]) for i in range(4)]

    (measured,) = public.measure(BENCHMARK, raw(samples))

    assert measured.by_group == {"a": 0.0, "b": 1.0}
