"""Named functions from raw metrics to scores, and the images of intervals."""

import pytest
from fakes.outcomes import measurement, normalised
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.measurements import Interval, Measurement, Rates
from requirements_map import normalisers

#: A loaded machine is no reason to fail.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SHARE = st.floats(0, 1, allow_nan=False)


def raw(
    value: float, *, up: bool, domain: tuple[float, float] = (0.0, 1.0), ends: tuple[float, float] | None = None
) -> Measurement:
    return Measurement(
        benchmark="b",
        metric="m",
        value=value,
        interval=Interval(low=ends[0], high=ends[1], method="wilson") if ends else None,
        n=100,
        n_scored=100,
        higher_is_better=up,
        domain=domain,
        rates=Rates(error=0, empty=0, truncated=0),
    )


@pytest.mark.parametrize(
    ("name", "value", "up", "params", "score"),
    [
        ("identity", 0.3, True, {}, 0.3),
        ("one_minus", 0.3, False, {}, 0.7),
        ("one_minus_ece", 0.1, False, {}, 0.9),
        ("one_minus_abs", -0.25, False, {}, 0.75),
        ("one_minus_abs", 0.25, False, {}, 0.75),
        ("chance_corrected", 0.25, True, {"chance": 0.25}, 0.0),
        ("chance_corrected", 0.625, True, {"chance": 0.25}, 0.5),
        ("chance_corrected", 1.0, True, {"chance": 0.25}, 1.0),
        ("half_one_plus_rho", -1.0, True, {}, 0.0),
        ("half_one_plus_rho", 0.5, True, {}, 0.75),
        ("centered", 0.5, False, {}, 1.0),
        ("centered", 0.75, False, {}, 0.5),
    ],
)
def test_each_normaliser_of_one_metric_gives_its_known_answer(
    *, name: str, value: float, up: bool, params: dict[str, float], score: float
) -> None:
    found = normalised(name, raw(value, up=up, domain=(-1.0, 1.0)), **params)
    assert found.value == pytest.approx(score)


def test_the_mean_of_two_metrics_and_the_gate_give_their_known_answers() -> None:
    up = [raw(0.4, up=True), raw(0.8, up=True)]
    assert normalised("mean_of", *up).value == pytest.approx(0.6)
    assert normalised("gate", raw(0.01, up=False), *up, limit=0.01).value == pytest.approx(0.6)
    assert normalised("gate", raw(0.011, up=False), *up, limit=0.01).value == 0.0


def test_a_ratio_has_no_score_where_the_clean_value_is_at_chance() -> None:
    found = normalised("ratio_clip1", raw(0.25, up=True), raw(0.25, up=True), chance=0.25, margin=0.15)
    assert found.value is None
    assert found.reason == "the clean value 0.25 is not above chance plus margin 0.4, so a ratio to it says nothing"
    ratio = normalised("ratio_clip1", raw(0.4, up=True), raw(0.8, up=True), chance=0.25, margin=0.15)
    assert ratio.value == pytest.approx(0.5)
    assert ratio.notes == ()


def test_a_clip_is_declared_and_says_what_it_hides() -> None:
    below = normalised("chance_corrected", raw(0.18, up=True), chance=0.25)
    assert (below.value, below.notes) == (0.0, ("The raw value 0.18 lies below chance 0.25; it is shown as 0.",))
    above = normalised("ratio_clip1", raw(0.9, up=True), raw(0.8, up=True), chance=0.25, margin=0.15)
    assert (above.value, above.notes) == (1.0, ("The perturbed value is above the clean one; it is shown as 1.",))


@pytest.mark.parametrize(
    "name", ["identity", "one_minus", "one_minus_ece", "mean_of", "centered", "gate", "ratio_clip1"]
)
def test_a_value_outside_the_domain_raises_and_is_not_clipped(name: str) -> None:
    normaliser = next(n for n in normalisers.NORMALISERS if n.name == name)
    params = dict.fromkeys(normaliser.params, 0.01)
    for position in range(len(normaliser.arguments)):
        values = [
            raw(-0.1 if i == position else 0.5, up=a.direction is normalisers.Direction.UP, domain=(-1.0, 1.0))
            for i, a in enumerate(normaliser.arguments)
        ]
        with pytest.raises(ValueError, match="domain of"):
            normalised(name, *values, **params)


def test_an_interval_outside_the_domain_raises_too() -> None:
    with pytest.raises(ValueError, match=r"\[0\.0, 1\.0\]"):
        normalised("identity", raw(0.9, up=True, ends=(0.8, 1.2)))


def test_rounding_at_the_end_of_an_interval_is_taken_off() -> None:
    found = normalised("identity", raw(1.0, up=True, ends=(0.9, 1.0 + 1e-12)))
    assert found.interval is not None
    assert found.interval.high == 1.0


