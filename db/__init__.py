"""SQL lives here alone: tables, migrations and the one ``Store``, on SQLite and on PostgreSQL.

``db.store.open_store(url)`` is the way in; methods take and return records of ``domain``, rows never leave.
"""
