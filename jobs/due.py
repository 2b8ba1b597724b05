"""When a schedule falls due. The times are those at which DBOS's scheduler fires, from the same library.

DBOS evaluates the cron text in the schedule's own time zone. In the night in which the clocks go back it would fire a
daily schedule twice, at both 02:30s; here the second one counts only where the cron text asks for every hour. In the
night in which they go forward, a time that does not exist becomes the next that does.
"""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

# The one DBOS uses, so that the times shown are the times fired.
from croniter import CroniterError, croniter  # type: ignore[import-untyped]

from domain.errors import UserError
from domain.schedules import Schedule

_SIX_FIELDS = 6
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def check_timezone(name: str) -> str:
    """The name itself when it is an IANA time zone; a sentence otherwise."""
    if name not in available_timezones():
        raise UserError(f"There is no time zone {name!r}; give its IANA name, for example Europe/Madrid or UTC.")
    return name


def check_cron(cron: str) -> str:
    """The cron text with single spaces; a sentence when it is none, or when its time never comes."""
    text = " ".join(cron.split())
    fields = len(text.split(" "))
    shape = "five fields (minute hour day month weekday) such as '0 2 * * *' for every night at 02:00"
    if not text.startswith("@") and fields not in {5, _SIX_FIELDS}:
        raise UserError(f"{_shown(cron)} is not a cron text; it has {shape}.")
    if not croniter.is_valid(text, second_at_beginning=True) or "R" in text.upper().split(" "):
        raise UserError(f"{_shown(cron)} is not a cron text: a field is unknown or out of its range; it has {shape}.")
    try:
        croniter(text, datetime.now(UTC), second_at_beginning=True).get_next(datetime)
    except CroniterError as error:
        raise UserError(f"The time of the cron text {cron!r} never comes; correct its day or month.") from error
    return text


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


def following(schedule: Schedule, after: datetime) -> Iterator[datetime]:
    """The due times after a moment, in UTC; ends where no further time ever comes."""
    return _counted(schedule, after, forwards=True)


def next_due(schedule: Schedule, after: datetime, *, count: int = 5) -> list[datetime]:
    """The next due times after a moment."""
    return list(itertools.islice(following(schedule, after), count))


def last_due(schedule: Schedule, before: datetime) -> datetime | None:
    """The latest due time up to a moment; None where there was none."""
    return next(_counted(schedule, before, forwards=False), None)


def is_due(schedule: Schedule, moment: datetime) -> bool:
    """Whether a time at which DBOS fired counts: not the repeated one of the night in which the clocks go back."""
    return not _is_repeated(schedule, moment.astimezone(_zone(schedule.timezone)))


def in_words(moment: datetime, timezone: str) -> str:
    """A due time as a person says it.

    >>> from datetime import UTC
    >>> in_words(datetime(2026, 12, 1, 1, 0, tzinfo=UTC), "Europe/Madrid")
    'Tuesday 1 December 2026, 02:00 (Europe/Madrid)'
    """
    local = moment.astimezone(_zone(timezone))
    seconds = f":{local:%S}" if local.second else ""
    day = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {local:%H:%M}{seconds} ({timezone})"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise UserError(f"This machine does not know the time zone {name!r}; install its time zone data.") from error


def _counted(schedule: Schedule, start: datetime, *, forwards: bool) -> Iterator[datetime]:
    local = start.astimezone(_zone(schedule.timezone))
    times = croniter(schedule.cron, local, second_at_beginning=True)
    while True:
        try:
            moment = times.get_next(datetime) if forwards else times.get_prev(datetime)
        except CroniterError:
            return
        if not _is_repeated(schedule, moment):
            # In UTC: Python calls two equal moments unequal where one is written in a doubtful local hour.
            yield moment.astimezone(UTC)


def _is_repeated(schedule: Schedule, local: datetime) -> bool:
    """Whether the clocks showed this time once before today, for a schedule that names its hours."""
    if local.utcoffset() == local.replace(fold=0).utcoffset():
        return False
    fields = schedule.cron.split(" ")
    hour = fields[2] if len(fields) == _SIX_FIELDS else fields[1] if len(fields) > 1 else schedule.cron
    return not (hour.startswith("*") or hour == "@hourly")
