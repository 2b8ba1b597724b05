"""Alembic's scripts. ``HEAD`` lets a process see without Alembic that there is nothing to do."""

#: Newest revision below ``versions``.
HEAD = "0005"
#: Name of the table with the current revision: a PostgreSQL database may hold other programs' Alembic tables.
VERSION_TABLE = "vera_revision"
