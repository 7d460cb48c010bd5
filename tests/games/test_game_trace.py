"""The trace of alpha-beta: what was looked at, and what was cut and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as config

from bestfirst.errors import InputError
from bestfirst.games import GameTrace, alpha_beta
from bestfirst.games.game import Game
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.trace import Visited
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


@config(deadline=None, max_examples=30)
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
