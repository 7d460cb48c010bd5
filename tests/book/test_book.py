"""The documentation site: it is built without a warning, and its cells run in a real browser, with nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bestfirst as bf
from api_pages import names_in
from browser import needs_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).parent.parent.parent
HAS_PYODIDE = (ROOT / "book" / "node_modules" / "pyodide" / "pyodide.mjs").exists()
needs_pyodide = pytest.mark.skipif(
    not HAS_PYODIDE, reason="Pyodide is not installed (npm ci in book/): live cells are not tried"
)
START = 40_000
"""Milliseconds in which Python must have started in a browser, on a busy machine."""
ELSEWHERE = re.compile(r"""<(?:script|link|img|iframe)[^>]*?(?:src|href)=["'](?:https?:)?//""")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The directory of the site, and what was said while it was built."""
    directory = tmp_path_factory.mktemp("book")
    command = [sys.executable, str(ROOT / "book" / "build.py"), "--quick", "--out", str(directory / "site")]
    done = subprocess.run([*command, "--work", str(directory / "work")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return directory / "site", done.stderr


@pytest.fixture(scope="module")
def address(built: tuple[Path, str]) -> Iterator[str]:
    """Where the site is served."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built[0]))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def page_at(browser: Browser, address: str, page: str) -> Iterator[Page]:
    """A page of the site; fails afterwards if it wrote to the console, raised an error, or asked another host."""
    wrong: list[str] = []
    opened = browser.new_page(viewport={"width": 1300, "height": 900}, reduced_motion="reduce")
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    own = (address, "blob:", "data:", "about:")
    opened.on("request", lambda request: None if request.url.startswith(own) else wrong.append(request.url))
    try:
        opened.goto(address + page)
        yield opened
    finally:
        opened.close()
    assert not wrong, wrong


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(built: tuple[Path, str]) -> None:
    """With all pages of the documentation, in the order of its list, and nothing that another host would have to send."""
    site, said = built
    assert said == ""
    listed = re.findall(r"\]\(([\w-]+)\.md\)", (ROOT / "docs" / "README.md").read_text())
    text = (site / "index.html").read_text()
    places = [text.index(f'href="{page}.html"') for page in listed]
    assert places[:10] == sorted(places[:10])
    for page in (site / f"{name}.html" for name in ("index", "lessons/index", "api/solving", "examples/coins", *listed)):
        html = page.read_text()
        assert "Content-Security-Policy" in html
        assert not ELSEWHERE.search(html), page


@pytest.mark.slow
def test_every_public_name_is_described() -> None:
    """On one page of the API, and no name that is not there."""
    described = [name for page in (ROOT / "book" / "api").glob("*.md") for name in names_in(page.read_text())]
    assert len(described) == len(set(described))
    assert set(bf.__all__) - {"__version__"} == {name for name in described if "." not in name}


def cell(page: Page, number: int) -> Locator:
    return page.locator(".live").nth(number)


def ended(cell: Locator, *, state: str = "done", within: float = START) -> None:
    """Wait until a cell has been run."""
    cell.page.locator(".live[data-state=done], .live[data-state=failed]").first.wait_for(timeout=within)
    cell.locator("xpath=self::*[@data-state='done' or @data-state='failed']").wait_for(timeout=within)
    assert cell.get_attribute("data-state") == state, cell.inner_text()


SAVED = "greedy = bf.solve(puzzle, 'greedy', heuristic='manhattan', trace=True)\ngreedy.trace.save('run.html')"


