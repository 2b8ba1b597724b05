"""Registered models and what their probes found."""

import difflib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import RowMapping, exc, insert, or_, select, update

from db.codec import unpack
from db.columns import fold
from db.connection import Connected
from db.tables import CAPABILITIES, ENDPOINTS
from domain.endpoints import Capabilities, Endpoint
from domain.errors import UnknownModel, UserError

_FIELDS = tuple(c for c in ENDPOINTS.columns if c.name not in {"name_key", "removed_at"})


class Endpoints(Connected):
    """The Store's part on registered models."""

    def add_endpoint(self, endpoint: Endpoint) -> None:
        """Register a model; its name must be free, whatever its case and accents."""
        try:
            with self._writing() as connection:
                connection.execute(insert(ENDPOINTS).values(_values(endpoint)))
        except exc.IntegrityError as error:
            raise _name_taken(endpoint.name) from error

    def update_endpoint(self, endpoint: Endpoint) -> None:
        """Change a registered model; found by its id."""
        changed = update(ENDPOINTS).where(ENDPOINTS.c.id == endpoint.id, ENDPOINTS.c.removed_at.is_(None))
        try:
            with self._writing() as connection:
                found = connection.execute(changed.values(_values(endpoint))).rowcount
        except exc.IntegrityError as error:
            raise _name_taken(endpoint.name) from error
        if not found:
            raise self._unknown(endpoint.name)

    def remove_endpoint(self, name_or_id: str) -> None:
        """Take a model off the list and free its name; its runs and assessments stay."""
        endpoint = self.endpoint(name_or_id)
        removed = update(ENDPOINTS).where(ENDPOINTS.c.id == endpoint.id, ENDPOINTS.c.removed_at.is_(None))
        with self._writing() as connection:
            connection.execute(removed.values(removed_at=datetime.now(UTC)))

    def endpoints(self) -> list[Endpoint]:
        """Registered models by name."""
        with self._reading() as connection:
            wanted = select(*_FIELDS).where(ENDPOINTS.c.removed_at.is_(None)).order_by(ENDPOINTS.c.name_key)
            return [_endpoint(row) for row in connection.execute(wanted).mappings()]

    def endpoint(self, name_or_id: str) -> Endpoint:
        """One model by its name, or by its id even when it was removed; UnknownModel names near matches."""
        named = (ENDPOINTS.c.name_key == fold(name_or_id)) & ENDPOINTS.c.removed_at.is_(None)
        wanted = select(*_FIELDS).where(or_(ENDPOINTS.c.id == name_or_id, named))
        with self._reading() as connection:
            rows = connection.execute(wanted).mappings().all()
        if not rows:
            raise self._unknown(name_or_id)
        return next((_endpoint(row) for row in rows if row["id"] == name_or_id), _endpoint(rows[0]))

    def save_capabilities(self, capabilities: Capabilities) -> None:
        """Keep the result of a probe beside the earlier ones."""
        with self._writing() as connection:
            connection.execute(
                insert(CAPABILITIES).values(
                    endpoint_id=capabilities.endpoint_id, probed_at=capabilities.probed_at, body=capabilities
                )
            )

    def capabilities(self, endpoint_id: str) -> Capabilities | None:
        """What the latest probe found; None before the first."""
        history = self.capability_history(endpoint_id, limit=1)
        return history[0] if history else None

    def capability_history(self, endpoint_id: str, *, limit: int = 50) -> list[Capabilities]:
        """Probes of one model, latest first."""
        wanted = (
            select(CAPABILITIES.c.body)
            .where(CAPABILITIES.c.endpoint_id == endpoint_id)
            .order_by(CAPABILITIES.c.probed_at.desc(), CAPABILITIES.c.id.desc())
            .limit(limit)
        )
        with self._reading() as connection:
            return [unpack(Capabilities, body) for body in connection.scalars(wanted)]

    def _unknown(self, name: str) -> UnknownModel:
        by_key = {fold(endpoint.name): endpoint.name for endpoint in self.endpoints()}
        near = [by_key[key] for key in difflib.get_close_matches(fold(name), by_key, n=3, cutoff=0.5)]
        if near:
            return UnknownModel(f"No model named {name!r} is registered; did you mean {' or '.join(map(repr, near))}?")
        return UnknownModel(f"No model named {name!r} is registered; `vera models list` shows the names.")


def _values(endpoint: Endpoint) -> dict[str, Any]:
    return {column.name: getattr(endpoint, column.name) for column in _FIELDS} | {"name_key": fold(endpoint.name)}


def _endpoint(row: RowMapping) -> Endpoint:
    return Endpoint(**row)


def _name_taken(name: str) -> UserError:
    return UserError(f"A model named {name!r} is already registered; choose another name or remove that one.")