@pytest.mark.parametrize(
    ("name", "up"), [("identity", False), ("one_minus", True), ("one_minus_abs", True), ("centered", True)]
)
def test_a_direction_that_does_not_agree_raises(*, name: str, up: bool) -> None:
    with pytest.raises(ValueError, match="is better, but"):
        normalised(name, raw(0.5, up=up))


def test_a_decreasing_normaliser_turns_the_interval_round() -> None:
    found = normalised("one_minus_ece", raw(0.2, up=False, ends=(0.1, 0.4)))
    assert found.interval == Interval(low=0.6, high=0.9, method="wilson")


def test_an_interval_of_a_signed_bias_that_holds_zero_reaches_the_best_score() -> None:
    found = normalised("one_minus_abs", raw(0.1, up=False, domain=(-1.0, 1.0), ends=(-0.2, 0.4)))
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (pytest.approx(0.6), 1.0)


def test_one_missing_interval_leaves_the_score_without_one() -> None:
    assert normalised("mean_of", raw(0.4, up=True, ends=(0.3, 0.5)), raw(0.8, up=True)).interval is None


def test_a_missing_value_stays_missing_with_its_reason() -> None:
    found = normalised("identity", measurement("b", "pair_accuracy", None))
    assert found.value is None
    assert found.reason == "pair accuracy has no value: No item could be scored."


@given(values=st.lists(SHARE, min_size=3, max_size=3), more=SHARE, data=st.data())
@settings(UNTIMED, max_examples=200)
def test_every_normaliser_stays_in_range_and_is_monotone_towards_better(
    values: list[float], more: float, data: st.DataObject
) -> None:
    normaliser = data.draw(st.sampled_from(normalisers.NORMALISERS))
    params = dict.fromkeys(normaliser.params, 0.2)
    own = values[: len(normaliser.arguments)]
    score = normaliser.formula(own, params)
    assert 0.0 <= score <= 1.0
    position = data.draw(st.integers(0, len(own) - 1))
    argument = normaliser.arguments[position]
    better = {
        normalisers.Direction.UP: max(own[position], more),
        normalisers.Direction.DOWN: min(own[position], more),
        # half of the way towards the best value
        normalisers.Direction.INSIDE: (own[position] + (argument.turns_at or (0.0,))[0]) / 2,
    }[argument.direction]
    improved = [better if i == position else v for i, v in enumerate(own)]
    if normaliser.name == "ratio_clip1" and position == 1:
        return  # a better clean value makes the same perturbed one relatively worse
    assert normaliser.formula(improved, params) >= score - 1e-12


@given(a=SHARE, b=SHARE, c=SHARE, data=st.data())
@settings(UNTIMED, max_examples=200)
def test_the_score_lies_inside_the_image_of_the_interval(a: float, b: float, c: float, data: st.DataObject) -> None:
    low, value, high = sorted((a, b, c))
    normaliser = data.draw(st.sampled_from([n for n in normalisers.NORMALISERS if n.name != "ratio_clip1"]))
    params = dict.fromkeys(normaliser.params, 0.2)
    rows = [
        raw(value, up=argument.direction is normalisers.Direction.UP, ends=(low, high))
        for argument in normaliser.arguments
    ]
    found = normalised(normaliser.name, *rows, **params)
    assert found.interval is not None
    assert found.value is not None
    assert found.interval.low - 1e-12 <= found.value <= found.interval.high + 1e-12


@pytest.mark.parametrize(
    ("name", "params", "inputs", "sentence"),
    [
        ("logit", {}, 1, "there is no normaliser 'logit'; the normalisers are identity, "),
        ("chance_corrected", {}, 1, "chance_corrected takes the params chance and was given none."),
        ("identity", {"chance": 0.2}, 1, "identity takes the params none and was given chance."),
        ("gate", {"limit": 0.01}, 1, "gate takes 3 metrics and was given 1."),
        ("chance_corrected", {"chance": 1.0}, 1, "chance_corrected was given the chance 1.0"),
    ],
)
def test_misuse_of_a_normaliser_is_one_sentence(
    name: str, params: dict[str, float], inputs: int, sentence: str
) -> None:
    assert (normalisers.misuse(name, params, inputs=inputs) or "").startswith(sentence)


def test_an_accuracy_far_below_chance_keeps_half_of_its_interval_and_is_not_certain() -> None:
    raw = measurement("b", "accuracy", 0.05, half_width=0.04)
    found = normalised("chance_corrected", raw, chance=0.25)
    assert found.value == 0.0
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (0.0, pytest.approx(0.04 / 0.75))
