"""Run by Alembic: migrates the connection that ``db.migrate`` opened and holds locked."""

from alembic import context

from db.migrations import VERSION_TABLE
from db.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=VERSION_TABLE,
    # SQLite changes a column by copying its table
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
