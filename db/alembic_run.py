"""Alembic, called from Python: scripts come from the installed package, the connection from the caller."""

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

#: Package with ``env.py`` and the revisions.
LOCATION = "db:migrations"


def _config(connection: Connection | None = None) -> Config:
    made = Config(attributes={"connection": connection})
    made.set_main_option("script_location", LOCATION)
    return made


def known_revisions() -> frozenset[str]:
    """Revisions this version of VERA knows."""
    return frozenset(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def upgrade(connection: Connection, to: str = "head") -> None:
    """Migrate forwards within the connection's transaction."""
    command.upgrade(_config(connection), to)


def downgrade(connection: Connection, to: str) -> None:
    """Migrate backwards within the connection's transaction."""
    command.downgrade(_config(connection), to)
