"""What `vera judges …` does."""

import sys

from app.console import following, tables
from app.console.start import open_here
from domain.errors import RunFailed
from domain.runs import RunState
from jobs import judges


def show() -> None:
    """The models that can be asked, as judges."""
    found = judges.candidates(open_here())
    if not found:
        print("No model is registered yet; add one with `vera models add URL --name NAME`.", file=sys.stderr)
        return
    tables.show_judges(found)


def check(name: str, *, fresh: bool) -> int:
    """Ask a model for its verdicts on answers that people labelled; exit code as of `vera evaluate`."""
    context = open_here()
    wanted = following.Wanted(model=name, tasks=judges.REFERENCES)
    planned = following.plan(context, wanted)
    judges.refuse_partial(part.blocked for part in planned.blocked)
    run = following.run_to_end(context, planned, fresh=fresh)
    if run is None:
        return following.INTERRUPTED
    found = judges.candidate(context, context.store.endpoint(name))
    tables.show_judges([found])
    if run.state is not RunState.DONE:
        raise RunFailed(f"Run {run.id} is {run.state.value.replace('_', ' ')}: {following.why(run)}")
    print(found.reason, file=sys.stderr)
    return 0
