"""The form of a schedule. What comes back is checked again by the verb that keeps it, whatever the browser sent."""

from collections.abc import Sequence
from datetime import time
from zoneinfo import available_timezones

import streamlit as st

from app.components import schedule_choices, schedule_words
from app.components.foreign import plain
from domain.errors import UserError
from domain.runs import Priority
from domain.schedules import Missed, Overlap, Schedule, Target, TargetKind
from jobs import schedules
from jobs.context import Context
from jobs.endpoints import askable
from jobs.judges import Candidate

NIGHT, WORKDAYS, WEEK, MONTH, TEXT = "Every day", "Monday to Friday", "Every Sunday", "First of the month", "Cron text"
#: Day, month and weekday of each choice.
_DAYS = {NIGHT: "* * *", WORKDAYS: "* * 1-5", WEEK: "* * 0", MONTH: "1 * *"}


def cron_of(day: str, at: time) -> str:
    """The cron text of a choice of days and a time of day.

    >>> cron_of(WORKDAYS, time(2, 30))
    '30 2 * * 1-5'
    """
    return f"{at.minute} {at.hour} {_DAYS[day]}"


def choice_of(cron: str) -> tuple[str, time]:
    """The choice behind a cron text; the text itself where it is another.

    >>> choice_of("30 2 * * 1-5"), choice_of("*/5 * * * *")[0]
    (('Monday to Friday', datetime.time(2, 30)), 'Cron text')
    """
    minute, _, rest = cron.partition(" ")
    hour, _, days = rest.partition(" ")
    for choice, pattern in _DAYS.items():
        if days == pattern and minute.isdecimal() and hour.isdecimal() and int(minute) < 60 and int(hour) < 24:
            return choice, time(int(hour), int(minute))
    return TEXT, time(2, 0)


def show(context: Context, old: Schedule | None, candidates: Sequence[Candidate]) -> schedules.Wanted | None:
    """The form with the next five times below what is entered; what was entered once it is sent."""
    part = f"schedule_{old.id if old else 'new'}"
    models = {endpoint.name: endpoint for endpoint in askable(context)}
    names = list(models)
    with st.grid(2, min_column_width=280):
        name = st.text_input("Name", old.name if old else "", key=f"{part}_name", placeholder="Nightly, mistral-small")
        current = next((e.name for e in models.values() if old and e.id == old.endpoint_id), names[0])
        model = st.selectbox("Model", names, index=names.index(current), key=f"{part}_model")
    asked = schedule_choices.show(context, old, form=part, model=models[model], candidates=candidates)
    cron, timezone = _when(old, part)
    missed, overlap = _rules(old, part)
    targets = _targets(old, part)
    policy = st.text_input(
        "Policy file that judges a regression",
        (old.policy_file or "") if old else "",
        key=f"{part}_policy",
        placeholder="empty: the policy of this installation",
    )
    if not st.button("Save" if old else "Add", type="primary", key=f"{part}_send"):
        return None
    return schedules.Wanted(
        name=name,
        model=model,
        **asked._asdict(),
        priority=old.priority if old else Priority.NORMAL,
        policy_file=policy.strip() or None,
        cron=cron,
        timezone=timezone,
        missed=missed,
        overlap=overlap,
        targets=targets(),
    )


def _when(old: Schedule | None, part: str) -> tuple[str, str]:
    day, at = choice_of(old.cron) if old else (NIGHT, time(2, 0))
    with st.grid(2, min_column_width=280):
        picked = st.selectbox("Days", [*_DAYS, TEXT], index=[*_DAYS, TEXT].index(day), key=f"{part}_days")
        if picked == TEXT:
            cron = st.text_input(
                "Minute, hour, day, month, weekday", old.cron if old else "0 2 * * *", key=f"{part}_cron"
            )
        else:
            cron = cron_of(picked, st.time_input("Time", at, key=f"{part}_time", step=300) or at)
        zones = sorted(available_timezones())
        zone = old.timezone if old else st.context.timezone or "UTC"
        timezone = st.selectbox(
            "Time zone", zones, index=zones.index(zone if zone in zones else "UTC"), key=f"{part}_zone"
        )
    try:
        times = schedules.preview(cron, timezone)
    except UserError as error:
        st.warning(plain(error.sentence), icon=":material/warning:")
    else:
        st.caption(f"Next: {'; '.join(moment.rsplit(' (', 1)[0] for moment in times)}.")
    return cron, timezone


def _rules(old: Schedule | None, part: str) -> tuple[Missed, Overlap]:
    with st.grid(2, min_column_width=280):
        missed = st.selectbox(
            "A time at which no worker runs",
            list(Missed),
            index=list(Missed).index(old.missed) if old else 0,
            format_func=schedule_words.MISSED.__getitem__,
            key=f"{part}_missed",
        )
        overlap = st.selectbox(
            "A time at which the run before goes on",
            list(Overlap),
            index=list(Overlap).index(old.overlap) if old else 0,
            format_func=schedule_words.OVERLAP.__getitem__,
            key=f"{part}_overlap",
        )
    return missed or Missed.RUN_ONCE, overlap or Overlap.SKIP


class _Entered:
    """Addresses as entered; checked when the form is sent, so that half a word is no error."""

    def __init__(self, webhooks: str, secret_ref: str, mailboxes: str) -> None:
        self._webhooks, self._secret_ref, self._mailboxes = webhooks.split(), secret_ref.strip(), mailboxes.split()

    def __call__(self) -> tuple[Target, ...]:
        secret_ref = self._secret_ref or None
        return (
            *(schedules.target(TargetKind.WEBHOOK, url, secret_ref=secret_ref) for url in self._webhooks),
            *(schedules.target(TargetKind.EMAIL, address) for address in self._mailboxes),
        )


def _targets(old: Schedule | None, part: str) -> _Entered:
    known = old.targets if old else ()
    webhooks = [target for target in known if target.kind is TargetKind.WEBHOOK]
    mailboxes = [target.address for target in known if target.kind is TargetKind.EMAIL]
    with st.grid(2, min_column_width=280):
        urls = st.text_area(
            "Webhooks that are told when something got worse or failed",
            "\n".join(target.address for target in webhooks),
            key=f"{part}_webhooks",
            placeholder="https://hooks.bank.example/vera",
            height=80,
        )
        addresses = st.text_area(
            "Mailboxes that are told",
            "\n".join(mailboxes),
            key=f"{part}_mailboxes",
            placeholder="model-risk@bank.example",
            height=80,
        )
        secret = st.text_input(
            "Name of the signing secret of the webhooks",
            next((target.secret_ref for target in webhooks if target.secret_ref), "") or "",
            key=f"{part}_secret",
            placeholder="env:VARIABLE or file:ENTRY",
            help="Only this name is stored. The secret stays where it is and is read when a message is sent.",
        )
    return _Entered(urls, secret, addresses)
