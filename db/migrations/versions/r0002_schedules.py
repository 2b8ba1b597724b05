"""Schedules, what became of each of their times, and alerts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name_key", sa.Text(), nullable=False),
        sa.Column("endpoint_id", sa.String(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_schedules"),
        sa.UniqueConstraint("name_key", name="uq_schedules_name_key"),
        sa.ForeignKeyConstraint(["endpoint_id"], ["endpoints.id"], name="fk_schedules_endpoint_id"),
    )
    op.create_table(
        "firings",
        sa.Column("schedule_id", sa.String(), nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("run_id", sa.String()),
        sa.Column("settled_at", _MOMENT),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("schedule_id", "due_at", name="pk_firings"),
        sa.ForeignKeyConstraint(["schedule_id"], ["schedules.id"], name="fk_firings_schedule_id", ondelete="CASCADE"),
    )
    op.create_index("ix_firings_state_settled_at", "firings", ["state", "settled_at"])
    op.create_table(
        "alerts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("schedule_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_index("ix_alerts_schedule_id_created_at", "alerts", ["schedule_id", "created_at"])
    op.create_index("ix_alerts_state", "alerts", ["state"])


def downgrade() -> None:
    for table in ("alerts", "firings", "schedules"):
        op.drop_table(table)
