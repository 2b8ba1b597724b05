"""What every verb of this room needs, built once by an entry point and handed down."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from db.store import Store, open_store
from domain.errors import InvalidSettings
from domain.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Settings, the store, and the environment in which API keys are looked up by the names that were registered."""

    settings: Settings
    store: Store
    #: Which variables hold keys is only known from the registered models, so the whole environment is handed down.
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)


def open_context(settings: Settings) -> Context:
    """A context of these settings; creates the home folder and migrates the database where needed."""
    try:
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidSettings(f"The folder {settings.home} cannot be made: {error.strerror}; set VERA_HOME.") from error
    return Context(settings=settings, store=open_store(settings.store_url))
