"""The page docs/cli.md, made from the commands themselves: `python -m app.console.document > docs/cli.md`."""

from collections.abc import Iterator
from typing import Any

import typer

from app import cli

_HEAD = """# Commands

Made by `make docs` from the commands themselves; `vera COMMAND --help` shows the same.

Exit codes: 0 when all is well, 1 when a run or a part of it failed, 2 when the input cannot be used, 130 after Ctrl-C.
Errors are one sentence on standard error. What was answered is kept in every case, and the same `vera evaluate` command
goes on from there. Settings are environment variables: [settings.md](settings.md).
"""
_WIDTH = 100


def page() -> str:
    """The whole page."""
    sections = [
        f"## `{name}`\n\n```text\n{text}\n```\n" for name, text in _helps(typer.main.get_command(cli.app), "vera")
    ]
    return "\n".join([_HEAD, *sections])


def _helps(command: Any, name: str) -> Iterator[tuple[str, str]]:
    """Each command with its help, groups before their commands."""
    context = command.make_context(name, [], resilient_parsing=True, terminal_width=_WIDTH)
    yield name, command.get_help(context).rstrip()
    for sub, part in getattr(command, "commands", {}).items():
        yield from _helps(part, f"{name} {sub}")


if __name__ == "__main__":
    print(page(), end="")