@pytest.mark.slow
@needs_browser
@needs_pyodide
def test_cells_run_in_the_browser(browser: Browser, address: str) -> None:
    """A cell runs those above it; it shows boards, the viewer, or what it prints; an error, with the line of the cell.

    A cell that does not end is stopped, and the page answers meanwhile; the next cell starts Python again. A file that a cell
    writes is offered, and shown.
    """
    with page_at(browser, address, "try.html") as page:
        boards, viewer, prints = (cell(page, number) for number in range(3))
        prints.get_by_role("button", name="Run").click()
        ended(prints)
        assert re.search(r"manhattan +cost 26, +[\d,]+ expanded", prints.locator(".cell-output").inner_text())
        assert boards.frame_locator("iframe").locator("svg").count() == 6
        shown = viewer.frame_locator("iframe").locator("#bestfirst-viewer[data-state]")
        shown.wait_for()
        assert shown.get_attribute("data-state") == "ready"
        assert "greedy" in shown.inner_text()
        boards.locator("pre").first.fill("print('so far')\nbf.SlidingTile('1 2')")
        boards.get_by_role("button", name="Run").click()
        ended(boards, state="failed")
        said = boards.locator(".cell-output").inner_text()
        assert "so far" in said
        assert 'File "cell 1", line 2' in said
        assert "bestfirst.errors.InputError" in said
        assert "site-packages" not in said
        boards.locator("pre").first.fill("print('begun')\nwhile True: pass")
        boards.get_by_role("button", name="Run").click()
        boards.locator(".cell-text", has_text="begun").wait_for(timeout=START)
        boards.get_by_role("button", name="Stop").click()
        assert boards.get_attribute("data-state") == "failed"
        assert "Stopped" in boards.locator(".cell-status").inner_text()
        boards.get_by_role("button", name="Undo changes").click()
        viewer.locator("pre").first.fill(SAVED)
        viewer.get_by_role("button", name="Run").click()
        ended(viewer)
        ended(boards)
        assert viewer.locator(".cell-file a").get_attribute("download") == "run.html"
        viewer.frame_locator("iframe").locator("#bestfirst-viewer[data-state=ready]").wait_for()


@pytest.mark.slow
@needs_browser
def test_a_lesson_is_read_watched_and_answered(browser: Browser, address: str) -> None:
    """Its runs are in the viewer; an answer is judged, and explained; what follows a question is hidden until then."""
    with page_at(browser, address, "lessons/01-jumping-tiles.html") as page:
        number, choice = page.locator("form.question").nth(0), page.locator("form.question").nth(1)
        assert not choice.is_visible() and "three white ones" not in page.inner_text("article")
        number.locator("input").fill("8")
        number.get_by_role("button").click()
        assert "No: the answer is 9." in number.inner_text()
        assert "three white ones: 9" in page.inner_text("article")
        choice.get_by_label("yes").check()
        choice.get_by_role("button").click()
        assert "Right." in choice.inner_text()
        assert choice.is_visible()
        page.locator("details.run summary").first.click()
        page.frame_locator("iframe").first.locator("#bestfirst-viewer[data-state=ready]").wait_for()


@pytest.mark.slow
@needs_browser
def test_a_lesson_is_read_without_scripts(browser: Browser, address: str) -> None:
    """Each answer is closed, with everything after it, until the reader opens it."""
    page = browser.new_page(java_script_enabled=False)
    page.goto(address + "lessons/03-eight-puzzle.html")
    answers, questions = page.locator("details.answer summary"), page.locator("form.question")
    for place in range(answers.count()):
        assert [questions.nth(at).is_visible() for at in range(answers.count())].count(True) == place + 1
        assert page.locator("details.answer p").nth(0).is_visible() == (place > 0)
        answers.nth(place).click()
    assert not page.locator(".answers").first.is_visible()
    page.close()


@pytest.mark.slow
@needs_browser
@needs_pyodide
def test_the_studio_works_without_a_server(browser: Browser, address: str) -> None:
    """A search is made and watched, others compared, heuristics examined, a lesson computed; an endless search is stopped."""
    with page_at(browser, address, "studio/index.html") as page:
        page.locator("#studio[data-state=ready]").wait_for(timeout=START)
        search = page.get_by_role("button", name="Search", exact=True)
        page.get_by_label("Record the steps").check()
        search.click()
        page.get_by_text("solved: cost 5 in 5 actions, optimal").wait_for(timeout=START)
        assert page.url.startswith(f"{address}studio/index.html")
        page.click("nav >> text=Compare")
        page.click("button.primary:has-text('Compare')")
        page.locator(".compared td a").first.wait_for(timeout=START)
        page.click("nav >> text=Laboratory")
        page.click(".editor textarea")
        page.keyboard.press("Control+a")
        page.keyboard.type("def h(state):\nreturn 40")
        page.click(".counterexamples button >> nth=0", timeout=START)
        page.wait_for_selector(".example .board")
        page.click("nav >> text=Search")
        page.get_by_label("Instance").fill("_ 1 9 7 / 11 13 5 3 / 14 12 4 2 / 8 6 10 15")
        page.get_by_label("Goal").fill("_ 1 2 3 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15")
        search.click()
        page.get_by_role("button", name="Stop").wait_for(timeout=START)
        assert page.get_by_role("button", name="Pause").count() == 0  # nothing is heard while Python searches
        page.get_by_role("button", name="Stop").click()
        page.get_by_text("stopped").first.wait_for()
        page.get_by_role("link", name="Lessons").click()
        page.get_by_text("How many wrong pairs does the start have?").wait_for(timeout=START)
