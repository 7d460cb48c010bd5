"""The pages of the studio, in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser import needs_browser
from served import Served, studio_is_installed

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [needs_browser, studio_is_installed, pytest.mark.slow]
WAIT = 30_000
"""Milliseconds within which something must appear."""


@pytest.fixture
def page(studio: Served, browser: Browser) -> Iterator[Page]:
    """A page that shows the studio. Fails afterwards if it wrote to its console, raised an error, or asked anyone else."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(WAIT)
    page = context.new_page()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    ours = (f"http://127.0.0.1:{studio.port}/", "data:", "blob:")
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith(ours) else None)
    page.goto(studio.address)
    page.wait_for_selector("#studio[data-state=ready]")
    try:
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def _choose(page: Page, label: str, value: str) -> None:
    page.locator(".field", has_text=re.compile(f"^{label}", re.IGNORECASE)).first.locator("select").select_option(value)


def _search(page: Page) -> None:
    page.click("button.primary:has-text('Search')")
    page.wait_for_selector(".solved")


def test_a_search_is_typed_run_and_watched(page: Page, studio: Served) -> None:
    """The board is shown while it is typed, errors and insolvability in words; then the search, its plan and the viewer."""
    assert page.url == f"http://127.0.0.1:{studio.port}/"
    page.wait_for_selector(".look .board")
    page.fill("textarea", "2 8 3 / 1 6 4 / 7 7 5")
    assert "repeats 7" in page.inner_text(".notice.bad")
    page.fill("textarea", "2 1 3 / 8 _ 4 / 7 6 5")
    page.wait_for_selector(".notice:has-text('There is no solution: parity')")
    page.fill("textarea", "2 8 3 / 1 6 4 / 7 _ 5")
    page.wait_for_selector(".board[aria-label='2 8 3 1 6 4 7 _ 5']")
    _choose(page, "Algorithm", "astar")
    _choose(page, "Heuristic", "manhattan")
    page.check("text=Record the steps")
    _search(page)
    assert page.inner_text(".solved h2") == "solved: cost 5 in 5 actions, optimal (proved)"
    assert page.locator(".path li").count() == 6
    page.click("summary:has-text('The same on the command line')")
    page.wait_for_selector("pre:has-text('--algorithm astar --heuristic manhattan')")
    page.click("button:has-text('Watch the search')")
    page.wait_for_selector(".watch .sentence:has-text('Finds a goal, with cost 5.')")
    page.click(".watch .close")
    page.reload()
    page.wait_for_selector(".board[aria-label='2 8 3 1 6 4 7 _ 5']")


def test_boards_and_maps_are_edited(page: Page) -> None:
    """Tiles slide and are swapped, lights switched, walls drawn, start and goal placed; the page says why one cannot be solved."""
    cells = page.locator(".look .board").first.locator(".cell")
    cells.nth(4).click()
    page.wait_for_selector(".board[aria-label='2 8 3 1 _ 4 7 6 5']")
    assert page.input_value("textarea") == "2 8 3 / 1 _ 4 / 7 6 5"
    cells.nth(0).drag_to(cells.nth(1))
    page.wait_for_selector(".notice:has-text('There is no solution: parity')")
    assert page.input_value("textarea") == "8 2 3 / 1 _ 4 / 7 6 5"
    cells.nth(0).press("Enter")
    cells.nth(1).press("Enter")
    page.wait_for_selector(".notice", state="detached")
    _choose(page, "Problem", "lights-out")
    page.wait_for_selector(".board[aria-label^='_ *'] >> nth=0")
    page.locator(".look .board").first.locator(".cell").nth(0).click()
    assert page.input_value("textarea") == "110/111/010"
    _choose(page, "Problem", "grid-map")
    page.fill("textarea", "..../..../....")
    page.wait_for_selector(".map[viewBox^='-0.5 -0.5 4 3']")
    box = page.locator(".map").bounding_box()
    assert box is not None
    side = min(box["width"] / 4, box["height"] / 3)

    def at(x: int, y: int) -> tuple[float, float]:
        assert box is not None
        return box["x"] + (box["width"] - 4 * side) / 2 + (x + 0.5) * side, box["y"] + (y + 0.5) * side

    page.mouse.move(*at(2, 0))
    page.mouse.down()
    page.mouse.move(*at(2, 1))
    page.mouse.move(*at(2, 2))
    page.mouse.up()
    assert page.input_value("textarea") == "..@.\n..@.\n..@."
    page.wait_for_selector(".notice:has-text('only 6 places can be reached from the start')")
    page.click("button:text-is('Goal')")
    page.mouse.click(*at(1, 2))
    assert page.locator(".field", has_text=re.compile("^goal")).locator("input").input_value() == "1,2"
    page.wait_for_selector(".notice", state="detached")


