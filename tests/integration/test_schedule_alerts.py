"""Alerts reach a webhook and a mailbox, are tried again, and are never lost or sent with their secret."""

import hashlib
import hmac
import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import receivers, running, scheduling, seeded

from domain.errors import NotFound
from domain.runs import RunState
from domain.schedules import Alert, AlertKind, AlertState, Target, TargetKind
from domain.settings import Settings
from jobs import alerts
from jobs.context import Context

SECRET, REFERENCE = "a-signing-secret-0123456789", "env:HOOK_SECRET"


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    opened = running.context(tmp_path / "home")
    opened.store.add_endpoint(seeded.endpoint())
    opened.store.add_schedule(scheduling.schedule())
    yield replace(opened, environ={"HOOK_SECRET": SECRET})
    opened.store.dispose()


def pending(context: Context, target: Target) -> Alert:
    """An alert on its way, kept together with its due time as a worker does."""
    of, night = scheduling.schedule(), scheduling.last_night()
    alert = scheduling.alert(of, night, target=target, state=AlertState.PENDING, attempts=0, error=None, ended_at=None)
    firing = context.store.claim_firing(scheduling.firing(of, night, settled_at=None))
    context.store.settle_firing(replace(firing, settled_at=night), [alert])
    return alert


def hook(url: str, secret_ref: str = REFERENCE) -> Target:
    return Target(kind=TargetKind.WEBHOOK, address=url, secret_ref=secret_ref)


def with_settings(context: Context, **changed: object) -> Context:
    return replace(context, settings=Settings(home=context.settings.home, **changed))


def test_a_webhook_that_answers_500_is_tried_again_and_gets_a_signed_message(context: Context) -> None:
    with receivers.Webhook(500, 200) as webhook:
        alert = pending(context, hook(webhook.url))
        assert alerts.attempt(context, alert.id) is AlertState.PENDING
        waiting = context.store.alert(alert.id)
        assert (waiting.attempts, waiting.error) == (1, "The webhook answered with HTTP 500.")
        assert alerts.attempt(context, alert.id) is AlertState.DELIVERED
        assert alerts.attempt(context, alert.id) is AlertState.DELIVERED
    assert len(webhook.received) == 2
    headers, body = webhook.received[-1]
    signed = headers["X-Vera-Timestamp"].encode() + b"." + body
    assert headers["X-Vera-Signature"] == "sha256=" + hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["X-Vera-Delivery"] == alert.id
    told = json.loads(body)
    assert told["event"] == "regression"
    assert told["text"].startswith("The schedule Nightly found a regression: R06.")
    assert context.store.alert(alert.id).error is None


def test_a_webhook_that_goes_on_answering_500_ends_as_undelivered_with_its_reason(context: Context) -> None:
    context = with_settings(context, alert_attempts=2)
    context = replace(context, environ={"HOOK_SECRET": SECRET})
    with receivers.Webhook(500) as webhook:
        alert = pending(context, hook(webhook.url))
        assert [alerts.attempt(context, alert.id) for _ in range(3)] == [
            AlertState.PENDING,
            AlertState.UNDELIVERED,
            AlertState.UNDELIVERED,
        ]
    assert len(webhook.received) == 2
    kept = context.store.alert(alert.id)
    assert (kept.attempts, kept.error) == (2, "The webhook answered with HTTP 500.")
    assert kept.ended_at is not None


@pytest.mark.parametrize(("status", "state"), [(404, AlertState.UNDELIVERED), (429, AlertState.PENDING)])
def test_a_refusal_that_time_does_not_change_is_not_tried_again(
    context: Context, status: int, state: AlertState
) -> None:
    with receivers.Webhook(status) as webhook:
        alert = pending(context, hook(webhook.url))
        assert alerts.attempt(context, alert.id) is state


def test_a_redirect_is_not_followed(context: Context) -> None:
    with receivers.Webhook() as elsewhere, receivers.Webhook(307, headers={"Location": elsewhere.url}) as webhook:
        alert = pending(context, hook(webhook.url))
        assert alerts.attempt(context, alert.id) is AlertState.UNDELIVERED
    assert elsewhere.received == []


