"""A browser for tests of pages: the system's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: tests in a browser are left out")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser of this test process."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        yield browser
        browser.close()


@contextmanager
def page_of(browser: Browser, *, dark: bool = False) -> Iterator[Page]:
    """A new page; fails afterwards if the page wrote to its console, raised an error, or asked for anything but a file."""
    wrong: list[str] = []
    page = browser.new_page(
        viewport={"width": 1400, "height": 900}, color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(("file:", "blob:")) else None)
    try:
        yield page
    finally:
        page.close()
    assert not wrong, wrong


def opened(page: Page, file: Path) -> None:
    """Open a page that the viewer has written, and wait until it shows the search."""
    page.goto(file.as_uri())
    page.wait_for_selector("#bestfirst-viewer[data-state]")