def test_a_long_search_shows_its_progress_and_stops(page: Page) -> None:
    """With what is known by then."""
    page.select_option("select[aria-label=example]", "2")
    _choose(page, "Algorithm", "idastar")
    _choose(page, "Heuristic", "misplaced")
    page.wait_for_selector(".board[aria-label^='15 14 8 12']")
    page.click("button.primary:has-text('Search')")
    page.wait_for_selector(".run .figure:has-text('lower bound')")
    page.wait_for_selector(".run polyline")
    page.click("button:has-text('Stop')")
    page.wait_for_selector("h2:has-text('interrupted: no solution found so far; no solution costs less than')")


def test_a_search_is_watched_while_it_runs(page: Page) -> None:
    """It begins paused, goes on by a step, and to its end; the viewer grows with it."""
    page.wait_for_selector(".look .board")
    _choose(page, "Algorithm", "astar")
    _choose(page, "Heuristic", "manhattan")
    page.check("text=Record the steps")
    page.check("text=Begin paused")
    page.click("button.primary:has-text('Search')")
    page.click("button:text-is('Step')")
    page.click("button:text-is('Watch it while it runs')")
    page.wait_for_selector(".watch .running")
    page.wait_for_selector(".watch .sentence")
    page.click(".watch button:text-is('Step')")
    page.click(".watch button:text-is('Go on')")
    page.wait_for_selector(".watch .sentence:has-text('Finds a goal, with cost 5.')")
    page.wait_for_selector(".watch .running", state="detached")
    page.click(".watch .close")
    page.wait_for_selector(".solved h2:has-text('cost 5 in 5 actions')")
    page.click("button.primary:has-text('Search')")
    page.click("button:text-is('Step')")
    page.click("button:text-is('Stop')")
    page.wait_for_selector(".solved h2:has-text('interrupted')")


@pytest.mark.parametrize("problem", ["grid-map", "rubiks-cube", "water-jugs"])
def test_other_problems_are_drawn_and_solved(page: Page, problem: str) -> None:
    """Maps with their path, cubes, and drawings in letters; random ones too."""
    _choose(page, "Problem", problem)
    page.wait_for_selector(
        {"rubiks-cube": ".look .board", "tree": ".look .drawn", "water-jugs": ".look img.drawn"}.get(
            problem, ".look .map circle"
        )
    )
    _search(page)
    page.wait_for_selector(".solved .map polyline" if problem.endswith("map") else ".path li")
    before = page.input_value("textarea")
    page.click("button:text-is('Random')")
    for _ in range(50):
        if page.input_value("textarea") != before:
            break
        page.wait_for_timeout(100)
    assert page.input_value("textarea") != before


def test_a_model_is_solved_and_its_result_drawn(page: Page) -> None:
    """From the text of an instance file; a mistake in it is told with its line."""
    _choose(page, "Problem", "bin-packing")
    page.wait_for_selector(".look img.drawn")
    _search(page)
    page.wait_for_selector(".solved .result img.drawn")
    page.fill("textarea", "2 9\n4 x")
    page.wait_for_selector("text=the instance, line 2: size 2 of 2 is 'x'")


def test_a_game_is_played_against_the_engine(page: Page) -> None:
    """Moves are clicked on the board; scores are shown, moves taken back, and the end is announced."""
    page.click("nav >> text=Play")
    _choose(page, "Game", "tic-tac-toe")
    page.wait_for_selector(".turn:has-text('X to move (a person)')")
    _choose(page, "O", "1")
    page.check("text=Show the score of each move")
    page.wait_for_selector(".standing:has-text('solved')")
    assert page.locator(".mark").count() == 9
    assert page.locator(".moves b").all_inner_texts() == ["draw"] * 9
    page.locator(".square").nth(4).click()
    page.locator(".played .move").nth(1).wait_for()
    page.click("text=Take back")
    page.wait_for_selector(".gameboard:not(:has(.letter))")
    assert page.locator(".played .move[aria-current]").count() == 0
    _choose(page, "O", "person")
    for square in (0, 3, 1, 4, 2):
        page.locator(".square").nth(square).click()
        page.wait_for_selector(f".letter >> nth={(0, 3, 1, 4, 2).index(square)}")
    page.wait_for_selector(".turn:has-text('X has won.')")


