"""What goes into a column comes out of it, whatever it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.engine.default import DefaultDialect

from db.codec import json_text, unpack
from db.columns import AnyText, fold
from domain import benchmarks, endpoints, energy, measurements, runs, scores
from domain.answers import Answer, Outcome
from domain.errors import DatabaseUnusable

DIALECT = DefaultDialect()
#: Every code point, halves of pairs and NUL included.
ANY_TEXT = st.text(st.characters(codec=None))


@given(ANY_TEXT)
def test_any_text_is_stored_as_utf8_without_nul_and_comes_back(text: str) -> None:
    stored = AnyText().process_bind_param(text, DIALECT)
    assert b"\0" not in stored.encode()
    assert AnyText().process_result_value(stored, DIALECT) == text


@given(ANY_TEXT)
def test_searched_text_can_always_be_stored(text: str) -> None:
    assert b"\0" not in fold(text).encode()


@given(st.text(), st.text())
def test_a_part_of_a_text_is_a_part_of_it_as_it_is_searched(left: str, right: str) -> None:
    assert fold("corazón") in fold(f"{left} CORAZÓN {right}")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4), st.dictionaries(st.text(), st.none() | st.floats(-1, 1)))
def test_a_sample_comes_back_whatever_its_item_holds(doc: dict[str, object], metrics: dict[str, float | None]) -> None:
    sample = benchmarks.Sample(sample_id="1", cluster="1", doc=doc, asked=(), metrics=metrics)
    text = json_text(sample)
    again = unpack(benchmarks.Sample, json.loads(text))
    assert again == sample
    assert json_text(again) == text


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": [bad]})


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(TypeError, match="the database cannot hold a object"):
        json_text({"value": object()})


@pytest.mark.parametrize(
    ("stored", "why"),
    [
        ({"key": "k", "outcome": "guessed"}, "'guessed' is not a valid Outcome"),
        ({"key": "k", "outcome": "answered", "colour": 1}, "Answer has no field 'colour'"),
        ({"outcome": "answered"}, "missing 1 required keyword-only argument: 'key'"),
        ({"key": 1, "outcome": "answered"}, "1 is not a str"),
        ({"key": "k", "outcome": "answered", "attempts": 1.5}, "1.5 is not a int"),
        ({"key": "k", "outcome": "answered", "prompt_tokens": "3"}, "'3' is not a NoneType or int"),
        ({"key": "k", "outcome": "answered", "logprobs": {}}, "{} is not a list"),
        ([], r"\[\] is not a dict"),
    ],
)
def test_a_stored_value_of_another_shape_is_refused_with_the_reason(stored: object, why: str) -> None:
    with pytest.raises(DatabaseUnusable, match=why):
        unpack(Answer, stored)


def test_fields_with_their_default_are_left_out() -> None:
    assert json_text(Answer(key="k", outcome=Outcome.EMPTY)) == '{"key":"k","outcome":"empty"}'


@pytest.mark.parametrize(
    "kind",
    [
        benchmarks.Sample,
        endpoints.Capabilities,
        energy.EnergyReading,
        measurements.Measurement,
        runs.RunSpec,
        scores.Assessment,
    ],
)
def test_every_kind_of_record_that_is_stored_can_be_read(kind: type) -> None:
    with pytest.raises(DatabaseUnusable, match="missing"):
        unpack(kind, {})
