"""Schedules as tables: how each is doing, when it is due, what became of past times, comparison and alerts."""

from collections.abc import Sequence
from html import escape

from app.components import comparison_words, page_links, run_progress, schedule_words
from app.components.markup import Cell, Row, Table, lines, link, small, state
from domain import words
from domain.choices import Choices
from domain.comparison import BenchmarkChange, Comparison, RequirementChange
from domain.schedules import Alert, Firing, FiringState, ScheduleStatus
from jobs import due
from requirements_map import catalogue

_FIRING = {
    FiringState.STARTED: ("✔", "run started", ""),
    FiringState.SKIPPED: ("–", "skipped", "mute"),
    FiringState.FAILED: ("⚠", "could not start", "bad"),
}


def overview(found: Sequence[ScheduleStatus]) -> str:
    """All schedules; the state is that of the last run."""
    return Table(
        caption="Schedules, and how the last run of each went",
        headers=("Schedule", "Model", "State", "Last run", "Next"),
        rows=[_overview_row(status) for status in found],
    ).markup()


def _overview_row(status: ScheduleStatus) -> Row:
    schedule, look = status.schedule, schedule_words.HEALTH[status.health]
    undelivered = len(status.undelivered)
    lost = small(f"{words.count_text(undelivered, 'alert')} not delivered") if undelivered else ""
    named = link(escape(schedule.name), page_links.schedule(schedule.name))
    return Row(
        cells=(
            Cell(kind="th", html=named + small(schedule_words.asked_with(schedule))),
            Cell(html=escape(status.model or "a model that was removed"), label="Model"),
            Cell(html=state(look.sign, look.word) + small(status.reason) + lost, label="State", tone=look.tone),
            Cell(html=_last_run(status), label="Last run"),
            Cell(html=escape(_next(status)), label="Next"),
        )
    )


def _last_run(status: ScheduleStatus) -> str:
    run = status.last_run
    if run is None:
        return "never"
    sign, word, _tone = run_progress.STATE_WORDS[run.state]
    when = words.moment_text(run.created_at)
    return link(state(sign, word), page_links.run(run.id), label=f"{word}, {when}") + small(when)


def _next(status: ScheduleStatus) -> str:
    if status.schedule.paused:
        return "paused"
    return due.in_words(status.next_due, status.schedule.timezone) if status.next_due else "never"


def state_line(status: ScheduleStatus) -> str:
    """The state of one schedule with its reason."""
    return facts_table("State", [("State", _state(status), schedule_words.HEALTH[status.health].tone)])


def _state(status: ScheduleStatus) -> str:
    look = schedule_words.HEALTH[status.health]
    return state(look.sign, look.word) + small(status.reason)


def facts(status: ScheduleStatus) -> str:
    """What a schedule asks, when, and whom it tells."""
    schedule = status.schedule
    told = [schedule_words.target(target) for target in schedule.targets] or ["nobody: alerts stand on this page"]
    return facts_table(
        "What this schedule does",
        [
            ("Asks", escape(f"{status.model or 'a removed model'} · {schedule_words.asked(schedule)}"), ""),
            *_supplied(schedule.choices),
            ("When", escape(f"{schedule.cron} ({schedule.timezone})"), ""),
            ("A missed time", escape(schedule_words.MISSED[schedule.missed]), ""),
            ("Run before goes on", escape(schedule_words.OVERLAP[schedule.overlap]), ""),
            ("Priority", escape(schedule.priority.value), ""),
            ("Policy", escape(schedule.policy_file or "that of this installation"), ""),
            ("Tells", lines(told), ""),
            ("Added", escape(f"{words.date_text(schedule.created_at)} by {schedule.created_by}"), ""),
        ],
    )


def _supplied(choices: Choices) -> list[tuple[str, str, str]]:
    """Judge, files and detector, as far as there are any."""
    files = [schedule_words.file_in_words(task, file) for task, file in choices.data_files.items()]
    found = [
        ("Judge", escape(choices.judge or "")),
        ("Files", lines(files) if files else ""),
        ("Watermark detector", escape(schedule_words.detector(choices)) if choices.detector else ""),
        ("System prompt", escape(choices.system_prompt or "")),
    ]
    return [(name, html, "") for name, html in found if html]


def facts_table(caption: str, rows: Sequence[tuple[str, str, str]]) -> str:
    """Name, markup and tone of each fact."""
    return Table(
        caption=caption,
        caption_hidden=True,
        headers=("Fact", "Value"),
        kind="facts",
        rows=[Row(cells=(Cell(kind="th", html=escape(name)), Cell(html=html, tone=tone))) for name, html, tone in rows],
    ).markup()


