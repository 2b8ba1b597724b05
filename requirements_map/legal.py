"""The state of the law as data: a date in a page or a template would go stale unseen."""

import datetime as dt
import functools
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter

from domain.errors import InvalidSettings
from requirements_map import yaml_file
from requirements_map.entries import STRICT, Text

#: After this age a row is shown with the remark that it has to be checked again.
MAX_AGE = dt.timedelta(days=180)


class LegalState(StrEnum):
    """Whether a provision applies."""

    IN_FORCE = "in_force"
    APPLIES_FROM = "applies_from"
    SUPERSEDED = "superseded"
    PROPOSED = "proposed"


class Confidence(StrEnum):
    """How a row is known."""

    PRIMARY = "primary"
    SECONDARY = "secondary"
    #: reports disagree; never printed
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision:
    """One provision, since when it applies, and who said so."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    id: Text
    instrument: Text
    provision: Text
    scope: Text
    state: LegalState
    date: dt.date
    supersedes: Text | None = None
    source: Text
    source_date: dt.date | None = None
    checked_on: dt.date
    confidence: Confidence

    @property
    def is_printable(self) -> bool:
        """Whether a report may show it."""
        return self.confidence is not Confidence.CONFLICTING

    def is_stale(self, today: dt.date) -> bool:
        """Whether it was last checked too long ago to be relied on."""
        return today - self.checked_on > MAX_AGE

    def sentence(self, today: dt.date) -> str:
        """What a report prints, with how it is known and as of when."""
        what = {
            LegalState.IN_FORCE: f"in force since {self.date.isoformat()}",
            LegalState.APPLIES_FROM: f"applies from {self.date.isoformat()}",
            LegalState.SUPERSEDED: f"superseded on {self.date.isoformat()}",
            LegalState.PROPOSED: f"proposed for {self.date.isoformat()}",
        }[self.state]
        known = "" if self.confidence is Confidence.PRIMARY else ", from secondary sources"
        again = "; check it again, this is more than six months old" if self.is_stale(today) else ""
        return f"{self.instrument}, {self.provision}: {what} (as of {self.checked_on.isoformat()}{known}{again})."


@dataclass(frozen=True, slots=True, kw_only=True)
class _LegalFile:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT
    schema: Literal[1]
    rows: tuple[Provision, ...]


_LEGAL_FILE = TypeAdapter(_LegalFile)


@functools.cache
def load() -> tuple[Provision, ...]:
    """The rows a report may print, in the file's order."""
    name = "legal.yaml"
    text = resources.files("requirements_map").joinpath("data", name).read_bytes()
    return tuple(row for row in parse(text, name=name) if row.is_printable)


def parse(text: bytes, *, name: str) -> tuple[Provision, ...]:
    """All rows of a file, those that must not be printed included."""
    rows = yaml_file.check(_LEGAL_FILE, yaml_file.parse(text, name=name).content, name=name).rows
    ids = [row.id for row in rows]
    for wanted in ids:
        if ids.count(wanted) > 1:
            raise InvalidSettings(f"{name}, rows names {wanted} more than once; keep one of them.")
    return rows
