"""A stored assessment as PDF and as its machine-readable card."""

from pathlib import Path
from typing import NamedTuple

from domain.errors import NotFound, UserError
from domain.scores import Assessment
from jobs.context import Context
from reports import evidence, files
from reports import pdf as typesetter
from reports.facts import ArticleReference, PrincipleFacts, ReportFacts, RequirementFacts
from requirements_map import catalogue, legal, summary
from requirements_map.entries import Requirement


class Report(NamedTuple):
    """The decision page and its data."""

    assessment: Assessment
    pdf: bytes
    card: bytes


def report(context: Context, model: str, *, suite: str | None = None) -> Report:
    """The latest assessment of a model as PDF and as card; NotFound when it was never assessed."""
    endpoint = context.store.endpoint(model)
    assessment = context.store.latest_assessment(endpoint.id, suite)
    if assessment is None:
        of_suite = f" with the suite {suite}" if suite else ""
        raise NotFound(f"{endpoint.name} was not yet assessed{of_suite}; run `vera evaluate --model {endpoint.name}`.")
    return Report(assessment, pdf(context, assessment), card(context, assessment))


def pdf(_context: Context, assessment: Assessment) -> bytes:
    """The decision page; equal assessments give equal bytes."""
    return typesetter.render(assessment, catalogue_facts=_facts(assessment))


def card(_context: Context, assessment: Assessment) -> bytes:
    """The same numbers as JSON, with the hash of the answers behind each benchmark."""
    return evidence.text(evidence.bundle(assessment, _facts(assessment))).encode()


def write(made: Report, out: Path) -> tuple[Path, Path]:
    """Write the PDF, and the card beside it under the same name; the paths of both."""
    beside = out.with_suffix(".json")
    if beside == out:
        raise UserError(f"The report is a PDF; {out} would be overwritten by its data. Name a file that ends in .pdf.")
    return files.write_atomically(out, made.pdf), files.write_atomically(beside, made.card)


def _facts(assessment: Assessment) -> ReportFacts:
    """What is printed beside the numbers; the law as it stood on the day of the assessment."""
    maps = catalogue.load()
    known = maps.suites.get(assessment.suite)
    today = assessment.created_at.date()
    return ReportFacts(
        headline=summary.headline(assessment),
        suite_title=known.title if known else assessment.suite,
        principles=tuple(
            PrincipleFacts(id=p.id, name=p.name, note=p.note, requirements=tuple(map(_requirement, p.requirements)))
            for p in maps.principles
        ),
        disclaimer=maps.disclaimer,
        mapping_note=maps.mapping_note,
        legal=tuple(provision.sentence(today) for provision in legal.load()),
        cut_by_design=frozenset(b.key for b in known.benchmarks if b.max_truncated >= 1) if known else frozenset(),
    )


def _requirement(requirement: Requirement) -> RequirementFacts:
    articles = tuple(ArticleReference(ref=r.ref, basis=r.basis.value, note=r.note) for r in requirement.act_refs)
    return RequirementFacts(
        id=requirement.id, name=requirement.name, description=requirement.description, articles=articles
    )