def test_a_position_is_set_up_analysed_and_its_tree_watched(page: Page) -> None:
    """Variations are kept beside the main line; the tree of the search opens in the viewer; a wrong position is explained."""
    page.click("nav >> text=Play")
    _choose(page, "Game", "tic-tac-toe")
    page.wait_for_selector(".turn:has-text('X to move (a person)')")
    _choose(page, "O", "person")
    page.click("summary:has-text('Set up a position')")
    page.fill("[aria-label=position]", "XXX/XX./...")
    page.click("button:text-is('Set up')")
    page.wait_for_selector(".notice.bad:has-text('has 5 X and 0 O')")
    page.fill("[aria-label=position]", "X.X/O.O/...")
    page.click("button:text-is('Set up')")
    page.wait_for_selector(".letter >> nth=3")
    page.locator(".square").nth(8).click()
    page.wait_for_selector(".played .move[aria-current]:text-is('c3')")
    page.click("button[aria-label='a move back']")
    page.wait_for_selector(".turn:has-text('X to move')")
    page.locator(".square").nth(4).click()
    page.wait_for_selector(".variation .move[aria-current]:text-is('b2')")
    page.click("button:text-is('Make it the main line')")
    page.wait_for_selector(".line > .move[aria-current]:text-is('b2')")
    page.click("summary:has-text('The tree of the search')")
    page.click("button:text-is('Show the tree')")
    page.wait_for_selector(".watch .sentence:has-text('Ends with the value')")


def test_two_engines_play_a_match_that_can_be_paused(page: Page) -> None:
    """The results are counted for the first player, who changes sides."""
    page.click("nav >> text=Play")
    _choose(page, "Game", "nim")
    page.click("summary:has-text('Match of two engines')")
    _choose(page, "first", "0")
    _choose(page, "second", "0")
    page.locator("label:has-text('games') input").fill("2")
    page.click("button:text-is('Start the match')")
    page.click("button:text-is('Pause')")
    page.wait_for_selector("button:text-is('Go on')")
    page.click("button:text-is('Go on')")
    page.wait_for_selector(".score-line:has-text('by the first player.')")
    assert sum(map(int, re.findall(r"\d+", page.inner_text(".score-line")))) == 2


def test_a_hint_is_given_and_a_path_is_clicked(page: Page) -> None:
    """In checkers a move is the square of the piece, then its target."""
    page.click("nav >> text=Play")
    _choose(page, "Game", "checkers")
    page.wait_for_selector(".turn:has-text('black to move')")
    page.click("button:text-is('Hint')")
    page.wait_for_selector(".hint")
    page.locator(".square").nth(16 + 1).click()
    page.locator(".square").nth(24 + 0).click()
    page.wait_for_selector(".played:has-text('9-13')")


def test_a_comparison_is_a_table_whose_cells_open_their_searches(page: Page) -> None:
    """With bars; the search of a cell runs as it did, and can be watched."""
    page.click("nav >> text=Compare")
    page.click("button:text-is('linear-conflict')")
    page.click("button:text-is('manhattan')")
    page.click("button.primary:has-text('Compare')")
    page.wait_for_selector("button.primary:has-text('Compare')")
    cells = page.locator(".compared td a")
    cells.nth(6).wait_for()
    assert cells.all_inner_texts() == ["5", "5", "5", "5", "5", "5", "33"]
    assert page.locator(".bar-row").count() == 7
    page.select_option("select[aria-label=measure]", "cost")
    assert page.locator(".bar-row em").all_inner_texts() == ["5"] * 7
    cells.nth(0).click()
    page.wait_for_selector(".solved h2:has-text('cost 5 in 5 actions')")
    page.wait_for_selector("button:has-text('Watch the search')")


