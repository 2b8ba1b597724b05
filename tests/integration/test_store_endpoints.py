"""Registered models and their probes, on both databases."""

import dataclasses
from datetime import UTC, datetime, timedelta, timezone

import pytest
from fakes import records

from db.store import Store
from domain.endpoints import Capability
from domain.errors import UnknownModel, UserError


def test_a_model_is_found_by_name_and_by_id(store: Store) -> None:
    endpoint = records.endpoint(name="Llama 3", api_key_ref="env:KEY")
    store.add_endpoint(endpoint)
    assert store.endpoint("Llama 3") == endpoint
    assert store.endpoint(endpoint.id) == endpoint


@pytest.mark.parametrize("other", ["llama 3", "LLAMA 3", "Llámà 3"])
def test_names_that_differ_in_case_or_accents_only_are_the_same_name(store: Store, other: str) -> None:
    store.add_endpoint(records.endpoint(name="Llama 3"))
    assert store.endpoint(other).name == "Llama 3"
    with pytest.raises(UserError, match=f"named '{other}' is already registered"):
        store.add_endpoint(records.endpoint(name=other))


def test_an_unknown_name_is_answered_with_near_names(store: Store) -> None:
    store.add_endpoint(records.endpoint(name="mistral-small"))
    store.add_endpoint(records.endpoint(name="qwen"))
    with pytest.raises(UnknownModel, match=r"No model named 'Mistral-smal' .* did you mean 'mistral-small'\?"):
        store.endpoint("Mistral-smal")
    with pytest.raises(UnknownModel, match="vera models list"):
        store.endpoint("zzz")


def test_models_are_listed_by_name(store: Store) -> None:
    for name in ("beta", "Alpha", "gamma"):
        store.add_endpoint(records.endpoint(name=name))
    assert [endpoint.name for endpoint in store.endpoints()] == ["Alpha", "beta", "gamma"]


def test_a_model_can_be_changed_but_not_into_the_name_of_another(store: Store) -> None:
    first, second = records.endpoint(name="first"), records.endpoint(name="second")
    store.add_endpoint(first)
    store.add_endpoint(second)
    changed = dataclasses.replace(first, base_url="http://other/v1", max_in_flight=3, timeout_s=1.5, name="FIRST")
    store.update_endpoint(changed)
    assert store.endpoint("first") == changed
    with pytest.raises(UserError, match="already registered"):
        store.update_endpoint(dataclasses.replace(first, name="Second"))
    with pytest.raises(UnknownModel):
        store.update_endpoint(records.endpoint(name="third"))


def test_a_removed_model_frees_its_name_and_is_still_found_by_id(store: Store) -> None:
    endpoint = records.endpoint(name="old")
    store.add_endpoint(endpoint)
    store.remove_endpoint("OLD")
    assert store.endpoints() == []
    assert store.endpoint(endpoint.id) == endpoint
    with pytest.raises(UnknownModel):
        store.endpoint("old")
    store.add_endpoint(records.endpoint(name="old"))
    assert store.endpoint("old").id != endpoint.id


def test_a_model_without_a_probe_has_no_capabilities(store: Store) -> None:
    assert store.capabilities(records.add_endpoint(store).id) is None


def test_the_latest_probe_counts_and_earlier_ones_are_kept(store: Store) -> None:
    endpoint = records.add_endpoint(store)
    now = datetime.now(UTC)
    first = records.capabilities(endpoint.id, probed_at=now)
    second = records.capabilities(endpoint.id, probed_at=now + timedelta(hours=1), context_length=None)
    store.save_capabilities(second)
    store.save_capabilities(first)
    assert store.capabilities(endpoint.id) == second
    assert store.capabilities(endpoint.id).has(Capability.CHAT)
    assert store.capability_history(endpoint.id) == [second, first]


def test_a_moment_of_any_time_zone_comes_back_as_the_same_moment_in_utc(store: Store) -> None:
    madrid = datetime(2026, 7, 1, 12, 30, 15, 123456, tzinfo=timezone(timedelta(hours=2)))
    endpoint = records.endpoint(created_at=madrid)
    store.add_endpoint(endpoint)
    found = store.endpoint(endpoint.id).created_at
    assert found == madrid
    assert found.tzinfo is UTC


def test_a_moment_without_a_time_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        store.add_endpoint(records.endpoint(created_at=datetime(2026, 7, 1)))  # noqa: DTZ001
