"""What `vera corpus scan` does."""

import sys
from pathlib import Path

from app.console import following
from domain.words import count_text
from jobs import corpora


def scan(file: Path, *, model: str, suite: str, limit: int | None, seed: int | None, as_json: bool) -> int:
    """Read the whole file first, so that a wrong line is told at once; then scan it as an evaluation of R03."""
    corpus = corpora.check(file.expanduser())
    print(f"{corpus.name}: {count_text(corpus.population, 'document')}, sha256 {corpus.sha256}.", file=sys.stderr)
    wanted = following.Wanted(
        model=model,
        suite=suite,
        requirements=("R03",),
        data=(f"corpus_scan={file.expanduser()}",),
        limit=limit,
        seed=seed,
    )
    return following.evaluate(wanted, as_json=as_json)
