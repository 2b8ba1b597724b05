"""The interval of a weighted mean."""

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.intervals import Part, mover
from domain.measurements import Interval

#: A loaded machine is no reason to fail.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def part(weight: float, low: float, value: float, high: float, level: float = 0.95) -> Part:
    return Part(weight, value, Interval(low=low, high=high, level=level, method="wilson"))


def test_the_weighted_mean_of_two_asymmetric_intervals_is_as_computed_by_hand() -> None:
    found = mover([part(1, 0.70, 0.90, 0.97), part(3, 0.50, 0.60, 0.69)])
    mean = 0.25 * 0.90 + 0.75 * 0.60
    assert found.low == pytest.approx(mean - math.hypot(0.25 * 0.20, 0.75 * 0.10))
    assert found.high == pytest.approx(mean + math.hypot(0.25 * 0.07, 0.75 * 0.09))
    assert found.method == "mover"


def test_one_part_alone_keeps_its_own_interval() -> None:
    single = part(2, 0.2, 0.3, 0.5)
    assert mover([single]) == single.interval


def test_one_part_beside_its_own_estimate_is_stretched_to_it() -> None:
    found = mover([part(1, 0.88, 1.0, 0.98)])
    assert (found.low, found.high) == (0.88, 1.0)


def test_intervals_of_two_confidence_levels_are_not_combined() -> None:
    with pytest.raises(ValueError, match="confidence levels"):
        mover([part(1, 0.2, 0.3, 0.5), part(1, 0.2, 0.3, 0.5, level=0.9)])


def test_an_interval_beside_its_own_estimate_only_widens_the_result() -> None:
    beside = mover([part(1, 0.4, 0.3, 0.5), part(1, 0.4, 0.5, 0.6)])
    assert beside.low <= 0.4 <= beside.high


PART = st.tuples(st.floats(0.1, 5), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))


@given(st.lists(PART, min_size=2, max_size=5))
@settings(UNTIMED)
def test_it_holds_the_mean_stays_in_range_and_does_not_depend_on_the_order(
    drawn: list[tuple[float, float, float, float]],
) -> None:
    parts = [part(weight, *sorted((a, b, c))) for weight, a, b, c in drawn]
    found = mover(parts)
    total = sum(p.weight for p in parts)
    mean = sum(p.weight * p.value for p in parts) / total
    assert 0.0 <= found.low <= mean + 1e-12
    assert mean - 1e-12 <= found.high <= 1.0
    again = mover(parts[::-1])
    assert (again.low, again.high) == (pytest.approx(found.low), pytest.approx(found.high))
    assert found.low >= sum(p.weight * p.interval.low for p in parts) / total - 1e-12
