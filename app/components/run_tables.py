"""Runs as tables: the list of all, and the benchmarks of one."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from html import escape

from app.components import page_links, run_progress
from app.components.advice import for_a_page
from app.components.markup import Cell, Row, Table, lines, link, small, state
from domain import words
from domain.runs import BenchmarkRun, Run


def runs(found: Sequence[Run], models: Mapping[str, str], *, now: datetime) -> str:
    """All runs, latest first. `models` maps the id of an endpoint to its name."""
    return Table(
        caption="Evaluations, latest first",
        headers=("Evaluation", "Suite", "State", "Requests", "Duration", "Started by"),
        rows=[_run_row(run, models, now=now) for run in found],
    ).markup()


def _run_row(run: Run, models: Mapping[str, str], *, now: datetime) -> Row:
    sign, word, tone = run_progress.STATE_WORDS[run.state]
    name = models.get(run.spec.endpoint_id, "a model that was removed")
    title = link(escape(name), page_links.run(run.id), label=f"{name}, {words.moment_text(run.created_at)}")
    errors = sum(run.errors.values())
    failed = small(f"{errors:,} failed") if errors else ""
    return Row(
        cells=(
            Cell(kind="th", html=title + small(words.moment_text(run.created_at))),
            Cell(
                html=escape(run.spec.suite) + small(words.count_text(len(run.spec.benchmarks), "benchmark")),
                label="Suite",
            ),
            Cell(html=state(sign, word), label="State", tone=tone),
            Cell(html="—" if run.is_imported else f"{run.done:,}" + failed, label="Requests", numeric=True),
            Cell(html=duration(run, now=now), label="Duration", numeric=True),
            Cell(html=escape(run.created_by), label="Started by"),
        )
    )


def benchmarks(run: Run, titles: Mapping[str, str], planned: Mapping[str, int]) -> str:
    """The benchmarks of a run: how far each is, what went wrong and what to do about it."""
    return Table(
        caption="Benchmarks of this evaluation",
        headers=("Benchmark", "State", "Progress", "Requests", "Failed", "Remarks"),
        rows=[_benchmark_row(b, titles, planned) for b in run.benchmarks],
    ).markup()


def _benchmark_row(benchmark: BenchmarkRun, titles: Mapping[str, str], planned: Mapping[str, int]) -> Row:
    sign, word, tone = run_progress.STATE_WORDS[benchmark.state]
    total = benchmark.total or planned.get(benchmark.benchmark, 0)
    share = min(benchmark.done / total, 1.0) if total else 0.0
    title = titles.get(benchmark.benchmark, benchmark.benchmark)
    of_total = f" of {'' if benchmark.total else 'about '}{total:,}" if total else ""
    failed = sum(benchmark.errors.values())
    step = run_progress.next_step(benchmark)
    remarks = [for_a_page(text) for text in (benchmark.reason, step) if text]
    if benchmark.reused:
        remarks.append(f"{benchmark.reused:,} answers were already kept from an earlier attempt.")
    return Row(
        cells=(
            Cell(kind="th", html=escape(title)),
            Cell(html=state(sign, word), label="State", tone=tone),
            Cell(html=gauge(share, label=f"{title}: {share:.0%}")),
            Cell(html=f"{benchmark.done:,}{of_total}", label="Requests", numeric=True),
            Cell(html=f"{failed:,}" if failed else "—", label="Failed", numeric=True, tone="bad" if failed else "mute"),
            Cell(html=lines(remarks) or "—", label="Remarks", tone="" if remarks else "mute"),
        )
    )


def gauge(share: float, *, label: str) -> str:
    """A progress bar with its value as text for a screen reader."""
    return (
        f'<span class="gauge" role="progressbar" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{share * 100:.0f}" aria-label="{escape(label)}"><span style="width:{share * 100:.1f}%"></span>'
        "</span>"
    )


def duration(run: Run, *, now: datetime) -> str:
    """How long the run took, or takes since its start; of an imported one nobody here knows."""
    if run.started_at is None or run.is_imported:
        return "—"
    return run_progress.spoken_duration(((run.finished_at or now) - run.started_at).total_seconds())
