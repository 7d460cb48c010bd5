"""Game searches in the viewer: visits, values, cuts, and what was never looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from bestfirst.games.textbook.alpha_beta import alpha_beta
from bestfirst.games.tracing.files import write_game_trace
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.viewer.columns import numbers_of
from bestfirst.viewer.game_recording import game_recording_of
from browser import needs_browser, opened, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TREE = "[[2, 7], [1, 8]]"


def worked_case() -> GameTrace:
    """Alpha-beta on the worked tree: the leaves 2, 7 and 1 are looked at, the 8 never."""
    trace = GameTrace()
    alpha_beta(bf.GameTree(TREE), trace=trace)
    return trace


def test_a_recording_has_each_visit_and_each_cut() -> None:
    """As many nodes as the trace has, and one for each move that was pruned, which has no value."""
    trace = worked_case()
    [chunk] = game_recording_of(trace)["chunks"]
    visited = list(trace.root.walk())
    pruned = sum(len(node.pruned) for node in visited)
    sides = numbers_of(chunk["nodes"]["side"])
    values = [chunk["texts"][int(value)] if value >= 0 else None for value in numbers_of(chunk["nodes"]["value"])]
    assert (len(sides), pruned) == (len(visited) + pruned, 1)
    assert values == ["2", "2", "2", "7", "1", "1", None]
    assert chunk["goals"][0]["cost"] == 2


def test_each_depth_is_a_round() -> None:
    """A deepening search shows its trees one after the other."""
    trace = GameTrace()
    bf.analyse(bf.TicTacToe(), limits=bf.GameLimits(depth=3), trace=trace).run()
    recording = game_recording_of(trace)
    assert len(recording["chunks"][0]["goals"]) == len(trace.rounds) == 3


def test_an_unused_trace_of_a_game_has_no_recording() -> None:
    """A trace without a search is an InputError that says what to do."""
    with pytest.raises(InputError, match="nothing has been recorded"):
        game_recording_of(GameTrace())


@needs_browser
def test_the_viewer_tells_what_alpha_beta_does(browser: Browser, tmp_path: Path) -> None:
    """The windows while a node is searched, its value then, the cut in numbers, and the best line."""
    write_game_trace(tmp_path / "tree.html", worked_case())
    with page_of(browser) as page:
        opened(page, tmp_path / "tree.html")
        assert page.locator(".counts").inner_text().split()[:3] == ["nodes", "visited", "6"]
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert page.inner_text(".sentence") == "Looks at the root, where max moves, with the window [-inf, inf]."
        page.keyboard.press("p")
        assert page.inner_text(".sentence") == "Never looks at 2: 1 <= alpha 2."
        page.keyboard.press("g")
        assert page.inner_text(".sentence") == "Ends with the value 2; the green line is best play."
        page.keyboard.press("Home")
        page.keyboard.press("q")
        for question in ("At the position after 1, min moves. Is the move 2", "At the root, max moves. Is the move 2"):
            assert question in page.inner_text(".quiz")
            page.click("text=Yes")
            assert page.inner_text(".quiz p").startswith("Right. Looks at the position after 2")
            page.click("text=Next question")
        assert "At the position after 2, min moves. Is the move 2 looked at?" in page.inner_text(".quiz")
        page.click("text=No, it is pruned")
        assert page.inner_text(".quiz p") == "Right. Never looks at 2: 1 <= alpha 2."
