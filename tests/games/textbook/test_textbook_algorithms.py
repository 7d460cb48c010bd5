"""Minimax, negamax and alpha-beta, on the textbooks' trees and on random games."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError, ScoreError
from bestfirst.games.game import Game
from bestfirst.games.rules.game_tree import GameTree, uniform_tree
from bestfirst.games.rules.mnk import TicTacToe
from bestfirst.games.score import INFINITY, Score
from bestfirst.games.textbook.alpha_beta import alpha_beta
from bestfirst.games.textbook.minimax import minimax
from bestfirst.games.textbook.negamax import negamax
from profiles import examples
from small_games import positions


class Watched(GameTree):
    """A tree that notes the leaves that are looked at."""

    def __init__(self, tree: Any) -> None:
        super().__init__(tree)
        self.seen: list[int] = []

    def score(self, state: tuple[int, ...]) -> int:
        self.seen.append(self.node(state))
        return super().score(state)


def test_the_notes_tree_has_value_2_and_alpha_beta_never_looks_at_the_8() -> None:
    """Root over min nodes with leaves (2, 7) and (1, 8): 2, the left branch; leaves seen are 2, 7, 1."""
    tree = Watched([[2, 7], [1, 8]])
    assert minimax(tree).score == Score.points(2)
    assert tree.seen == [2, 7, 1, 8]
    tree.seen.clear()
    found = alpha_beta(tree)
    assert (found.score, found.pv, tree.seen) == (Score.points(2), (1, 1), [2, 7, 1])
    assert (found.stats.cuts, found.stats.first_cuts) == (1, 1)


@pytest.mark.slow
def test_full_minimax_of_tic_tac_toe_looks_at_549_946_nodes() -> None:
    """The whole tree, root included, and the value is a draw; 255,168 of the nodes are games that are over."""
    found = minimax(TicTacToe())
    assert found.score == Score.draw()
    assert (found.stats.nodes, found.stats.ended, found.stats.estimated) == (549_946, 255_168, 0)


def perfectly_ordered(branching: int, depth: int, seed: int) -> GameTree:
    """A uniform tree of random leaves in which the best branch comes first everywhere."""
    chance = random.Random(seed)

    def grown(depth: int) -> tuple[int, Any]:
        """A tree and its value for the side to move at its root, where leaves are worth what they say to that side."""
        if depth == 0:
            leaf = chance.randrange(1000)
            return leaf, leaf
        below = sorted((grown(depth - 1) for _ in range(branching)), key=lambda child: child[0])
        return -below[0][0], [child[1] for child in below]

    def signed(tree: Any, sign: int) -> Any:
        return sign * tree if isinstance(tree, int) else [signed(child, -sign) for child in tree]

    return GameTree(signed(grown(depth)[1], 1))


@pytest.mark.parametrize(("branching", "depth"), [(2, 1), (2, 6), (2, 7), (3, 4), (3, 5), (5, 3), (6, 4)])
def test_perfect_order_costs_the_leaves_of_knuth_and_moore(branching: int, depth: int) -> None:
    """2b^(d/2) - 1 leaves where d is even, b^((d+1)/2) + b^((d-1)/2) - 1 where it is odd."""
    tree = perfectly_ordered(branching, depth, seed=branching * depth)
    if depth % 2 == 0:
        leaves = 2 * branching ** (depth // 2) - 1
    else:
        leaves = branching ** ((depth + 1) // 2) + branching ** ((depth - 1) // 2) - 1
    found = alpha_beta(tree)
    assert found.stats.leaves == leaves
    assert found.score == minimax(tree).score


@examples(30)
@given(positions(), st.none() | st.integers(0, 4))
def test_negamax_and_alpha_beta_agree_with_minimax(case: tuple[Game, Any], depth: int | None) -> None:
    """The same score and the same line; negamax by the same nodes, alpha-beta by no more."""
    game, state = case
    expected = minimax(game, state, depth)
    same = negamax(game, state, depth)
    assert (same.score, same.pv, same.stats) == (expected.score, expected.pv, expected.stats)
    fast = alpha_beta(game, state, depth)
    assert fast.score.value == expected.score.value and fast.pv == expected.pv
    assert fast.stats.nodes <= expected.stats.nodes


@examples(60)
@given(positions(), st.integers(-12, 12), st.integers(1, 12))
def test_alpha_beta_keeps_its_contract_for_any_window(case: tuple[Game, Any], alpha: int, width: int) -> None:
    """Below the window an upper bound, inside it the value, above it a lower bound."""
    game, state = case
    beta = alpha + width
    value = minimax(game, state).score.value
    result = alpha_beta(game, state, alpha=alpha, beta=beta).score.value
    if value <= alpha:
        assert value <= result <= alpha
    elif value < beta:
        assert result == value
    else:
        assert beta <= result <= value
    assert alpha_beta(game, state, alpha=-INFINITY, beta=INFINITY).score.value == value


def test_a_win_in_fewer_plies_is_preferred_and_a_loss_is_put_off() -> None:
    """With two ways to win, the quick one; against two threats the end is put off by a block."""
    game = TicTacToe()
    found = minimax(game, game.parse("XX./OO./..."))
    assert (found.score, found.pv) == (Score.win(1), (game.parse_move(game.initial, "c1"),))
    lost = minimax(game, game.parse("XOO/.../X.X"))
    assert lost.score == Score.loss(2) and len(lost.pv) == 2


def test_scores_that_are_no_ints_and_things_that_are_no_games_are_refused() -> None:
    """The error says which member, for which position, and what to write."""

    class Half(TicTacToe):
        def score(self, state: Any) -> Any:
            del state
            return 0.5

    with pytest.raises(ScoreError, match=r"score .*must be an int"):
        minimax(Half(), Half().parse("XXO/OOX/XO."))
    with pytest.raises(InputError, match=r"pass an instance: TicTacToe\(\)"):
        minimax(TicTacToe)  # type: ignore[arg-type]


def test_a_uniform_tree_takes_its_leaves_from_left_to_right() -> None:
    """Four leaves make the tree of the notes; three do not."""
    assert uniform_tree(2, 2, [2, 7, 1, 8]).tree == ((2, 7), (1, 8))
    with pytest.raises(InputError, match="needs 4"):
        uniform_tree(2, 2, [2, 7, 1])
