"""Tables at the terminal. A state is always a word; colour only repeats it."""

import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.components import run_progress
from domain import words
from domain.endpoints import Capabilities, Endpoint
from domain.energy import label, total
from domain.measurements import Measurement
from domain.runs import Run
from domain.scores import Assessment, RequirementScore, Status, Verdict
from jobs.judges import Candidate, Standing
from requirements_map import catalogue, summary

_BAR = 24
_COLOURS = {
    Verdict.PASS: "green",
    Verdict.ATTENTION: "yellow",
    Verdict.FAIL: "red",
    Verdict.UNDECIDED: "cyan",
    Verdict.NONE: "default",
}
#: Wide enough for every column where the output is a file and has no width of its own.
_FILE_WIDTH = 160


def console() -> Console:
    """Standard output, with markup off: names and answers are data."""
    return Console(markup=False, highlight=False, soft_wrap=False, width=None if sys.stdout.isatty() else _FILE_WIDTH)


def show_models(endpoints: Sequence[Endpoint], found: Mapping[str, Capabilities | None]) -> None:
    """Registered models and what is known of them."""
    table = _table("Name", "Model", "Address", "Key", "Probed", "Can")
    for endpoint in endpoints:
        known = found.get(endpoint.id)
        can = ", ".join(f.capability.value for f in known.findings if f.available) if known else _unprobed(endpoint)
        probed = words.moment_text(known.probed_at) if known else "never"
        table.add_row(endpoint.name, endpoint.model, endpoint.base_url, endpoint.api_key_ref or "none", probed, can)
    console().print(table)


def show_judges(found: Sequence[Candidate]) -> None:
    """Models as judges, with the agreement that decides."""
    table = _table("Name", "Model", "Agreement", "Interval", "Checked", "As a judge", "Which means")
    for candidate in found:
        lowest = candidate.lowest if candidate.standing is not Standing.UNCHECKED else None
        table.add_row(
            candidate.endpoint.name,
            candidate.endpoint.model,
            words.NO_NUMBER if lowest is None else f"{lowest.value:.2f}",
            words.NO_NUMBER if lowest is None else f"{lowest.low:.2f}–{lowest.high:.2f}",
            words.moment_text(candidate.checked_at) if candidate.checked_at else "never",
            candidate.standing.value,
            candidate.reason,
        )
    console().print(table)


def _unprobed(endpoint: Endpoint) -> str:
    return "nothing: imported results alone" if endpoint.is_imported else "not yet probed"


def show_capabilities(found: Capabilities) -> None:
    """What a probe found, each with what was asked and what came back."""
    table = _table("Capability", "Found", "Asked", "Came back", "Which means")
    answers = {True: "✔ yes", False: "✖ no", None: "? undecided"}
    for finding in found.findings:
        table.add_row(
            finding.capability.value, answers[finding.available], finding.asked, finding.answered, finding.reason
        )
    out = console()
    out.print(table)
    length = "not told by the server" if found.context_length is None else f"{found.context_length:,} tokens"
    out.print(f"Server: {found.server or 'not told'} · model: {found.served_model or 'not told'} · context: {length}")


def show_runs(runs: Sequence[Run], names: Mapping[str, str]) -> None:
    """Runs, one a row."""
    table = _table("Run", "Model", "Suite", "State", "Answered", "Started by", "Created")
    for run in runs:
        sign, word, _tone = run_progress.STATE_WORDS[run.state]
        answered = f"{run.done:,} of {run.total:,}" if run.total else "–"
        name = names.get(run.spec.endpoint_id, "removed model")
        created = words.moment_text(run.created_at)
        table.add_row(run.id, name, run.spec.suite, f"{sign} {word}", answered, run.created_by, created)
    console().print(table)


