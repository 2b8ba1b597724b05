"""What a schedule chooses of how its runs ask, in one record: until now a limit and a seed, from now on all of it.

The record of a schedule is JSON, so no column changes. Going back, what the older version does not know is left out,
and a schedule that loses something is paused: it must not measure less than was asked for without anybody's word.
"""

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_SCHEDULES = sa.table(
    "schedules", sa.column("id", sa.String), sa.column("paused", sa.Boolean), sa.column("body", sa.Text)
)
_KNOWN_BEFORE = ("limit", "seed")


def upgrade() -> None:
    _change(_gathered)


def downgrade() -> None:
    _change(_spread)


def _gathered(body: dict[str, Any]) -> dict[str, Any]:
    choices = {name: body.pop(name) for name in _KNOWN_BEFORE if name in body}
    return body | ({"choices": choices} if choices else {})


def _spread(body: dict[str, Any]) -> dict[str, Any]:
    choices = body.pop("choices", {})
    before = {name: choices.pop(name) for name in _KNOWN_BEFORE if name in choices}
    body.pop("priority", None)
    return body | before | ({"paused": True} if choices else {})


def _change(made_of: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    connection = op.get_bind()
    for key, text in connection.execute(sa.select(_SCHEDULES.c.id, _SCHEDULES.c.body)).all():
        body = made_of(json.loads(text))
        changed = sa.update(_SCHEDULES).where(_SCHEDULES.c.id == key)
        connection.execute(changed.values(body=json.dumps(body), paused=bool(body.get("paused"))))
