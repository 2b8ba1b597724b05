"""What `vera models …` does."""

import shlex
import sys

from app.console import tables
from app.console.start import open_here
from domain.errors import UserError
from jobs import endpoints


def add(
    *,
    url: str,
    name: str,
    model: str | None,
    api_key_env: str | None,
    api_key_entry: str | None,
    in_flight: int,
    per_minute: int | None,
    queue: str | None,
) -> None:
    """Register a model and say what comes next."""
    if api_key_env and api_key_entry:
        raise UserError("A key is either in a variable or in the secrets file; give --api-key-env or --api-key-entry.")
    reference = f"env:{api_key_env}" if api_key_env else f"file:{api_key_entry}" if api_key_entry else None
    added = endpoints.register_endpoint(
        open_here(),
        name=name,
        url=url,
        model=model,
        api_key_ref=reference,
        max_in_flight=in_flight,
        requests_per_minute=per_minute,
        queue=queue,
    )
    print(f"{added.name}: {added.model} at {added.base_url}")
    print(f"Next: vera models probe {shlex.quote(added.name)}", file=sys.stderr)


def probe(name: str) -> None:
    """Probe a model and show the findings with their evidence."""
    context = open_here()
    endpoint = context.store.endpoint(name)
    print(f"Asking {endpoint.name} what it can do …", file=sys.stderr)
    tables.show_capabilities(endpoints.probe_endpoint(context, name))


def list_models() -> None:
    """Show the registered models."""
    context = open_here()
    found = endpoints.list_endpoints(context)
    if not found:
        print("No model is registered yet; add one with `vera models add URL --name NAME`.", file=sys.stderr)
        return
    tables.show_models(found, {e.id: context.store.capabilities(e.id) for e in found})


def remove(name: str) -> None:
    """Remove a model."""
    removed = endpoints.remove_endpoint(open_here(), name)
    print(f"{removed.name} is removed; its runs and assessments stay.")
