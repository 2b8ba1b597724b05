"""What every command starts with."""

from domain.settings import Settings
from jobs import logs
from jobs.context import Context, open_context


def open_here() -> Context:
    """Settings of this process, the store, and this process's log below the home folder."""
    settings = Settings.load()
    context = open_context(settings)
    logs.to_file(settings, "vera")
    return context
