"""Registered models: added, probed, listed, removed."""

import re
import uuid
from dataclasses import replace
from datetime import UTC, datetime

from domain.endpoints import Capabilities, Endpoint
from domain.errors import EndpointRefused, UserError
from evaluators.endpoints import addresses, probe
from jobs import logs, secrets, workers
from jobs.context import Context

_NAME = re.compile(r"[^\W_][\w .:/@+-]{0,79}")
_IN_FLIGHT = range(1, 1025)
_PER_MINUTE = range(1, 100_001)
_LOOK_SECONDS = 10.0
#: More names would not fit into one readable sentence.
_NAMED = 10


def register_endpoint(
    context: Context,
    *,
    name: str,
    url: str,
    model: str | None = None,
    api_key_ref: str | None = None,
    max_in_flight: int = 8,
    requests_per_minute: int | None = None,
    queue: str | None = None,
) -> Endpoint:
    """Register a served model after one look at the server's model list; its one model is taken when none is named."""
    name = check_name(name)
    if max_in_flight not in _IN_FLIGHT:
        raise UserError(f"{max_in_flight} requests at the same time cannot be used; give a number from 1 to 1024.")
    if requests_per_minute is not None and requests_per_minute not in _PER_MINUTE:
        raise UserError(f"{requests_per_minute} requests a minute cannot be used; give a number from 1 to 100000.")
    _refuse_taken(context, name)
    api_key = _key(context, secrets.check_reference(api_key_ref) if api_key_ref else None)
    found = addresses.discover(url, api_key=api_key, model=model)
    endpoint = Endpoint(
        id=uuid.uuid4().hex[:12],
        name=name,
        base_url=found.base_url,
        model=model or _only_one(found),
        api_key_ref=api_key_ref,
        max_in_flight=max_in_flight,
        requests_per_minute=requests_per_minute,
        queue=workers.check_queue(queue) if queue else None,
        created_at=datetime.now(UTC),
    )
    context.store.add_endpoint(endpoint)
    return endpoint


def check_name(name: str) -> str:
    """A name for a model without white space around it; UserError where it cannot be one."""
    name = name.strip()
    if not _NAME.fullmatch(name):
        raise UserError(
            f"A model cannot be named {name!r}; use up to 80 letters, digits, spaces and . : / @ + - _, a letter first."
        )
    return name


def refuse_imported(endpoint: Endpoint) -> None:
    """UserError where a model is known by imported results alone."""
    if endpoint.is_imported:
        raise UserError(
            f"{endpoint.name} is known by imported results alone, so nothing can be asked of it; register the served "
            "model under a name of its own."
        )


def probe_endpoint(context: Context, name: str) -> Capabilities:
    """Find out what a registered model can do, and keep it beside the earlier findings."""
    endpoint = context.store.endpoint(name)
    refuse_imported(endpoint)
    api_key = _key(context, endpoint.api_key_ref)
    try:
        found = probe.probe(endpoint, api_key=api_key)
    except UserError as error:
        raise type(error)(logs.scrub(error.sentence, api_key)) from None
    context.store.save_capabilities(found)
    return found


def move_endpoint(context: Context, name: str, *, url: str) -> Endpoint:
    """The same model at another address: what it answered stays its own. Refused where that address serves another."""
    endpoint = context.store.endpoint(name)
    refuse_imported(endpoint)
    found = addresses.discover(url, api_key=_key(context, endpoint.api_key_ref), model=endpoint.model)
    moved = replace(endpoint, base_url=found.base_url)
    context.store.update_endpoint(moved)
    return moved


def refuse_unreachable(context: Context, endpoint: Endpoint) -> None:
    """One quick look before a run: that nobody answers is told at once and not benchmark by benchmark."""
    try:
        addresses.discover(endpoint.base_url, api_key=_key(context, endpoint.api_key_ref), timeout_s=_LOOK_SECONDS)
    except EndpointRefused:
        return  # somebody answers; whether the model does is for the run to find out


def askable(context: Context) -> list[Endpoint]:
    """The registered models that are served somewhere; of the others only imported results are known."""
    return [endpoint for endpoint in context.store.endpoints() if not endpoint.is_imported]


def list_endpoints(context: Context) -> list[Endpoint]:
    """All registered models by name."""
    return context.store.endpoints()


def remove_endpoint(context: Context, name: str) -> Endpoint:
    """Take a model off the list; its runs and assessments stay."""
    endpoint = context.store.endpoint(name)
    context.store.remove_endpoint(endpoint.id)
    return endpoint


def _key(context: Context, reference: str | None) -> str | None:
    return secrets.resolve(reference, environ=context.environ, secrets_file=context.settings.secrets_file)


def _refuse_taken(context: Context, name: str) -> None:
    """Before the network is asked; the store refuses it again, should two register at once."""
    taken = next((e for e in context.store.endpoints() if e.name.casefold() == name.casefold()), None)
    if taken is not None:
        raise UserError(f"A model named {taken.name!r} is already registered; choose another name or remove that one.")


def _only_one(found: addresses.Discovered) -> str:
    served = tuple(str(entry["id"]) for entry in found.entries)
    if len(served) == 1:
        return served[0]
    if not served:
        raise EndpointRefused(f"{found.base_url} has no model list; say which model is meant.")
    named = ", ".join(served[:_NAMED]) + (" …" if len(served) > _NAMED else "")
    raise EndpointRefused(f"{found.base_url} serves several models; say which one is meant: {named}.")
