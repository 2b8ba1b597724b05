"""Processes that run benchmarks, as they last reported."""

from sqlalchemy import delete, select

from db.connection import Connected
from db.tables import WORKERS
from domain.runs import Worker


class Workers(Connected):
    """The Store's part on workers."""

    def heartbeat(self, worker: Worker) -> None:
        """Note that a worker is alive."""
        row = {column.name: getattr(worker, column.name) for column in WORKERS.columns}
        with self._writing() as connection:
            connection.execute(self._upsert(WORKERS), row)

    def workers(self) -> list[Worker]:
        """Workers that reported, latest first; the caller judges by ``heartbeat_at`` which are alive."""
        with self._reading() as connection:
            wanted = select(WORKERS).order_by(WORKERS.c.heartbeat_at.desc(), WORKERS.c.id)
            return [Worker(**row) for row in connection.execute(wanted).mappings()]

    def remove_worker(self, worker_id: str) -> None:
        """Forget a worker that stopped."""
        with self._writing() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.id == worker_id))