def test_the_laboratory_draws_estimates_beside_distances(page: Page) -> None:
    """For the instance of the search page: a heuristic that is not admissible is said to be so."""
    _choose(page, "Problem", "grid-map")
    page.wait_for_selector(".look .map circle")
    page.click("nav >> text=Laboratory")
    page.click(".chips button:text-is('manhattan')")
    page.click(".chips button:text-is('octile')")
    page.click("button.primary:has-text('Examine')")
    page.locator(".audit").nth(1).wait_for()
    assert page.locator(".audit h2").all_inner_texts() == ["octile", "manhattan"]
    assert page.locator(".fact").all_inner_texts() == ["admissible", "consistent", "not admissible", "not consistent"]
    assert page.locator(".heat .over").count() > 0


def test_a_heuristic_is_written_and_examined_while_typing_stops(page: Page) -> None:
    """With its scatter plot, a counterexample one click from its board, and its expansions; errors mark their line."""
    page.wait_for_selector(".look .board")
    page.click("nav >> text=Laboratory")
    page.click(".editor textarea")
    page.keyboard.press("Control+a")
    page.keyboard.type("def h(state):\nif state[0] == 1:\nreturn 40")
    assert page.input_value(".editor textarea") == "def h(state):\n    if state[0] == 1:\n        return 40"
    page.wait_for_selector(".written .notice.bad:has-text('h returns None; is a return missing?')")
    page.keyboard.type("\nreturn")
    page.keyboard.press("Shift+Tab")
    page.keyboard.type(" 1 / 0")
    page.wait_for_selector(".editor .wrong:text-is('4')")
    page.keyboard.press("Backspace")
    page.keyboard.type("1")
    page.click(".counterexamples button >> nth=0", timeout=100_000)  # a space is explored first, on a busy machine
    page.wait_for_selector(".example .board")
    assert page.locator(".written .heat .over").count() > 0
    page.wait_for_selector(".bar-row.yours:has-text('yours')")


def test_a_lesson_is_read_answered_and_watched(page: Page) -> None:
    """Its numbers are confirmed; what follows a question appears with its answer; the score is kept by the browser."""
    page.click("nav >> text=Lessons")
    page.wait_for_selector(".lesson h2:has-text('The jumping tiles')")
    page.fill(".question input", "9")
    page.click("button:text-is('Answer')")
    page.wait_for_selector(".question.is-right:has-text('Right: 9.')")
    page.wait_for_selector("data.stated:text-is('11')[data-state=right]")
    page.click("button:text-is('no')")
    page.wait_for_selector(".question.is-wrong:has-text('Not no. The answer is yes.')")
    assert page.locator("data.stated[data-state=wrong]").count() == 0
    page.click("button:has-text('Watch it step by step') >> nth=0")
    page.wait_for_selector(".watch .sentence:has-text('Finds a goal, with cost 15.')")
    page.click(".watch .close")
    page.reload()
    page.wait_for_selector(".lessons li:has-text('The jumping tiles') .score:text-is('1 / 5')")
    while page.locator(".lesson .end").count() == 0:
        page.click("button:text-is('Show the answer')")
    page.click(".end .primary")
    page.wait_for_selector(".lesson h2:has-text('From branch and bound to A*')")


def test_two_pages_work_side_by_side(page: Page, studio: Served) -> None:
    """Neither waits for the other's search."""
    other = page.context.new_page()
    other.goto(studio.address)
    for one in (page, other):
        one.wait_for_selector(".look .board")
        one.select_option("select[aria-label=example]", "2")
        _choose(one, "Algorithm", "idastar")
        _choose(one, "Heuristic", "misplaced")
        one.click("button.primary:has-text('Search')")
    for one in (page, other):
        one.wait_for_selector(".run polyline")
    other.close()
    page.click("button:has-text('Stop')")
    page.wait_for_selector(".solved")


def test_a_closed_studio_is_said_to_be_closed(browser: Browser) -> None:
    """In words, in place of an endless wait."""
    from served import served  # noqa: PLC0415

    with served() as running:
        context = browser.new_context()
        page = context.new_page()
        page.goto(running.address)
        page.wait_for_selector(".look .board")
        assert running.close() == 0
        page.click("button:text-is('Random')")
        page.wait_for_selector(".notice.bad:has-text('The studio does not answer')")
        context.close()
