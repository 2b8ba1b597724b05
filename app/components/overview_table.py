"""The overview: a row per registered model, a cell per measurable requirement, each leading to its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from app.components import page_links, requirement_labels, run_progress, score_words
from app.components.markup import Cell, Row, Table, icon, link, small, state
from domain import words
from domain.endpoints import Endpoint
from domain.energy import total
from domain.runs import Run
from domain.scores import Assessment, RequirementId, RequirementScore


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """A registered model with the assessment that speaks for it and its latest run, where there are any."""

    endpoint: Endpoint
    assessment: Assessment | None = None
    #: A later assessment that does not stand in its place, as it rests on far fewer items.
    later: Assessment | None = None
    latest_run: Run | None = None


def table(rows: Sequence[ModelRow], *, names: Mapping[RequirementId, str], now: datetime) -> str:
    """The overview as HTML. `names` are the full names of the requirements."""
    requirements = requirement_labels.MEASURABLE
    headers = ["Model", *(r.value for r in requirements), "Covered", "Energy of the evaluation", "Last assessment"]
    head = {
        position: f'<abbr title="{escape(names[requirement])}">{requirement.value}</abbr>'
        + small(requirement_labels.SHORT_NAMES[requirement])
        for position, requirement in enumerate(requirements, start=1)
    }
    head |= {13: "Covered", 14: "Energy", 15: "Last assessment"}
    return Table(
        caption="Scores from 0 to 100, higher is better. Each cell leads to its evidence.",
        headers=headers,
        header_html=head,
        rows=[_row(row, names=names, now=now) for row in rows],
        kind="matrix",
    ).markup()


def _row(row: ModelRow, *, names: Mapping[RequirementId, str], now: datetime) -> Row:
    model = link(escape(row.endpoint.name), page_links.model(row.endpoint.name))
    name = Cell(kind="th", html=model + small(row.endpoint.model))
    if row.assessment is None:
        return Row(cells=(name, _not_assessed(row)))
    scores = {score.requirement: score for score in row.assessment.scores}
    cells = [
        _score_cell(scores[requirement], assessment=row.assessment, name=names[requirement])
        for requirement in requirement_labels.MEASURABLE
    ]
    return Row(cells=(name, *cells, *_facts(row.assessment, row.later, now=now)))


def _not_assessed(row: ModelRow) -> Cell:
    if row.endpoint.is_imported and (row.latest_run is None or row.latest_run.is_imported):
        runs = link("look at them", page_links.run(row.latest_run.id), kind="plain") if row.latest_run else "removed"
        return Cell(html=f"Imported results, which are not assessed: {runs}", span=15, tone="mute")
    if row.latest_run is None:
        start = link("start an evaluation", page_links.new_evaluation(row.endpoint.name), kind="plain")
        return Cell(html=f"Not assessed yet: {start}", span=15, tone="mute")
    sign, word, _ = run_progress.STATE_WORDS[row.latest_run.state]
    run = link("look at it", page_links.run(row.latest_run.id), kind="plain")
    return Cell(html=f"Not assessed yet; its latest evaluation: {state(sign, word)}, {run}", span=15, tone="mute")


def _score_cell(score: RequirementScore, *, assessment: Assessment, name: str) -> Cell:
    requirement = score.requirement
    look = score_words.look(score)
    number = f"<b>{score_words.number(score)}</b>" if score.value is not None else ""
    html = link(
        f"{icon(look.sign)}{number}{small(look.short)}",
        page_links.assessment(assessment.id, requirement),
        label=f"{requirement} {name}: {words.spoken(score)}",
    )
    return Cell(html=html, label=requirement_labels.labelled(requirement), tone=look.tone)


def _facts(assessment: Assessment, later: Assessment | None, *, now: datetime) -> tuple[Cell, ...]:
    amount, covers = score_words.energy_short(total(tuple(assessment.energy.values())))
    when = link(score_words.day(assessment.created_at, now=now), page_links.assessment(assessment.id), kind="plain")
    kind = "seeded part" if assessment.subset_note else assessment.suite
    when += small(kind)
    if later is not None:
        day = score_words.day(later.created_at, now=now)
        beside = link("a later one of far fewer items", page_links.assessment(later.id), kind="plain")
        when += f'<span class="small">{beside}: {day}</span>'
    return (
        Cell(html=score_words.covered(assessment), label="Covered", tone="wide"),
        Cell(html=escape(amount) + small(covers), label="Energy", tone="wide"),
        Cell(html=when, label="Last assessment", tone="wide"),
    )