def test_a_dead_port_is_one_sentence_and_tried_again(context: Context) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    alert = pending(context, hook(f"http://127.0.0.1:{port}/vera"))
    assert alerts.attempt(context, alert.id) is AlertState.PENDING
    assert "cannot be reached" in (context.store.alert(alert.id).error or "")


def test_a_missing_secret_sends_nothing_unsigned(context: Context) -> None:
    with receivers.Webhook() as webhook:
        alert = pending(context, hook(webhook.url, "env:NOWHERE"))
        assert alerts.attempt(context, alert.id) is AlertState.PENDING
    assert webhook.received == []
    assert context.store.alert(alert.id).error == (
        "The secret of the webhook (env:NOWHERE) cannot be read where the worker runs."
    )


def test_the_secret_is_nowhere_below_the_home(context: Context) -> None:
    with receivers.Webhook(500) as webhook:
        alerts.attempt(context, pending(context, hook(webhook.url)).id)
    context.store.dispose()
    for file in context.settings.home.rglob("*"):
        assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file


def test_an_alert_by_mail_says_what_got_worse(context: Context) -> None:
    with receivers.MailSink() as sink:
        context = with_settings(
            context, smtp_host="127.0.0.1", smtp_port=sink.port, smtp_from="vera@bank.example", smtp_tls="none",
            public_url="https://vera.bank.example/",
        )  # fmt: skip
        alert = pending(context, Target(kind=TargetKind.EMAIL, address="risk@bank.example"))
        assert alerts.attempt(context, alert.id) is AlertState.DELIVERED
    (message,) = sink.messages
    assert "Subject: VERA: The schedule Nightly found a regression: R06." in message
    assert "To: risk@bank.example" in message
    assert "- The verdict on R06 went from pass to attention." in message
    assert "https://vera.bank.example/runs?run=run-nightly" in message


def test_a_mail_server_that_refuses_or_offers_no_encryption_is_one_sentence(context: Context) -> None:
    target = Target(kind=TargetKind.EMAIL, address="risk@bank.example")
    alert = pending(context, target)
    with receivers.MailSink(refuses=True) as sink:
        plain = {"smtp_host": "127.0.0.1", "smtp_port": sink.port, "smtp_from": "vera@bank.example"}
        assert alerts.attempt(with_settings(context, **plain, smtp_tls="none"), alert.id) is AlertState.PENDING
        assert "did not take the message" in (context.store.alert(alert.id).error or "")
        # starttls is the default, and this server has none
        assert alerts.attempt(with_settings(context, **plain), alert.id) is AlertState.PENDING
        assert "STARTTLS" in (context.store.alert(alert.id).error or "")
    assert sink.messages == []
    assert alerts.attempt(context, alert.id) is AlertState.PENDING
    assert "VERA_SMTP_HOST" in (context.store.alert(alert.id).error or "")


def test_a_run_that_failed_or_never_started_is_told_too() -> None:
    of, night = scheduling.schedule(targets=(scheduling.HOOK,)), scheduling.last_night()
    failed = replace(seeded.run(seeded.endpoint(), state=RunState.FAILED), reason="Every benchmark failed.")
    (alert,) = alerts.arising(of, "m", scheduling.firing(of, night), failed, now=night)
    assert (alert.kind, alert.details) == (AlertKind.RUN_FAILED, ("Every benchmark failed.",))
    unstarted = scheduling.firing(of, night, run_id=None, reason="The model was removed.")
    (alert,) = alerts.arising(of, "m", unstarted, None, now=night)
    assert alert.headline == "The schedule Nightly could not start its run."


def test_a_regression_without_a_target_stands_on_the_page() -> None:
    of, night = scheduling.schedule(), scheduling.last_night()
    firing = scheduling.firing(of, night, comparison=scheduling.comparison())
    (alert,) = alerts.arising(of, "m", firing, seeded.run(seeded.endpoint()), now=night)
    assert (alert.state, alert.target) == (AlertState.SHOWN, None)
    calm = scheduling.firing(of, night)
    assert alerts.arising(of, "m", calm, seeded.run(seeded.endpoint()), now=night) == []


def test_an_alert_nobody_made_is_not_found(context: Context) -> None:
    with pytest.raises(NotFound, match="'nothing'"):
        alerts.attempt(context, "nothing")
