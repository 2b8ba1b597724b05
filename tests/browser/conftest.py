"""Debian's Chromium, and a dashboard over a seeded home."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes import dashboard as dashboards
from fakes import running, seeded
from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
#: Without these Chromium looks up hosts of its maker at every start.
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module's tests; each opens a context of its own.

    Not for the session: while Playwright's synchronous interface is open, its event loop counts as running in this
    thread, and every `asyncio.run` of a later test of the same process is refused.
    """
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def screen(chromium: Browser) -> Iterator[Callable[[int, int, str], BrowserContext]]:
    """A context per size and colour scheme, kept so that the program's files are loaded once."""
    kept: dict[tuple[int, int, str], BrowserContext] = {}

    def of(width: int, height: int, scheme: str) -> BrowserContext:
        if (width, height, scheme) not in kept:
            size = ViewportSize(width=width, height=height)
            kept[width, height, scheme] = chromium.new_context(viewport=size, color_scheme=scheme)
        return kept[width, height, scheme]

    yield of
    for context in kept.values():
        context.close()


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard over a seeded home; read only."""
    context = running.context(tmp_path_factory.mktemp("home"))
    seeded.seed(context.store, runs=50)
    seeded.seed_failure(context.store)
    with dashboards.served(context) as address:
        yield address
    context.store.dispose()
