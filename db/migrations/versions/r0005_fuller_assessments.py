"""How many items were asked for an assessment, so that a small one does not hide a fuller one."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ASSESSMENTS = sa.table(
    "assessments",
    sa.column("id", sa.String),
    sa.column("body", sa.Text),
    sa.column("n_items", sa.Integer),
    sa.column("basis", sa.Text),
)


def upgrade() -> None:
    op.add_column("assessments", sa.Column("n_items", sa.Integer()))
    op.add_column("assessments", sa.Column("basis", sa.Text()))
    connection = op.get_bind()
    for key in connection.scalars(sa.select(_ASSESSMENTS.c.id)).all():
        text = connection.scalar(sa.select(_ASSESSMENTS.c.body).where(_ASSESSMENTS.c.id == key))
        body = json.loads(str(text))
        changed = sa.update(_ASSESSMENTS).where(_ASSESSMENTS.c.id == key)
        connection.execute(changed.values(n_items=_items(body), basis=_basis(body)))


def _items(body: dict[str, Any]) -> int:
    return sum(_asked(score) for score in body["scores"] if score["status"] != "FAILED")


def _asked(score: dict[str, Any]) -> int:
    headlines = [b.get("headline") for b in score.get("benchmarks", ())]
    asked = sum(headline["n"] for headline in headlines if headline)
    known: int = max(asked, score.get("n", 0), 0 if score.get("value") is None else 1)
    return known


def _basis(body: dict[str, Any]) -> str:
    return json.dumps([body["map_sha256"], body.get("served_model"), body.get("fingerprint")])


def downgrade() -> None:
    op.drop_column("assessments", "basis")
    op.drop_column("assessments", "n_items")
