"""How many answers per question a run may be told to ask for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from domain.errors import UserError

if TYPE_CHECKING:
    from jobs.plans import PlannedBenchmark


def refuse_stray(samples: int, planned: Sequence["PlannedBenchmark"]) -> None:
    """Answers that no benchmark of a run can use are a mistake, as is asking for none of them."""
    if samples < 1:
        raise UserError(f"{samples} answers per question ask nothing; give a number of at least 1.")
    most = max((b.max_samples for b in planned if b.blocked is None), default=1)
    if samples <= most:
        return
    if most > 1:
        raise UserError(f"{samples} answers per question are too many; at most {most} can be used.")
    able = next((b for b in planned if b.max_samples > 1), None)
    raise UserError(
        f"No benchmark of this run can use {samples} answers per question."
        + (f" {able.title} could, but: {able.blocked}" if able else "")
    )
