"""The pages on commands and settings say what the program does."""

import re
from pathlib import Path

from app.console import document
from domain.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_on_commands_is_what_the_commands_say_of_themselves() -> None:
    assert (DOCS / "cli.md").read_text() == document.page(), "run: python -m app.console.document > docs/cli.md"


def test_every_setting_is_documented_and_nothing_else_is() -> None:
    documented = re.findall(r"^\| `(VERA_[A-Z_]+)` \|", (DOCS / "settings.md").read_text(), flags=re.MULTILINE)
    assert documented == [f"VERA_{name.upper()}" for name in Settings.model_fields]


def test_the_defaults_in_the_page_on_settings_are_those_of_the_program() -> None:
    page = (DOCS / "settings.md").read_text()
    for name in ("host", "port", "worker_parallel", "smtp_port", "smtp_tls", "alert_attempts", "alert_backoff_s"):
        assert f"| `VERA_{name.upper()}` | `{Settings.model_fields[name].default}` |" in page
