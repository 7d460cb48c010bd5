"""Game searches in the viewer: visits, values, cuts, and what was never looked at."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bestfirst as bf
from bestfirst.errors import InputError
from bestfirst.games.textbook.alpha_beta import alpha_beta
from bestfirst.games.tracing.files import write_game_trace
from bestfirst.games.tracing.trace import GameTrace
from bestfirst.trace import to_html
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


@pytest.mark.slow
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
        asked = "At the position after 2, min moves, with the window [2, inf]. Which leaves are never looked at?"
        assert page.inner_text(".quiz p") == asked
        page.locator(".quiz input").nth(1).focus()
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        assert page.inner_text(".quiz p") == "Right. Never looks at 2: 1 <= alpha 2."
        assert "3 of 3 right" in page.inner_text(".quiz")
        page.keyboard.press("Home")
        page.evaluate(
            "document.getElementById('bestfirst-viewer').viewer.panes[0].quiz.score.value = { right: 2, asked: 2 }"
        )
        page.click("text=Next question")
        assert "At the position after 1, min moves, with the window [-inf, inf]. Which leaves" in page.inner_text(".quiz p")
        page.locator(".quiz input").nth(0).check()
        page.click("text=Check")
        assert page.inner_text(".quiz p").startswith("No. All are looked at") and "2 of 3 right" in page.inner_text(".quiz")


HORIZON = "444422253251"
"""Connect Four on 5 x 5: column 1 is the only move that does not lose."""


def horizon(*, quiescence: bool, singular: str | None = None) -> tuple[bf.Analysis, GameTrace]:
    """The position, searched to depth 3."""
    trace = GameTrace()
    settings = bf.Settings.plain("alpha-beta", quiescence=quiescence, singular=singular)
    game, limits = bf.ConnectFour(5, 5), bf.GameLimits(depth=3)
    return bf.analyse(game, HORIZON, lines=1, limits=limits, settings=settings, trace=trace).run(), trace


@pytest.mark.parametrize(("quiescence", "singular"), [(True, None), (False, "static"), (True, "static")])
def test_events_of_games_have_their_times(quiescence: bool, singular: str | None) -> None:
    """One for each, in the order in which the search met them, also beyond the horizon and in deeper searches."""
    recording = game_recording_of(horizon(quiescence=quiescence, singular=singular)[1])
    events = recording["chunks"][0]["events"]
    seconds = numbers_of(events["seconds"])
    assert len(seconds) == len(numbers_of(events["kind"])) > 50
    assert all(one <= other for one, other in pairwise(seconds)) and seconds[0] == 0 < seconds[-1]


def test_quiescence_sees_beyond_the_horizon() -> None:
    """To depth 3 a losing move looks best, since the loss lies a ply beyond; quiescence search finds the loss, and the move."""
    plain, _ = horizon(quiescence=False)
    deeper, _ = horizon(quiescence=True)
    game = bf.ConnectFour(5, 5)
    solved = bf.analyse(game, HORIZON, lines=5).run()
    worth = {line.move: line.score for line in solved.lines}
    assert (plain.best.move, deeper.best.move) == (2, 1)
    assert str(worth[2]) == "loss in 4" and str(worth[1]).startswith("win")
    assert plain.score.value > 0


def test_nodes_beyond_the_horizon_are_marked() -> None:
    """As many as the search counts, below its leaves; and the extended ones, which are searched a ply deeper."""
    analysis, trace = horizon(quiescence=True)
    recording = game_recording_of(trace)
    [chunk] = recording["chunks"]
    marks = numbers_of(chunk["nodes"]["mark"])
    assert marks.count(2) == analysis.stats.quiescent == 25
    assert recording["algorithm"] == "alpha-beta with quiescence"
    parents = numbers_of(chunk["nodes"]["parent"])
    assert {marks[int(parent)] for parent, mark in zip(parents, marks, strict=True) if mark == 2} == {0, 2}
    analysis, trace = horizon(quiescence=False, singular="static")
    marks = numbers_of(game_recording_of(trace)["chunks"][0]["nodes"]["mark"])
    assert marks.count(1) == analysis.stats.extensions > 0


@needs_browser
def test_the_viewer_shows_the_horizon_effect(browser: Browser, tmp_path: Path) -> None:
    """Beside each other: without quiescence 2 is best, with it 1; the nodes beyond the horizon are named in the legend."""
    (tmp_path / "horizon.html").write_text(to_html(horizon(quiescence=False)[1], horizon(quiescence=True)[1]))
    with page_of(browser) as page:
        opened(page, tmp_path / "horizon.html")
        panes = "document.getElementById('bestfirst-viewer').viewer.panes"
        best = page.evaluate(f"{panes}.map(({{ run }}) => run.actionOf(run.goalWithin(1e9).path[1]))")
        assert best == ["2", "1"]
        assert page.locator("h2").all_inner_texts() == ["alpha-beta", "alpha-beta with quiescence"]
        legends = page.locator(".legend").all_inner_texts()
        assert ["beyond the horizon" in legend for legend in legends] == [False, True]
