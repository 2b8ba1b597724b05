"""The scorecard of an assessment: principles, requirements, interval bars; the table is the chart."""

from collections.abc import Collection, Mapping
from html import escape

from app.components import page_links, score_words
from app.components.markup import Cell, Row, Table, icon, link, small
from domain import words
from domain.measurements import Interval
from domain.scores import Assessment, RequirementId, RequirementScore, Status
from requirements_map import summary
from requirements_map.catalogue import Catalogue
from requirements_map.entries import Principle, Requirement

#: So many works of a requirement are named in its row; all are where it is opened.
_MOST_WORKS = 5


def table(
    assessment: Assessment,
    *,
    known: Catalogue,
    selected: RequirementId | None = None,
) -> str:
    """The scorecard as HTML, measured requirements and their gaps alike, in the order of the principles."""
    rows: list[Row] = []
    scores = {score.requirement: score for score in assessment.scores}
    cut = cut_by_design(known, assessment.suite)
    for principle in known.principles:
        rows.append(Row(heading=principle.name, note=_note(principle, scores)))
        rows += [
            _row(scores[r.id], assessment=assessment, described=r, cut=cut, selected=r.id is selected)
            for r in principle.requirements
            if r.id.is_measurable and r.id in scores
        ]
    return Table(
        caption="Scores from 0 to 100, higher is better. Bar: 95 % interval; block: score; dashed lines: marks of the "
        "policy. * only a part of the benchmarks was measured.",
        headers=("Requirement", "Verdict", "Score", "0 to 100", "Items", "Coverage", "Unusable answers"),
        rows=rows,
        kind="scorecard",
    ).markup()


def _note(principle: Principle, scores: Mapping[RequirementId, RequirementScore]) -> str:
    measurable = [r.id for r in principle.requirements if r.id.is_measurable and r.id in scores]
    if not measurable:
        return principle.note or "It has no requirement that can be measured on a model."
    with_number = sum(1 for r in measurable if scores[r].value is not None)
    return f"{with_number} of {len(measurable)} requirements measured"


def _row(
    score: RequirementScore, *, assessment: Assessment, described: Requirement, cut: Collection[str], selected: bool
) -> Row:
    look, about = score_words.look(score), words.about(score, most_works=_MOST_WORKS)
    name = link(
        f"{score.requirement.value} {escape(described.name)}", page_links.assessment(assessment.id, score.requirement)
    )
    tags = ", ".join(dict.fromkeys(tag for b in score.benchmarks if b.valid for tag in b.tags))
    verdict = f"{icon(look.sign)}{escape(look.word)}" + (small(tags) if tags else "")
    head = (
        Cell(kind="th", html=name + small(articles(described)) + (small(about) if about else "")),
        Cell(html=verdict, label="Verdict", tone=look.tone),
    )
    facts = (
        _fact(f"{items:,}" if (items := words.items_behind(score)) else None, "Items", numeric=True),
        _fact(coverage(score), "Coverage"),
        _fact(unusable(score, cut), "Unusable answers"),
    )
    if score.value is None:
        why = Cell(html=escape(score.reason or ""), label="Why", tone="mute")
        return Row(selected=selected, cells=(*head, _fact(None, "Score", numeric=True), why, *facts))
    number = f"<b>{score_words.number(score)}</b>" + small(words.interval_text(score.interval))
    bar = scale(score.value, score.interval, score.thresholds, label=words.spoken(score))
    return Row(
        selected=selected,
        cells=(*head, Cell(html=number, label="Score", numeric=True), Cell(html=bar, tone=look.tone), *facts),
    )


def _fact(html: str | None, label: str, *, numeric: bool = False) -> Cell:
    """A cell of a fact; a phone leaves it out where there is none."""
    return Cell(html=html or "—", label=label, numeric=numeric, tone="" if html else "mute blank")


def articles(requirement: Requirement) -> str:
    """The provisions a requirement is relevant to, as they are cited."""
    return ", ".join(reference.ref for reference in requirement.act_refs)


def scale(value: float, interval: Interval | None, thresholds: Mapping[str, float], *, label: str) -> str:
    """A bar from 0 to 100 with interval, score and the policy's marks; its text is the accessible name."""
    marks = "".join(
        f'<span class="tick" style="left:{mark * 100:.1f}%" title="{escape(name.replace("_", " "))}: '
        f'{words.points(mark)}"></span>'
        for name, mark in thresholds.items()
    )
    spread = ""
    if interval is not None:
        low, high = max(interval.low, 0.0), min(interval.high, 1.0)
        spread = f'<span class="range" style="left:{low * 100:.1f}%;width:{(high - low) * 100:.1f}%"></span>'
    point = f'<span class="point" style="left:{value * 100:.1f}%"></span>'
    return f'<span class="scale" role="img" aria-label="{escape(label)}">{spread}{marks}{point}</span>'


def coverage(score: RequirementScore) -> str | None:
    """Benchmarks with a valid result of all, by count, with the share by weight where they differ in it."""
    if not score.benchmarks:
        return None
    valid = sum(1 for b in score.benchmarks if b.valid)
    text = f"{valid} of {len(score.benchmarks)}"
    share = f"{score.coverage:.0%} by weight"
    return text + small(share) if score.status is Status.PARTIAL and score.coverage < 1 else text


def unusable(score: RequirementScore, cut_by_design: Collection[str]) -> str | None:
    """Shares of failed, empty, cut and unreadable answers, the worst benchmark behind the number standing for all."""
    found = words.unusable_words(score, cut_by_design)
    if found is None:
        return None
    return "<br>".join(escape(word) for word in found) if found else "none"


def cut_by_design(known: Catalogue, suite: str) -> frozenset[str]:
    """Benchmarks of a suite that need only the beginning of an answer, so that a cut makes none unusable."""
    found = known.suites.get(suite)
    return frozenset(b.key for b in found.all_benchmarks if b.max_truncated >= 1) if found else frozenset()


def extremes(assessment: Assessment, names: Mapping[RequirementId, str]) -> str | None:
    """What scores lowest and what rests on the weakest evidence, each with its interval; None without a number."""
    lowest, weakest = summary.lowest(assessment.scores), summary.weakest_evidence(assessment.scores)
    if lowest is None or weakest is None:
        return None
    return f"Lowest score: {_named(lowest, names)}. Weakest evidence behind a number: {_named(weakest, names)}."


def _named(score: RequirementScore, names: Mapping[RequirementId, str]) -> str:
    points = words.score_text(score.value, score.interval)
    rests = words.count_text(score.n, "item")
    part = "" if score.coverage >= 1 else f", {words.percent_text(score.coverage)} of the weight"
    spread = words.interval_text(score.interval)
    return f"{score.requirement} {names[score.requirement]}, {points} ({spread}; {rests}{part})"
