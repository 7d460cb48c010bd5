"""What notebooks show of results: text where there is no HTML, pictures where there is, and nothing that a page could run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.viewer.display import _scatter

HTML, TEXT = "text/html", "text/plain"
PUZZLE = bf.SlidingTile("2 8 3 1 6 4 7 _ 5", "1 2 3 8 _ 4 7 6 5")


class Tags(HTMLParser):
    """Counts the elements of a text, and holds it to closing each of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.waiting: list[str] = []
        self.feed(text)
        self.close()
        assert not self.waiting

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") for name, _ in attrs)
        self.count[tag] = self.count.get(tag, 0) + 1
        self.waiting.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.waiting.pop() == tag


class Undrawn(bf.Problem[int, str]):
    """A problem whose pictures cannot be drawn."""

    initial = 0

    def successors(self, state: int) -> Iterable[tuple[str, int, int]]:
        yield "on", state + 1, 1

    def is_goal(self, state: int) -> bool:
        return state == 2

    def picture(self, state: int) -> str:
        raise ZeroDivisionError(f"<{state}>")


def test_text_is_shown_if_a_picture_cannot_be_drawn() -> None:
    """With the error; of a problem, of a solution and of a trace."""
    trace = bf.Trace()
    solution = bf.solve(Undrawn(), trace=trace)
    for shown, words in ((Undrawn(), "Undrawn"), (solution, "cost 2"), (trace, "Trace(")):
        bundle = shown._repr_mimebundle_()
        assert bundle[TEXT].startswith(words)
        assert bundle[TEXT].endswith("\n(it cannot be drawn: ZeroDivisionError: <0>)")
        assert Tags(bundle[HTML]).count == {"pre": 1}


class Odd(bf.Problem[str, str]):
    """Its texts are markup."""

    initial = "<script>alert(1)</script>"

    def successors(self, state: str) -> Iterable[tuple[str, str, int]]:
        yield "<b>", state + "&", 1

    def is_goal(self, state: str) -> bool:
        return state.endswith("&&&")


def test_a_solution_shows_its_path_as_boards() -> None:
    """One board for each state, and the summary as text."""
    solution = bf.solve(PUZZLE, "astar", "manhattan")
    bundle = solution._repr_mimebundle_()
    tags = Tags(bundle[HTML])
    assert bundle[TEXT] == str(solution)
    assert (tags.count["svg"], tags.count["text"]) == (6, 6 * 8)
    assert "cost 5, 5 actions, optimal" in bundle[HTML]


def test_a_long_path_shows_its_ends() -> None:
    """And says how many states are left out."""
    far = bf.SlidingTile("8 6 7 2 5 4 3 _ 1", "_ 1 2 3 4 5 6 7 8")
    solution = bf.solve(far, "idastar", "manhattan")
    html = solution._repr_mimebundle_()[HTML]
    assert Tags(html).count["svg"] == 24
    assert f"{len(solution.states) - 24} states" in html


@pytest.mark.parametrize("problem", [bf.SlidingTile("2 1 3 4 5 6 7 8 _"), Odd()], ids=["unsolvable", "markup"])
def test_any_solution_is_shown(problem: bf.Problem[Any, Any]) -> None:
    """Without a path; and with texts that are markup, which stay texts."""
    for shown in (bf.solve(problem), problem):
        html = shown._repr_mimebundle_()[HTML]
        assert "script" not in Tags(html).count


def test_a_place_on_a_map_is_its_text() -> None:
    """The map is not drawn once for each state."""
    grid = bf.GridMap(["." * 40] * 40, (0, 0), (3, 0))
    assert len(bf.solve(grid)._repr_mimebundle_()[HTML]) < 3_000


def test_an_analysis_shows_the_board_and_its_lines() -> None:
    """Best first, with their scores."""
    analysis = bf.analyse(bf.TicTacToe(), "b2 a1", lines=None, limits=bf.GameLimits(depth=3)).run()
    bundle = analysis._repr_mimebundle_()
    assert bundle[TEXT] == str(analysis)
    assert Tags(bundle[HTML]).count["tr"] == 1 + len(analysis.lines)


def test_an_audit_shows_the_estimates_beside_the_distances() -> None:
    """A square for each pair of them."""
    audit = bf.audit(bf.SlidingTile("1 2 3 4 5 _", size=(2, 3)), "manhattan")
    bundle = audit._repr_mimebundle_()
    assert bundle[TEXT] == str(audit)
    assert Tags(bundle[HTML]).count["rect"] == len(audit.histogram)


def test_the_plot_of_an_audit_is_read_as_in_the_studio() -> None:
    """The estimate is across and the distance upwards, so that an overestimate is below the line; the axes say so."""
    plot = _scatter({(1, 3): 1, (3, 1): 1})
    (left, high), (right, low) = (map(float, place) for place in re.findall(r"<rect x='([^']+)' y='([^']+)'", plot))
    assert left < right and high < low
    assert plot.index("<title>h 1, distance 3") < plot.index("<title>h 3, distance 1")
    assert "estimate, 0 to 3" in plot and "true distance, 0 to 3" in plot