def history(firings: Sequence[Firing], timezone: str) -> str:
    """What became of past times."""
    if not firings:
        return '<p class="vera">No time has come yet.</p>'
    return Table(
        caption="What became of past times, latest first",
        caption_hidden=True,
        headers=("Due", "What became of it", "Result"),
        rows=[_firing_row(firing, timezone) for firing in firings],
    ).markup()


def _firing_row(firing: Firing, timezone: str) -> Row:
    sign, word, tone = _FIRING[firing.state]
    run = link(state(sign, word), page_links.run(firing.run_id)) if firing.run_id else state(sign, word)
    result = firing.comparison.headline if firing.comparison else firing.not_compared or ""
    return Row(
        cells=(
            Cell(
                kind="th",
                html=escape(due.in_words(firing.due_at, timezone)) + (small("by hand") if firing.manual else ""),
            ),
            Cell(html=run + (small(firing.reason) if firing.reason else ""), label="Became", tone=tone),
            Cell(html=escape(result) or "—", label="Result", tone="" if result else "mute"),
        )
    )


def comparison(made: Comparison) -> str:
    """Requirement by requirement, then what the numbers rest on."""
    table = Table(
        caption=made.headline,
        headers=("Requirement", "Score", "Difference", "Verdict", "Remark"),
        rows=[_requirement_row(change) for change in made.requirements],
    ).markup()
    notes = "".join(f'<p class="small">{escape(text)}</p>' for text in (*made.warnings, comparison_words.method(made)))
    return f'{table}<div class="vera">{notes}</div>'


def _requirement_row(change: RequirementChange) -> Row:
    name = catalogue.load().requirement(change.requirement).name
    worse = change.regression is not None
    return Row(
        cells=(
            Cell(kind="th", html=escape(f"{change.requirement.value} {name}")),
            Cell(html=escape(comparison_words.scores(change)), label="Score", numeric=True),
            Cell(
                html=escape(comparison_words.signed(change.difference)) + small(comparison_words.span(change.interval)),
                label="Difference",
                numeric=True,
            ),
            Cell(html=escape(comparison_words.verdicts(change)), label="Verdict"),
            Cell(
                html=state("▼", "regression") + small(change.regression or "") if worse else "—",
                label="Remark",
                tone="bad" if worse else "mute",
            ),
        )
    )


def benchmarks(made: Comparison) -> str:
    """Benchmark by benchmark, with its test."""
    return Table(
        caption="Benchmarks of both runs",
        caption_hidden=True,
        headers=("Benchmark", "Result", "Difference", "p, corrected", "Items", "Flips", "Test"),
        rows=[_benchmark_row(change) for change in made.benchmarks],
    ).markup()


def _benchmark_row(change: BenchmarkChange) -> Row:
    tone = "bad" if change.is_worse else "good" if change.significant else "mute"
    return Row(
        cells=(
            Cell(kind="th", html=escape(change.title)),
            Cell(html=escape(comparison_words.change_word(change)), label="Result", tone=tone),
            Cell(
                html=escape(comparison_words.signed(change.difference)) + small(comparison_words.span(change.interval)),
                label="Difference",
                numeric=True,
            ),
            Cell(html=escape(comparison_words.p_text(change.p_adjusted)), label="p, corrected", numeric=True),
            Cell(html=f"{change.n_common:,}", label="Items", numeric=True),
            Cell(html=escape(comparison_words.flips(change)), label="Flips"),
            Cell(html=escape(comparison_words.TESTS[change.test]), label="Test"),
        )
    )


def alerts(found: Sequence[Alert]) -> str:
    """What was alerted, and whether it arrived."""
    return Table(
        caption="Alerts, latest first",
        caption_hidden=True,
        headers=("When", "What", "Delivery"),
        rows=[
            Row(
                cells=(
                    Cell(kind="th", html=escape(words.moment_text(alert.created_at))),
                    Cell(html=escape(alert.headline) + lines(alert.details), label="What"),
                    Cell(
                        html=state(schedule_words.ALERT[alert.state].sign, schedule_words.ALERT[alert.state].word)
                        + small(schedule_words.alert_facts(alert)),
                        label="Delivery",
                        tone=schedule_words.ALERT[alert.state].tone,
                    ),
                )
            )
            for alert in found
        ],
    ).markup()
