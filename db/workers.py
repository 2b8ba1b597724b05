"""Processes that run benchmarks, as they last reported."""

from datetime import datetime

from sqlalchemy import delete, select, update

from db.connection import Connected
from db.tables import WORKERS
from domain.runs import Worker


class Workers(Connected):
    """The Store's part on workers."""

    def heartbeat(self, worker: Worker) -> None:
        """Note that a worker has started, or is still alive."""
        row = {column.name: getattr(worker, column.name) for column in WORKERS.columns}
        with self._writing() as connection:
            connection.execute(self._upsert(WORKERS), row)

    def report_alive(self, worker_id: str, at: datetime) -> bool:
        """Note that a worker is still alive; False when it was forgotten and others have taken its runs over."""
        wanted = update(WORKERS).where(WORKERS.c.id == worker_id)
        with self._writing() as connection:
            return connection.execute(wanted.values(heartbeat_at=at)).rowcount > 0

    def is_known_worker(self, worker_id: str) -> bool:
        """Whether a worker reported and was not forgotten since."""
        with self._reading() as connection:
            return connection.scalar(select(WORKERS.c.id).where(WORKERS.c.id == worker_id)) is not None

    def workers(self) -> list[Worker]:
        """Workers that reported, latest first; the caller judges by ``heartbeat_at`` which are alive."""
        with self._reading() as connection:
            wanted = select(WORKERS).order_by(WORKERS.c.heartbeat_at.desc(), WORKERS.c.id)
            return [Worker(**row) for row in connection.execute(wanted).mappings()]

    def remove_worker(self, worker_id: str) -> None:
        """Forget a worker that stopped."""
        with self._writing() as connection:
            connection.execute(delete(WORKERS).where(WORKERS.c.id == worker_id))
