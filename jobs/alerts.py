"""Alerts: what is said, and how it reaches a webhook or a mailbox.

A webhook gets one HTTP POST of JSON with the header ``X-Vera-Timestamp`` (Unix seconds) and, where a secret is named,
``X-Vera-Signature: sha256=<hex HMAC-SHA256 of timestamp + "." + body>``. Redirects are not followed. The secret is read
when a message is sent and kept nowhere.
"""

import asyncio
import hashlib
import hmac
import smtplib
import ssl
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

from domain.errors import InvalidSettings
from domain.hashing import canonical_json, sha256_of
from domain.runs import Run, RunState
from domain.schedules import Alert, AlertKind, AlertState, Firing, Schedule, Target, TargetKind
from domain.settings import Settings
from domain.words import moment_text
from jobs import logs, secrets
from jobs.context import Context

TIMEOUT_S = 15.0
_BACKOFF_RATE = 4.0
_LONGEST_WAIT_S = 3600.0
#: Answers that another attempt may change; every other refusal is final.
_PASSING = frozenset({408, 425, 429})


class _NotDelivered(Exception):
    """One attempt failed; the text is shown."""

    def __init__(self, sentence: str, *, final: bool = False) -> None:
        super().__init__(sentence)
        self.final = final


def arising(schedule: Schedule, model: str, firing: Firing, run: Run | None, *, now: datetime) -> list[Alert]:
    """The alerts of a due time that is over: one per target, or one for the page alone; none where all is well."""
    told = _what(schedule, firing, run)
    if told is None:
        return []
    kind, headline, details = told
    targets: Sequence[Target | None] = schedule.targets or (None,)
    return [
        Alert(
            id=sha256_of([schedule.id, firing.due_at, kind, target.key if target else ""])[:16],
            schedule_id=schedule.id,
            schedule_name=schedule.name,
            model=model,
            kind=kind,
            headline=headline,
            details=details,
            run_id=firing.run_id,
            due_at=firing.due_at,
            target=target,
            state=AlertState.PENDING if target else AlertState.SHOWN,
            created_at=now,
            ended_at=None if target else now,
        )
        for target in targets
    ]


def _what(schedule: Schedule, firing: Firing, run: Run | None) -> tuple[AlertKind, str, tuple[str, ...]] | None:
    if run is None:
        reason = firing.reason or "The run it started is gone."
        return AlertKind.RUN_FAILED, f"The schedule {schedule.name} could not start its run.", (reason,)
    if run.state is not RunState.DONE:
        state = run.state.value.replace("_", " ")
        reason = run.reason or "No reason was recorded."
        return AlertKind.RUN_FAILED, f"The run of the schedule {schedule.name} is {state}.", (reason,)
    worse = firing.comparison.regressions if firing.comparison else ()
    if not worse:
        return None
    names = ", ".join(change.requirement.value for change in worse)
    sentences = tuple(change.regression for change in worse if change.regression)
    return AlertKind.REGRESSION, f"The schedule {schedule.name} found a regression: {names}.", sentences


def attempt(context: Context, alert_id: str) -> AlertState:
    """Try once to deliver an alert; PENDING where another attempt is to follow."""
    alert = context.store.alert(alert_id)
    if alert.state is not AlertState.PENDING or alert.target is None:
        return alert.state
    number, now = alert.attempts + 1, datetime.now(UTC)
    try:
        _send(context, alert, alert.target)
    except _NotDelivered as error:
        over = error.final or number >= context.settings.alert_attempts
        told = replace(alert, attempts=number, error=str(error))
        if over:
            told = replace(told, state=AlertState.UNDELIVERED, ended_at=now)
    else:
        told = replace(alert, attempts=number, error=None, state=AlertState.DELIVERED, ended_at=now)
    context.store.update_alert(told)
    return told.state


def wait_before(settings: Settings, attempt_number: int) -> float:
    """Seconds between an attempt and the one before it; the first wait is the setting's, each further four times it.

    >>> [wait_before(Settings(alert_backoff_s=5), n) for n in (2, 3, 4, 9)]
    [5.0, 20.0, 80.0, 3600.0]
    """
    return min(settings.alert_backoff_s * _BACKOFF_RATE ** (attempt_number - 2), _LONGEST_WAIT_S)


