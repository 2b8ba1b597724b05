"""What `vera demo` does: the whole path on a small real model, in one command."""

import sys
from pathlib import Path

from app.console import following, listing, serving
from app.console.start import open_here
from domain.endpoints import Endpoint
from domain.errors import UnknownModel
from domain.runs import RunState
from jobs import embedded_model, endpoints, reports
from jobs.context import Context

NAME = "smollm2-135m-demo"


def demo(*, out: Path, dashboard: bool) -> int:
    """Serve the embedded model, evaluate it with a part of the starter suite, print, write, and leave the dashboard."""
    context = open_here()
    print("Serving the embedded model SmolLM2-135M-Instruct on this machine …", file=sys.stderr)
    with embedded_model.serving(context.settings.model_cache) as base_url:
        endpoint = _registered(context, base_url)
        print("A quick look: of each benchmark, the fewest items that can give a number are asked.", file=sys.stderr)
        wanted = following.Wanted(model=endpoint.name, quick=True)
        run = following.run_to_end(context, following.plan(context, wanted), fresh=False)
        if run is None:
            return following.INTERRUPTED
        listing.print_run(context, run, as_json=False)
        for path in reports.write(reports.report(context, endpoint.id), out):
            print(path)
        if dashboard:
            serving.serve(host=None, port=None)
    return 0 if run.state is RunState.DONE else 1


def _registered(context: Context, base_url: str) -> Endpoint:
    """The demo's model where it is served this time; what it answered in an interrupted demo stays its own."""
    try:
        known = context.store.endpoint(NAME)
    except UnknownModel:
        return endpoints.register_endpoint(context, name=NAME, url=base_url, max_in_flight=embedded_model.SLOTS)
    return endpoints.move_endpoint(context, known.id, url=base_url)
