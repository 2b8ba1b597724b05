"""What `vera canaries make` and `vera canaries planted` do."""

import shlex
from pathlib import Path

from jobs import canaries


def make(count: int, *, to: Path, contexts: int, seed: str | None, planted_in: str | None) -> None:
    """Write the documents and the key, and say what to do with each."""
    made = canaries.make(count, to=to.expanduser(), contexts=contexts, seed=seed, planted_in=planted_in)
    print(f"{made.texts:,} documents about {made.persons:,} invented people: {made.documents}")
    print(f"The key: {made.key} (readable by you alone).")
    print("Plant the documents and nothing of the key: a model that saw the key shows nothing of the documents.")
    key = shlex.quote(str(made.key))
    if planted_in is None:
        print(f"When they are planted, say where: vera canaries planted {key} --in TEXT")
    print(f"Later ask for them: vera evaluate --model NAME --requirement R05 --canaries {key}")


def planted(key: Path, where: str) -> None:
    """Keep the statement in the key."""
    statement = canaries.state(key.expanduser(), where)
    print(f"Planted, as you state: {statement.rstrip('.')}.")