def body(context: Context, alert: Alert) -> dict[str, Any]:
    """What a webhook is sent; ``text`` is what chat programs show."""
    return {
        "event": alert.kind,
        "id": alert.id,
        "text": " ".join((alert.headline, *alert.details)),
        "headline": alert.headline,
        "details": list(alert.details),
        "schedule": alert.schedule_name,
        "model": alert.model,
        "due_at": alert.due_at.astimezone(UTC).isoformat(),
        "run": alert.run_id,
        "link": _link(context, alert),
    }


def signature(secret: str, timestamp: str, content: bytes) -> str:
    """What the receiver computes as well, to know that the message is ours and when it was sent.

    >>> signature("key", "1700000000", b"{}")[:23]
    'sha256=9d713ed406bb7076'
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + content, hashlib.sha256)
    return f"sha256={digest.hexdigest()}"


def _send(context: Context, alert: Alert, target: Target) -> None:
    if target.kind is TargetKind.WEBHOOK:
        secret = _secret(context, target.secret_ref, "The secret of the webhook")
        content = canonical_json(body(context, alert)).encode("utf-8", "backslashreplace")
        asyncio.run(_post(target.address, content, _headers(alert, content, secret)))
    else:
        _mail(context, alert, target.address)


def _headers(alert: Alert, content: bytes, secret: str | None) -> dict[str, str]:
    timestamp = str(int(time.time()))
    headers = {"Content-Type": "application/json", "X-Vera-Timestamp": timestamp, "X-Vera-Delivery": alert.id}
    return headers if secret is None else headers | {"X-Vera-Signature": signature(secret, timestamp, content)}


async def _post(url: str, content: bytes, headers: dict[str, str]) -> None:
    import aiohttp  # noqa: PLC0415 - takes a while to import, and most alerts are sent by no process at all

    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session,
            session.post(url, data=content, headers=headers, allow_redirects=False) as answer,
        ):
            status = answer.status
    except TimeoutError as error:
        raise _NotDelivered(f"The webhook did not answer within {TIMEOUT_S:.0f} seconds.") from error
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise _NotDelivered(f"The webhook cannot be reached: {logs.first_line(error)}.") from error
    if not 200 <= status < 300:
        final = status < 500 and status not in _PASSING
        raise _NotDelivered(f"The webhook answered with HTTP {status}.", final=final)


def _mail(context: Context, alert: Alert, to: str) -> None:
    settings = context.settings
    if not settings.smtp_host or not settings.smtp_from:
        raise _NotDelivered("No mail server is set; set VERA_SMTP_HOST and VERA_SMTP_FROM where the worker runs.")
    password = _secret(context, settings.smtp_password_ref, "The password of the mail server")
    secure = ssl.create_default_context()
    try:
        kind: Any = smtplib.SMTP
        options: dict[str, Any] = {"timeout": TIMEOUT_S}
        if settings.smtp_tls == "tls":
            kind, options = smtplib.SMTP_SSL, options | {"context": secure}
        with kind(settings.smtp_host, settings.smtp_port, **options) as server:
            if settings.smtp_tls == "starttls":
                server.starttls(context=secure)
            if settings.smtp_user and password:
                server.login(settings.smtp_user, password)
            server.send_message(_message(context, alert, settings.smtp_from, to))
    except (smtplib.SMTPException, OSError) as error:
        said = logs.first_line(error, password)
        raise _NotDelivered(f"The mail server {settings.smtp_host} did not take the message: {said}.") from error


def _message(context: Context, alert: Alert, sender: str, to: str) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = " ".join(f"VERA: {alert.headline}".split())
    message["From"], message["To"] = sender, to
    message["Date"] = alert.created_at
    message["Message-ID"] = f"<{alert.id}@vera.invalid>"
    facts = [f"Model: {alert.model}", f"Due: {moment_text(alert.due_at)}"]
    facts += [f"Run: {alert.run_id}"] if alert.run_id else []
    link = _link(context, alert)
    facts += [link] if link else []
    message.set_content("\n".join([alert.headline, *(f"- {text}" for text in alert.details), "", *facts]) + "\n")
    return message


def _link(context: Context, alert: Alert) -> str | None:
    if context.settings.public_url is None:
        return None
    page = f"runs?run={alert.run_id}" if alert.run_id else "schedules"
    return f"{context.settings.public_url.rstrip('/')}/{page}"


def _secret(context: Context, reference: str | None, what: str) -> str | None:
    try:
        return secrets.resolve(reference, environ=context.environ, secrets_file=context.settings.secrets_file)
    except InvalidSettings as error:
        raise _NotDelivered(f"{what} ({reference}) cannot be read where the worker runs.") from error
