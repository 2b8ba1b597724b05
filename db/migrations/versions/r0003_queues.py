"""How fast an endpoint may be asked, the queue its runs wait in, and the priority of a run."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("endpoints", sa.Column("requests_per_minute", sa.Integer()))
    op.add_column("endpoints", sa.Column("queue", sa.String()))
    op.add_column("runs", sa.Column("priority", sa.String()))
    op.add_column("workers", sa.Column("queues", sa.Text()))


def downgrade() -> None:
    op.drop_column("workers", "queues")
    op.drop_column("runs", "priority")
    op.drop_column("endpoints", "queue")
    op.drop_column("endpoints", "requests_per_minute")
