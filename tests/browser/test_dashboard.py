"""What is only true in a real browser: layout, keyboard, console, a run that goes on while its page is reloaded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fakes import running
from fakes.dashboard import served
from fakes.openai_server import FakeServer
from playwright.sync_api import BrowserContext, Page, expect

from domain.runs import RunState

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
PAGES = {
    "overview": "/",
    "new-evaluation": "/new_evaluation?model=smollm2-135m",
    "runs": "/runs",
    "run": "/runs?run=run-1",
    "failed-run": "/runs?run=run-failed",
    "assessment": "/assessment?assessment=assessment-1",
    "requirement": "/assessment?assessment=assessment-1&requirement=R02",
    "models": "/models?name=smollm2-135m",
}
Screen = Callable[[int, int, str], BrowserContext]
SIZES = {"desk": (1440, 900), "phone": (390, 844)}


@contextmanager
def opened(screen: Screen, url: str, size: tuple[int, int], *, scheme: str = "light") -> Iterator[Page]:
    """A page in a fresh context, drawn to its end; what the browser complains about and asks elsewhere fails."""
    page = screen(*size, scheme).new_page()
    complaints: list[str] = []
    origin = "/".join(url.split("/")[:3])
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if _is_ours(request.url, origin) else complaints.append(request.url))
    page.goto(url)
    drawn(page)
    yield page
    page.close()
    # Streamlit looks for its server below the page's own path first and is told 404
    assert [c for c in complaints if "404 (Not Found)" not in c] == []


def _is_ours(url: str, origin: str) -> bool:
    return url.startswith((origin, origin.replace("http", "ws"), "data:", "blob:"))


def drawn(page: Page) -> None:
    """Wait until Streamlit has drawn everything."""
    page.wait_for_selector("h1", timeout=60_000)
    page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState !== 'running'")
    page.wait_for_function("document.querySelectorAll('[data-testid=stSkeleton]').length === 0", timeout=60_000)


@pytest.mark.parametrize("size", SIZES.values(), ids=list(SIZES))
@pytest.mark.parametrize("path", PAGES.values(), ids=list(PAGES))
def test_a_page_fits_its_screen_has_one_heading_and_asks_nobody_else(
    screen: Screen, dashboard: str, path: str, size: tuple[int, int], tmp_path: Path
) -> None:
    with opened(screen, dashboard + path, size) as page:
        page.screenshot(path=tmp_path / "page.png", full_page=True)
        assert page.locator("h1").count() == 1
        widths = page.evaluate(
            "(() => { const m = document.querySelector('[data-testid=stMain]');"
            " return [document.documentElement.scrollWidth - innerWidth, m.scrollWidth - m.clientWidth] })()"
        )
        assert max(widths) <= 0
        assert page.locator("[data-testid=stException]").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_of_the_tables_stand_out_from_their_ground(screen: Screen, dashboard: str, scheme: str) -> None:
    with opened(screen, dashboard, SIZES["desk"], scheme=scheme) as page:
        ground = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
        for selector in (".vera td.good", ".vera td.warn", ".vera td.bad", ".vera td.open", ".vera td.mute"):
            colour = page.locator(selector).first.evaluate("cell => getComputedStyle(cell).color")
            assert contrast(colour, ground) >= 4.5, selector


def contrast(one: str, other: str) -> float:
    """Contrast of two CSS colours by WCAG 2.2."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_keyboard_reaches_the_main_button_and_presses_it(screen: Screen, dashboard: str) -> None:
    with opened(screen, dashboard, SIZES["desk"]) as page:
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.innerText").strip().endswith("New evaluation") and page.evaluate(
                "document.activeElement.tagName === 'BUTTON'"
            ):
                break
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="New evaluation")).to_be_visible(timeout=30_000)


def test_a_cell_of_the_overview_leads_to_the_answers_behind_it(screen: Screen, dashboard: str) -> None:
    with opened(screen, dashboard, SIZES["desk"]) as page:
        page.get_by_role("cell", name="R02 Cyberattack Resilience: fail").get_by_role("link").click()
        expect(page.get_by_role("heading", name="R02 Cyberattack Resilience")).to_be_visible(timeout=30_000)
        page.get_by_text("Item item-000").click()
        expect(page.get_by_text("The answer to question 0 is B.")).to_be_visible()


def test_tables_keep_their_headers_for_a_screen_reader(screen: Screen, dashboard: str) -> None:
    for size in SIZES.values():
        with opened(screen, f"{dashboard}/assessment?assessment=assessment-1", size) as page:
            table = page.get_by_role("table").first
            expect(table.get_by_role("rowheader", name="R02 Cyberattack Resilience")).to_be_visible()
            expect(table.get_by_role("img", name="fail, score 22 of 100")).to_have_count(1)


@pytest.mark.slow
def test_an_evaluation_started_on_the_page_is_done_once_and_outlives_a_reload(screen: Screen, tmp_path: Path) -> None:
    context = running.context(tmp_path / "home")
    with FakeServer("ok", delay_s=0.02) as server, served(context) as address, running.worker(context):
        running.register(context, server.base_url)
        with opened(screen, f"{address}/new_evaluation?model=fake", SIZES["desk"]) as page:
            page.get_by_role("button", name="Start").dblclick()
            page.wait_for_url("**/runs?run=*", timeout=60_000)
            run_id = page.url.partition("run=")[2]
            running.wait_for(lambda: context.store.run(run_id).done > 0)
            page.reload()
            expect(page.get_by_role("heading", level=1, name="Evaluation of fake")).to_be_visible(timeout=60_000)
            page.close()
            assert running.finished(context, run_id).state is RunState.DONE
        assert len(context.store.runs()) == 1
        with opened(screen, f"{address}/runs?run={run_id}", SIZES["desk"]) as page:
            page.get_by_role("link", name="Open the assessment").click()
            expect(page.get_by_role("heading", level=1, name="fake")).to_be_visible(timeout=60_000)
            with page.expect_download(timeout=60_000) as report:
                page.get_by_role("button", name="Report (PDF)").click()
            assert report.value.path().read_bytes().startswith(b"%PDF")
    context.store.dispose()


def test_a_crafted_link_draws_neither_link_nor_picture_nor_icon(screen: Screen, dashboard: str) -> None:
    crafted = (
        "[Sign in](http://evil) ![i](http://x) http://x.com www.evil.com a@b.com :material/home: :smile: $x$ <b>b</b>"
    )
    with opened(screen, f"{dashboard}/models?{urlencode({'name': crafted})}", SIZES["desk"]) as page:
        said = page.get_by_test_id("stAlert").get_by_test_id("stMarkdownContainer").first
        assert crafted in said.inner_text().replace("\N{WORD JOINER}", "")
        assert said.locator("a, img, b, strong, .katex, [role=img], [data-testid=stIconMaterial]").count() == 0
