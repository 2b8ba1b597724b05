"""Old runs removed with all that belongs to them, space given back, and a copy of the database."""

import sqlite3
from collections.abc import Collection
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select, text

from db.codec import unpack
from db.connection import Connected, is_sqlite, one_sentence, where
from db.results import EXTENT, Extent, speaking
from db.tables import ASSESSMENTS, METADATA, RUNS
from domain.errors import UserError
from domain.runs import RunState
from domain.scores import Assessment

_OVER = tuple(state for state in RunState if state.is_final)


class Retention(Connected):
    """The Store's part on what is kept for how long."""

    def runs_under_assessments(self) -> set[str]:
        """Ids of the runs under the latest assessment of a model and suite, and under the one that speaks for it."""
        latest_first = select(ASSESSMENTS.c.endpoint_key, *EXTENT)
        latest_first = latest_first.order_by(ASSESSMENTS.c.created_at.desc(), ASSESSMENTS.c.id)
        of: dict[tuple[str, str], list[Extent]] = {}
        with self._reading() as connection:
            for model, *extent in connection.execute(latest_first):
                of.setdefault((model, extent[1]), []).append(Extent(*extent))
            kept = {key for found in of.values() for key in (found[0].id, speaking(found))}
            bodies = list(connection.scalars(select(ASSESSMENTS.c.body).where(ASSESSMENTS.c.id.in_(kept))))
        return {run_id for body in bodies for run_id in unpack(Assessment, body).run_ids}

    def runs_to_remove(self, *, before: datetime | None, beyond: int | None) -> list[str]:
        """Ids, oldest first, of runs that are over, made before a moment and not among so many newest of their model.

        A condition that is None holds for every run.
        """
        newest_first = func.row_number().over(
            partition_by=RUNS.c.endpoint_id, order_by=(RUNS.c.created_at.desc(), RUNS.c.id)
        )
        ranked = select(RUNS.c.id, RUNS.c.created_at, RUNS.c.state, newest_first.label("place")).subquery()
        wanted = select(ranked.c.id).where(ranked.c.state.in_(_OVER)).order_by(ranked.c.created_at, ranked.c.id)
        if before is not None:
            wanted = wanted.where(ranked.c.created_at < before)
        if beyond is not None:
            wanted = wanted.where(ranked.c.place > beyond)
        with self._reading() as connection:
            return list(connection.scalars(wanted))

    def remove_runs(self, run_ids: Collection[str]) -> list[str]:
        """Remove runs with their answers, samples and measurements, one a transaction; those that were removed."""
        removed = []
        for run_id in run_ids:
            with self._writing() as connection:
                # Its state once more: somebody may have gone on with it meanwhile.
                wanted = delete(RUNS).where(RUNS.c.id == run_id, RUNS.c.state.in_(_OVER))
                if connection.execute(wanted).rowcount:
                    removed.append(run_id)
        return removed

    def vacuum(self) -> None:
        """Give the space of removed records back to the disk."""
        with one_sentence(self._engine):
            if is_sqlite(self._engine):
                vacuum_file(Path(str(self._engine.url.database)))
                return
            # It cannot be part of a transaction.
            with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                for table in METADATA.sorted_tables:
                    connection.execute(text(f"VACUUM (ANALYZE) {table.name}"))

    def backup(self, file: Path) -> None:
        """Copy a SQLite database as it was last committed, while others go on writing."""
        if not is_sqlite(self._engine):
            raise UserError(f"{where(self._engine)} is a server's; back it up with pg_dump.")
        if file.exists():
            raise UserError(f"{file} exists already; name a new file.")
        with one_sentence(self._engine):
            copy_file(Path(str(self._engine.url.database)), file)


def vacuum_file(file: Path) -> None:
    """Give the free pages of a SQLite file back to the disk."""
    with closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as connection:
        connection.execute("VACUUM")
        # The log holds the whole file after that; a reader that is under way keeps it for now.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copy_file(source_file: Path, file: Path) -> None:
    """Copy a SQLite file as other processes last committed it; a copy that was cut short does not bear its name."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        with closing(sqlite3.connect(source_file)) as source, closing(sqlite3.connect(partial)) as target:
            source.backup(target)
        partial.rename(file)
    except OSError as error:
        raise UserError(f"The copy {file} cannot be written ({error.strerror}); name another file.") from error
    finally:
        partial.unlink(missing_ok=True)
