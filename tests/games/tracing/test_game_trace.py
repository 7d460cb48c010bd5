"""The trace of alpha-beta: what was looked at, and what was cut and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError
from bestfirst.games import GameTrace, alpha_beta, game_tree_dot, game_tree_posthoc, game_tree_svg
from bestfirst.games.analysis import analyse
from bestfirst.games.engine.settings import Settings
from bestfirst.games.game import Game
from bestfirst.games.limits import GameLimits
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.rules.othello import Othello
from bestfirst.games.tracing.trace import Visited
from profiles import examples
from small_games import positions

NOTES = """\
max 2 [-inf, inf]
|-- 1: min 2 [-inf, inf]
|   |-- 1: 2
|   |-- 2: 7
|-- 2: min 1 [2, inf], cut: 1 <= alpha 2
    |-- 1: 1
    |-- 2: pruned"""


def test_the_notes_tree_is_drawn_with_its_cut() -> None:
    """Leaves 2, 7, 1; the 8 is pruned, as 1 <= alpha 2."""
    trace = GameTrace()
    alpha_beta(GameTree([[2, 7], [1, 8]]), trace=trace)
    assert trace.text() == NOTES


def count(node: Visited) -> tuple[int, int]:
    """The nodes of a tree, and those where something was cut."""
    below = [count(child) for child in node.children]
    return 1 + sum(nodes for nodes, _ in below), bool(node.pruned) + sum(cuts for _, cuts in below)


@examples(30)
@given(positions())
def test_a_trace_shows_what_the_search_counts_and_changes_nothing(case: tuple[Game, Any]) -> None:
    """As many nodes, no more cuts (the last move of a node can cut nothing), the same score."""
    game, state = case
    trace = GameTrace()
    found, plain = alpha_beta(game, state, trace=trace), alpha_beta(game, state)
    assert (found.score, found.pv, found.stats) == (plain.score, plain.pv, plain.stats)
    nodes, cuts = count(trace.root)
    assert nodes == found.stats.nodes and cuts <= found.stats.cuts
    assert trace.root.value == found.score.value
    assert len(trace.text().splitlines()) >= nodes


def test_wins_are_told_in_plies() -> None:
    """A leaf where the game is won after one ply."""
    trace = GameTrace()
    alpha_beta(TicTacToe(), TicTacToe().parse("XX./OO./..."), depth=1, trace=trace)
    assert "|-- c1: win-in-1" in trace.text().splitlines()


def test_a_trace_of_nothing_is_refused() -> None:
    """It says how to record."""
    with pytest.raises(InputError, match="trace=trace"):
        GameTrace().text()


def beyond(node: Visited) -> int:
    """The nodes of quiescence below a node."""
    return sum(1 + beyond(child) for child in node.beyond)


SWITCHES = [
    Settings.plain("minimax"),
    Settings(),
    Settings(method="mtdf"),
    Settings(aspiration=1, singular="exclusion", table="1MB"),
    Settings(singular="static"),
    Settings(null_move=1, probcut=1, late_moves=1, tapered=4, futility_margin=1, disaster=3, futility=1),
]


@examples(25)
@given(positions(), st.sampled_from(SWITCHES), st.integers(1, 6))
def test_a_traced_analysis_is_the_same_analysis(case: tuple[Game, Any], switches: Settings, depth: int) -> None:
    """With all techniques: the same lines and counts; every node is in the trees or, of quiescence, beyond their leaves."""
    game, state = case
    if game.is_over(state):
        return
    trace = GameTrace()
    limits = GameLimits(depth=depth)
    plain = analyse(game, state, lines=1, limits=limits, settings=switches).run()
    traced = analyse(game, state, lines=1, limits=limits, settings=switches, trace=trace).run()
    assert (traced.lines, traced.solved) == (plain.lines, plain.solved)
    timeless = {"seconds": 0, "depths": 0, "shallow_time": 0}
    assert traced.stats.to_dict() | timeless == plain.stats.to_dict() | timeless
    nodes = [node for tree in trace.rounds for node in tree.walk()]
    assert len(nodes) == traced.stats.nodes - traced.stats.quiescent
    assert sum(node.quiescent for node in nodes) == traced.stats.quiescent
    assert sum(beyond(node) for node in nodes) == traced.stats.quiescent
    assert sum(node.extended and not node.again for node in nodes) == traced.stats.extensions
    assert sum(node.why == "table" for node in nodes) == traced.stats.table_cuts
    for node in nodes:
        moves = [child.move for child in node.children if not child.again]
        legal = [game.format_move(node.state, move) for move in game.legal_moves(node.state)]
        own = [move for move in moves if move not in (None, "null move", "less deep")]
        set_aside = node.move == "less deep" and switches.singular is not None
        assert node.is_leaf or len([*own, *node.pruned]) == len(legal) - set_aside
        assert {*own, *node.pruned} <= {*legal}
        assert (node.cut is None) == (not node.pruned)


def test_techniques_are_told_in_the_tree() -> None:
    """The table, a second look, the null move, and the switches that prune."""
    trace = GameTrace()
    analyse(TicTacToe(), "b2a1a2c2b1", lines=1, trace=trace).run()
    assert len(trace.rounds) == 4 and "|-- c1: loss-in-2 (table)" in trace.text()
    analyse(ConnectFour(4, 4), "1122", lines=1, trace=trace, limits=GameLimits(depth=3), settings=Settings()).run()
    assert "(quiescence: 1 node)" in trace.text() and "cut: 0 >= beta 0" in trace.text()
    unsound = Settings(null_move=2, late_moves=2, tapered=5)
    analyse(Othello(6), lines=1, trace=trace, limits=GameLimits(depth=5), settings=unsound).run()
    text = trace.text()
    assert "null move: " in text and " (tapered)" in text and "(null_move)" in text and " again: " in text


def test_a_depth_that_was_not_completed_leaves_no_tree() -> None:
    """The last tree is that of the depth that the analysis tells."""
    trace = GameTrace()
    analysis = analyse(ConnectFour(), lines=1, trace=trace, limits=GameLimits(nodes=300)).run()
    assert analysis.stopped == "nodes" and trace.root.depth == analysis.depth == len(trace.rounds)


def test_only_so_many_nodes_are_recorded() -> None:
    """The others are counted, and that is said."""
    trace = GameTrace(limit=20)
    found = alpha_beta(ConnectFour(), depth=3, trace=trace)
    assert sum(1 for _ in trace.root.walk()) == 20 and trace.dropped == found.stats.nodes - 20
    assert trace.text().endswith(f"... {trace.dropped:,} later nodes were not recorded")
    assert f"{trace.dropped:,} later nodes were not recorded" in game_tree_svg(trace)
    with pytest.raises(InputError, match=">= 1"):
        GameTrace(limit=0)


def textbook() -> GameTrace:
    trace = GameTrace()
    alpha_beta(GameTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), trace=trace)
    return trace


def test_the_drawing_shows_windows_values_and_cuts() -> None:
    """A textbook tree: 11 nodes looked at, 2 pruned, the reason in numbers, and the best line."""
    svg = game_tree_svg(textbook())
    root = ElementTree.fromstring(svg)
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert len(re.findall(r'<g id="n\d+">', svg)) == 13
    assert "cut: 2 <= alpha 3" in texts and "max 3" in texts and "[3, inf]" in texts and texts.count("pruned") == 2 + 1
    assert svg.count('stroke="#15803d" stroke-width="3"') == 3 + 2 + 1  # nodes and edges of the best line, and the legend
    dot = game_tree_dot(textbook())
    assert dot.startswith("digraph game_tree {") and len(re.findall(r"^  n\d+ -> n\d+ ", dot, re.MULTILINE)) == 12
    assert r"min 2\n[3, inf]\ncut: 2 <= alpha 3" in dot


def test_what_does_not_fit_is_left_out_in_whole_families() -> None:
    """Level by level from the top; what is missing is said at the node and above."""
    svg = game_tree_svg(textbook(), limit=8)
    assert len(re.findall(r'<g id="n\d+">', svg)) == 7
    assert svg.count("(3 below)") == 2 and "4 of 11 nodes are not shown" in svg
    with pytest.raises(InputError, match=">= 1"):
        game_tree_svg(textbook(), limit=0)


def test_posthoc_plays_the_tree() -> None:
    """A step when a node is looked at, one when its value is known, one for each pruned branch; each at its place."""
    trace = yaml.safe_load(game_tree_posthoc(textbook()))
    events = trace["events"]
    kinds = [event["type"] for event in events]
    assert (kinds.count("generating"), kinds.count("closing"), kinds.count("end")) == (11, 11, 2)
    assert (events[0]["pId"], events[0]["label"], events[-1]["label"]) == (None, None, "max 3")
    places = {(event["x"], event["y"]) for event in events}
    assert len(places) == 13
    assert any(event["note"] == "2 was pruned: 2 <= alpha 3" for event in events)


def test_the_drawing_on_the_page_is_the_one_that_is_made() -> None:
    """docs/images/game-tree.svg is the tree that the command on the page draws."""
    trace = GameTrace()
    tree, plain = GameTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), Settings.plain("alpha-beta")
    analyse(tree, lines=1, settings=plain, limits=GameLimits(seconds=5), trace=trace).run()
    page = Path(__file__).parents[3] / "docs" / "images" / "game-tree.svg"
    assert page.read_text(encoding="utf-8") == game_tree_svg(trace)


def test_all_passes_of_mtdf_are_shown_with_what_they_have_shown() -> None:
    """The first guess is 0: at least 2, then at most 2. The picture is of the last pass, to the end of the game."""
    trace = GameTrace()
    tree = GameTree([[2, 7], [1, 8]])
    found = analyse(tree, lines=1, settings=Settings.plain("mtdf"), trace=trace).run()
    text = trace.text()
    assert found.score.value == 2 and len(trace.passes) == len(trace.rounds) == found.stats.researches + 1 == 2
    headings = [line for line in text.splitlines() if line.startswith("pass")]
    assert headings == ["pass 1 of 2: at least 2", "pass 2 of 2: at most 2"]
    assert text.count("\nmax ") == 2
    picture = game_tree_svg(trace)
    assert "the last of 2 trees, to the end of the game" in picture and "pass 2 of 2: at most 2" in picture
    assert "10000" not in picture


def test_depths_of_their_own_are_no_passes() -> None:
    """Of progressive deepening the last tree is shown, as before; with MTD(f) the passes of the last depth."""
    trace = GameTrace()
    analyse(TicTacToe(), "b2a1a2c2b1", lines=1, trace=trace).run()
    assert len(trace.passes) == 1 and "pass" not in trace.text()
    analyse(TicTacToe(), "b2a1a2c2b1", lines=1, settings=Settings(method="mtdf"), trace=trace).run()
    assert len(trace.rounds) > len(trace.passes) and {root.depth for root in trace.passes} == {trace.root.depth}
