"""The overview: a row per registered model, a cell per measurable requirement, each leading to its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape

from app.components import page_links, requirement_labels, score_words
from app.components.markup import Cell, Row, Table, icon, link, small
from domain.endpoints import Endpoint
from domain.energy import total
from domain.runs import Run
from domain.scores import Assessment, RequirementId, RequirementScore


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRow:
    """A registered model with its latest assessment and its latest run, where there are any."""

    endpoint: Endpoint
    assessment: Assessment | None = None
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
    assessment = row.assessment
    model = link(escape(row.endpoint.name), page_links.model(row.endpoint.name))
    name = Cell(kind="th", html=model + small(row.endpoint.model))
    scores = {score.requirement: score for score in assessment.scores} if assessment else {}
    cells = [
        _score_cell(scores.get(requirement), requirement, assessment=assessment, name=names[requirement])
        for requirement in requirement_labels.MEASURABLE
    ]
    return Row(cells=(name, *cells, *_facts(row, now=now)))


def _score_cell(
    score: RequirementScore | None, requirement: RequirementId, *, assessment: Assessment | None, name: str
) -> Cell:
    label = f"{requirement.value} {requirement_labels.SHORT_NAMES[requirement].replace('­', '')}"
    if score is None or assessment is None:
        return Cell(html=icon("–") + small("not run"), label=label, tone="mute")
    look = score_words.look(score)
    number = f"<b>{score_words.number(score)}</b>" if score.value is not None else ""
    spoken = f"{requirement.value} {name}: {score_words.spoken(score)}"
    html = link(
        f"{icon(look.sign)}{number}{small(look.short)}",
        page_links.assessment(assessment.id, requirement),
        label=spoken,
    )
    return Cell(html=html, label=label, tone=look.tone)


def _facts(row: ModelRow, *, now: datetime) -> tuple[Cell, ...]:
    assessment = row.assessment
    if assessment is None:
        status = "none yet"
        if row.latest_run is not None:
            status = link(f"run: {escape(row.latest_run.state.replace('_', ' '))}", page_links.run(row.latest_run.id))
        return (
            Cell(html="0 of 12", label="Covered"),
            Cell(html="not measured", label="Energy", tone="wide mute"),
            Cell(html=status, label="Last assessment", tone="wide"),
        )
    energy = total(tuple(assessment.energy.values()))
    amount, covers = score_words.energy_short(energy)
    when = link(score_words.day(assessment.created_at, now=now), page_links.assessment(assessment.id))
    kind = "seeded part" if assessment.subset_note else assessment.suite
    return (
        Cell(html=score_words.covered(assessment), label="Covered"),
        Cell(html=escape(amount) + small(covers), label="Energy", tone="wide"),
        Cell(html=when + small(kind), label="Last assessment", tone="wide"),
    )
