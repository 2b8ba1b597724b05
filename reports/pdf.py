"""The decision page as a tagged, archivable PDF (PDF/UA-1 and PDF/A-2a), from a stored assessment."""

import json
import re
from importlib import resources
from typing import Any

from domain.errors import MissingDependency
from domain.scores import Assessment
from reports import printable, view
from reports.facts import ReportFacts

STANDARDS = ("ua-1", "a-2a")

#: How the typesetter names a character that no font at hand can show.
_UNSHOWN = re.compile(r'the text `"(.+?)"` could not be displayed')


def render(assessment: Assessment, *, catalogue_facts: ReportFacts) -> bytes:
    """The PDF; equal input gives equal bytes.

    The typesetter's own fonts are used. Characters they lack are taken from the fonts of the machine, and where it has
    none either, written as their code, so that a model's name never stands in the way of a report.
    """
    page = view.decision_page(assessment, catalogue_facts)
    created = int(assessment.created_at.timestamp())
    unprintable: frozenset[str] = frozenset()
    while True:
        printed = _printed(page, unprintable)
        missing = frozenset[str]()
        for system_fonts in (False, True):
            pdf, missing = _compile(printed, created=created, system_fonts=system_fonts)
            if pdf is not None:
                return pdf
        unprintable |= missing


def _compile(page: dict[str, Any], *, created: int, system_fonts: bool) -> tuple[bytes | None, frozenset[str]]:
    """The PDF, or the characters that cannot be shown."""
    typst = _typst()
    compiler = typst.Compiler(
        resources.files("reports").joinpath("templates", "decision.typ").read_bytes(),
        ignore_system_fonts=not system_fonts,
        # Data, never markup: the template shows these strings as text whatever they hold.
        sys_inputs={"page": json.dumps(page, ensure_ascii=False)},
    )
    try:
        return compiler.compile(format="pdf", pdf_standards=list(STANDARDS), timestamp=created), frozenset()
    except typst.TypstError as error:
        missing = frozenset("".join(_UNSHOWN.findall(error.diagnostic)))
        if not missing:
            raise
        return None, missing


def _printed(value: Any, unprintable: frozenset[str]) -> Any:
    if isinstance(value, str):
        return printable.breakable(printable.visible(value, unprintable))
    if isinstance(value, dict):
        return {key: _printed(item, unprintable) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_printed(item, unprintable) for item in value]
    return value


def _typst() -> Any:
    try:
        import typst  # noqa: PLC0415 - heavy, and only needed when a report is made
    except ImportError as error:
        raise MissingDependency(
            "Reports need the package typst, which is not installed; run: pip install typst"
        ) from error
    return typst
