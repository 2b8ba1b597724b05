"""How a schedule reads: a sign, a word and a tone for its health; its times; where its alerts go."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import evaluators
from domain import words
from domain.choices import Choices, GivenFile
from domain.errors import InvalidTask, UnknownBenchmark
from domain.schedules import (
    Alert,
    AlertState,
    Health,
    Missed,
    Overlap,
    Schedule,
    ScheduleStatus,
    Target,
    TargetKind,
)
from jobs import due
from requirements_map import catalogue


class HealthLook(NamedTuple):
    """A sign, its word and the colour that repeats it."""

    sign: str
    word: str
    tone: str


HEALTH = {
    Health.OK: HealthLook("✔", "ok", "good"),
    Health.REGRESSED: HealthLook("▼", "regression", "bad"),
    Health.FAILING: HealthLook("✖", "failing", "bad"),
    Health.OVERDUE: HealthLook("⚠", "overdue", "bad"),
    Health.RUNNING: HealthLook("▶", "running", "open"),
    Health.WAITING: HealthLook("–", "not run yet", "mute"),
    Health.PAUSED: HealthLook("‖", "paused", "mute"),
}
ALERT = {
    AlertState.PENDING: HealthLook("▶", "on its way", "open"),
    AlertState.DELIVERED: HealthLook("✔", "delivered", "good"),
    AlertState.UNDELIVERED: HealthLook("✖", "not delivered", "bad"),
    AlertState.SHOWN: HealthLook("■", "shown here only", "mute"),
}

#: What becomes of a time at which no worker runs, and of one at which the run before goes on.
MISSED = {Missed.RUN_ONCE: "the latest is made up for", Missed.SKIP: "is skipped"}
OVERLAP = {Overlap.SKIP: "the time is skipped", Overlap.QUEUE: "one run waits behind it"}


def summary(found: Sequence[ScheduleStatus]) -> str:
    """All schedules in one line, the bad ones by name.

    >>> summary([])
    'Nothing is scheduled.'
    """
    if not found:
        return "Nothing is scheduled."
    counts: dict[Health, list[str]] = {}
    for status in found:
        counts.setdefault(status.health, []).append(status.schedule.name)
    parts = []
    for health in Health:
        names = counts.get(health, [])
        if names:
            named = f" ({', '.join(names)})" if health.is_bad else ""
            parts.append(f"{len(names)} {HEALTH[health].word}{named}")
    upcoming = [(s.next_due, s.schedule.timezone) for s in found if s.next_due is not None]
    soonest = f"; next: {due.in_words(*min(upcoming))}" if upcoming else ""
    return f"Scheduled: {', '.join(parts)}{soonest}"


def target(where: Target) -> str:
    """Where an alert goes, without the path of a webhook, which may hold a token."""
    if where.kind is TargetKind.EMAIL:
        return where.address
    parts = urlsplit(where.address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}/{'…' if parts.path.strip('/') else ''}"


def asked(schedule: Schedule) -> str:
    """What a schedule asks."""
    suite = catalogue.load().suites.get(schedule.suite)
    much = extent(schedule.choices, part=suite is not None and suite.part)
    return " · ".join((schedule.suite, ", ".join(schedule.requirements) or "all requirements", much))


def asked_with(schedule: Schedule) -> str:
    """What a schedule asks, with judge and evidence."""
    parts = [asked(schedule)]
    if schedule.choices.judge:
        parts.append(f"judge {schedule.choices.judge}")
    parts += [Path(file.path).name for file in schedule.choices.data_files.values()]
    if schedule.choices.detector:
        parts.append("watermark detector")
    return " · ".join(parts)


def extent(choices: Choices, *, part: bool = False) -> str:
    """How many items of each benchmark; of a suite that asks a part, a quick look unless a limit was given.

    >>> extent(Choices(limit=1)), extent(Choices(quick=True))
    ('at most 1 item', 'quick look')
    >>> extent(Choices(), part=True), extent(Choices(limit=2), part=True)
    ('quick look', 'at most 2 items')
    >>> extent(Choices(samples=5))
    'all items, 5 answers per question where a benchmark can use them'
    """
    much = "quick look" if choices.quick or part else "all items"
    if choices.limit is not None:
        much = f"at most {words.count_text(choices.limit, 'item')}"
    times = "" if choices.samples == 1 else f", {choices.samples} answers per question where a benchmark can use them"
    return much + times


def file_in_words(task: str, file: GivenFile) -> str:
    """A file with what reads it and its hash."""
    try:
        reader = evaluators.find(task)[1].title
    except (UnknownBenchmark, InvalidTask):  # a task of another name, or one that is not known any more
        reader = task
    return f"{Path(file.path).name} for {reader}, sha256 {words.short_hash(file.sha256)}"


def detector(choices: Choices) -> str:
    """The watermark detector, where there is one, with its threshold."""
    at = "" if choices.detector_threshold is None else f", marked from {choices.detector_threshold:g} on"
    return f"{choices.detector}{at}"


def alert_facts(alert: Alert) -> str:
    """Where an alert goes, how often that was tried, and what came back."""
    where = "" if alert.target is None else f"to {target(alert.target)}"
    tried = f"after {words.count_text(alert.attempts, 'attempt')}" if alert.attempts else ""
    facts = " ".join(part for part in (where, tried) if part)
    return f"{facts}: {alert.error}" if alert.error else facts


def alert_line(alert: Alert) -> str:
    """How far the delivery of an alert is, in one sentence."""
    return f"{ALERT[alert.state].word} {alert_facts(alert)}".strip()
