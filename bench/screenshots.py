"""Pictures of a running dashboard for the README: `python bench/screenshots.py http://localhost:8501 docs/img`.

Needs Debian's Chromium and the `test` extra.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PAGES = {"overview": "/", "assessment": "/assessment", "runs": "/runs", "models": "/models"}
SIZES = {"": (1440, 1400), "-phone": (390, 844)}


def main(address: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        for suffix, (width, height) in SIZES.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="light")
            for name, path in PAGES.items():
                page = context.new_page()
                page.goto(address + path)
                page.wait_for_selector(".vera", timeout=60_000)
                page.wait_for_function("document.querySelectorAll('[data-testid=stSkeleton]').length === 0")
                page.screenshot(path=folder / f"{name}{suffix}.png")
                page.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), Path(sys.argv[2]))