def show_run(run: Run, name: str) -> None:
    """One run with its benchmarks."""
    table = _table("Benchmark", "State", "Answered", "Failed", "Tokens read/written", "Reason")
    for part in run.benchmarks:
        sign, word, _tone = run_progress.STATE_WORDS[part.state]
        answered = f"{part.done:,} of {part.total:,}" if part.total else "–"
        failed = f"{sum(part.errors.values()):,}"
        tokens = f"{part.prompt_tokens:,} / {part.completion_tokens:,}"
        table.add_row(part.benchmark, f"{sign} {word}", answered, failed, tokens, part.reason or "")
    out = console()
    out.print(f"Run {run.id} of {name}, suite {run.spec.suite}: {run_progress.outcome_sentence(run)}")
    out.print(table)


def show_measurements(measured: Mapping[str, Sequence[Measurement]]) -> None:
    """Every number of a run that is not assessed, each as its metric gives it."""
    table = _table("Benchmark", "Metric", "Value", "Interval", "Items", "Why there is none")
    for key, measurements in measured.items():
        for m in measurements:
            between = "" if m.interval is None else f"{m.interval.low:.3f} to {m.interval.high:.3f}"
            value = words.NO_NUMBER if m.value is None else f"{m.value:.3f}"
            table.add_row(key, m.metric.replace("_", " "), value, between, f"{m.n_scored:,}", m.reason or "")
    if table.row_count:
        console().print(table)


def show_not_measured(entries: Sequence[tuple[str, str, float | None, str]]) -> None:
    """Metrics of imported results that are kept as reported and not measured."""
    rows = [
        (key, metric, words.NO_NUMBER if value is None else f"{value:g}", why) for key, metric, value, why in entries
    ]
    if rows:
        show_rows(("Kept, not measured", "Metric", "As reported", "Because"), rows)


def show_scorecard(assessment: Assessment) -> None:
    """The twelve measurable requirements, what was not measured, and the energy with its label."""
    table = _table("", "Requirement", "Verdict", "Score", "0 to 100, with interval", "Items", "Coverage", "Why")
    for score in assessment.scores:
        if score.requirement.is_measurable:
            table.add_row(*_row(score))
    out = console()
    out.print(f"{assessment.endpoint_name} ({assessment.model}), suite {assessment.suite}")
    out.print(table)
    out.print(summary.headline(assessment))
    if assessment.subset_note:
        out.print(assessment.subset_note)
    if assessment.policy_is_example:
        out.print(
            "The thresholds are those of the example policy that comes with VERA; yours go into VERA_POLICY_FILE."
        )
    energy = total(list(assessment.energy.values()))
    out.print(f"Energy: {label(energy) if energy else 'not measured: no benchmark was finished'}")


def _row(score: RequirementScore) -> tuple[str | Text, ...]:
    look = words.score_look(score)
    colour = _COLOURS[score.verdict] if score.value is not None else "default"
    number = words.score_text(score.value, score.interval)
    return (
        score.requirement.value,
        catalogue.load().requirement(score.requirement).name,
        Text(f"{look.icon} {look.word}", style=colour),
        number if score.interval is None else f"{number} ({words.interval_text(score.interval)})",
        bar(score),
        f"{items:,}" if (items := words.items_behind(score)) else "",
        words.percent_text(score.coverage) if score.status in {Status.MEASURED, Status.PARTIAL} else "",
        " ".join(part for part in (words.about(score), score.reason or score.verdict_reason) if part),
    )


def bar(score: RequirementScore) -> str:
    """The interval on a line from 0 to 100, with a mark where the value is; nothing where there is no number."""
    if score.value is None:
        return ""
    interval = score.interval
    low, high = (interval.low, interval.high) if interval else (score.value, score.value)
    first, last, at = (round(x * (_BAR - 1)) for x in (low, high, score.value))
    cells = ["─" if first <= i <= last else "·" for i in range(_BAR)]
    cells[at] = "●"
    return "".join(cells)


def show_rows(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table of plain text."""
    console().print(table_of(headers, rows))


def table_of(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table of plain text, for whoever draws it."""
    table = _table(*headers)
    for row in rows:
        table.add_row(*row)
    return table


def _table(*headers: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for header in headers:
        table.add_column(header, overflow="fold", vertical="top")
    return table
