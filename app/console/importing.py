"""What `vera import results` does."""

import sys
from pathlib import Path

from app.console import tables
from app.console.start import open_here
from domain import words
from jobs import imports, processes


def results(folder: Path, *, model: str | None) -> None:
    """Import a folder, and say what became runs, what was kept without being measured, and what was left aside."""
    context = open_here()
    made = imports.import_results(context, folder, created_by=processes.account(), model=model)
    for one in made.runs:
        again = ", imported before" if one.is_known else ""
        counted = words.count_text(len(one.run.benchmarks), "benchmark")
        print(f"Run {one.run.id} of {one.endpoint.name}: {counted}{again}. {one.run.reason}")
        for note in one.notes:
            print(f"  Left aside: {note}")
    tables.show_not_measured([entry for one in made.runs for entry in imports.not_measured(one.run)])
    if made.others:
        print(f"Not results, left alone: {', '.join(made.others)}.", file=sys.stderr)
    print(f"Next: vera show {made.runs[0].run.id}", file=sys.stderr)
