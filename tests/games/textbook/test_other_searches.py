"""Proof-number search, SSS*, Monte-Carlo tree search and expectiminimax, each held to what minimax says."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestfirst.errors import InputError, ProblemError, ScoreError
from bestfirst.games.chance import ChanceGame
from bestfirst.games.game import Game
from bestfirst.games.rules.game_tree import GameTree
from bestfirst.games.rules.mnk import MNK, TicTacToe
from bestfirst.games.rules.pig import CERTAINTY, Pig, Turn
from bestfirst.games.score import Score
from bestfirst.games.textbook.alpha_beta import alpha_beta
from bestfirst.games.textbook.expectiminimax import expectiminimax
from bestfirst.games.textbook.mcts import mcts
from bestfirst.games.textbook.minimax import minimax
from bestfirst.games.textbook.proof_number import prove
from bestfirst.games.textbook.sss_star import sss_star
from profiles import examples
from small_games import TREES, positions


@examples(60)
@given(positions(), st.integers(-3, 3))
def test_a_proof_says_what_minimax_says(case: tuple[Game, Any], points: int) -> None:
    """A win, no loss, or so many points: proved just where the value is at least that, with a move that keeps it."""
    game, state = case
    at_least = points if game.counts_points else abs(points) % 2
    value = minimax(game, state).score.value
    proof = prove(game, state, at_least=at_least)
    assert proof.holds == (value >= at_least)
    if proof.holds and not game.is_over(state):
        child = game.play(state, proof.move)
        after = minimax(game, child).score.value
        assert (after if game.moves_again(state, child) else -after) >= at_least


@pytest.mark.slow
def test_a_proof_needs_few_nodes_and_says_when_they_do_not_do() -> None:
    """Tic-tac-toe: not won, and not lost; with 10 nodes nothing is known."""
    assert prove(TicTacToe()).holds is False
    assert prove(TicTacToe(), at_least=0).holds is True
    short = prove(TicTacToe(), nodes=10)
    assert (short.holds, short.move) == (None, None)
    won = prove(MNK(4, 3, 3))
    assert won.holds is True and won.stats.nodes < 50_000
    with pytest.raises(InputError, match="use 1 for a win"):
        prove(TicTacToe(), at_least=2)


@examples(80)
@given(positions(), st.none() | st.integers(0, 3))
def test_sss_star_gives_the_value_of_minimax(case: tuple[Game, Any], depth: int | None) -> None:
    """The same score; its line of play leads there."""
    game, state = case
    expected = minimax(game, state, depth)
    found = sss_star(game, state, depth)
    assert found.score.value == expected.score.value
    same_side = True
    for move in found.pv:
        following = game.play_legal(state, move)
        same_side = same_side == game.moves_again(state, following)
        state = following
    if depth is None:
        assert game.is_over(state)
        if game.counts_points:
            assert (game.score(state) if same_side else -game.score(state)) == expected.score.value


@examples(80)
@given(TREES)
def test_sss_star_looks_at_no_more_leaves_than_alpha_beta(tree: Any) -> None:
    """The theorem of Stockman, and of Roizen and Pearl."""
    game = GameTree(tree if isinstance(tree, list) else [tree])
    assert sss_star(game).stats.leaves <= alpha_beta(game).stats.leaves


def test_monte_carlo_finds_the_win_and_the_block_and_repeats_itself() -> None:
    """A win in one gets most visits, so does the only defence; the same seed makes the same search."""
    game = TicTacToe()
    assert game.format_move(game.initial, mcts(game, game.parse("a1c1a2c2"), playouts=300).move) == "a3"
    assert game.format_move(game.initial, mcts(game, game.parse("a1b2a2"), playouts=2000).move) == "a3"
    one, other = (mcts(game, playouts=200, seed=5) for _ in range(2))
    assert one.moves == other.moves and one.stats.playouts == 200
    assert sum(tried.visits for tried in one.moves) == 200
    assert one.stats.nodes <= 201


@examples(20)
@given(positions())
def test_monte_carlo_tends_to_the_best_move(case: tuple[Game, Any]) -> None:
    """Where the side to move wins in one, the move that is visited most has won all its games, or nearly."""
    game, state = case
    if game.is_over(state) or minimax(game, state).score != Score.win(1):
        return
    best = mcts(game, state, playouts=600).moves[0]
    assert best.share > 0.8


def test_a_search_without_an_end_is_refused() -> None:
    """Neither games nor seconds, or a game that is over."""
    with pytest.raises(InputError, match="playouts=1000"):
        mcts(TicTacToe(), playouts=None)
    with pytest.raises(InputError, match="the game is over"):
        mcts(TicTacToe(), TicTacToe().parse("a1b1a2b2a3"))
    with pytest.raises(InputError, match="without chance"):
        expectiminimax(TicTacToe())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="use expectiminimax"):
        minimax(Pig())


def test_pig_agrees_with_an_independent_recursion() -> None:
    """Win probabilities to a depth, from a recursion that knows nothing of games."""
    target = 8

    @cache
    def expected(mine: int, turn: int, theirs: int, depth: int) -> float:
        if mine + turn >= target:
            return CERTAINTY
        if theirs >= target:
            return -CERTAINTY
        if depth == 0:
            return round(CERTAINTY * (mine + turn - theirs) / (2 * target))
        rolled = (
            -expected(theirs, 0, mine, depth - 1)
            + sum(expected(mine, turn + eyes, theirs, depth - 1) for eyes in range(2, 7))
        ) / 6
        return max(rolled, -expected(theirs, 0, mine + turn, depth - 1)) if turn else rolled

    game = Pig(target)
    for state in (game.initial, Turn(3, 5, 2, 0, rolling=False), Turn(0, 7, 4, 1, rolling=False)):
        for depth in range(5):
            found = expectiminimax(game, state, depth)
            assert found.value == pytest.approx(expected(state.mine, state.turn, state.theirs, depth))
    assert expectiminimax(game, Turn(0, 7, 4, 1, rolling=False), 4).move == "roll"
    assert expectiminimax(Pig(100), Turn(10, 40, 30, 0, rolling=False), 1).move == "hold"


class Coin(ChanceGame):
    """The first side throws a coin, which ends the game in a or b, or chooses "a" or "b" itself."""

    initial = "start"

    def __init__(self, scores: tuple[Any, Any], shares: tuple[Any, Any] = (0.5, 0.5), *, throws: bool = True) -> None:
        self.scores, self.shares, self.throws = scores, shares, throws

    def moves(self, _state: str) -> list[str]:
        return ["throw"] if self.throws else ["a", "b"]

    def play(self, _state: str, move: str) -> str:
        return "thrown" if self.throws else move

    def outcomes(self, state: str) -> list[tuple[Any, str]]:
        return [*zip(self.shares, "ab", strict=True)] if state == "thrown" else []

    def is_over(self, state: str) -> bool:
        return state in ("a", "b")

    def score(self, state: str) -> Any:
        return self.scores[state == "b"]

    def side_to_move(self, state: str) -> int:
        return 0 if self.throws or state == "start" else 1


@pytest.mark.parametrize(
    ("shares", "fault"),
    [
        ((-0.5, 1.5), r"outcomes returns the probability -0.5 for position 'thrown'"),
        ((0.5, 0.2), "outcomes for position 'thrown' add up to 0.7"),
        ((0.5, 0.50001), "add up to 1.00001; they must add up to 1, within 0.000001"),
        ((math.nan, 0.5), "outcomes returns the probability nan"),
        (("x", 0.5), "outcomes returns the probability 'x'"),
    ],
)
def test_probabilities_that_are_none(shares: tuple[Any, Any], fault: str) -> None:
    """They are refused, and the error names the position."""
    with pytest.raises(ProblemError, match=fault):
        expectiminimax(Coin((1, 3), shares))


@pytest.mark.parametrize("share", [np.float32(0.3), np.float32(0.1), 0.3 + 4e-10])
def test_probabilities_may_be_rounded(share: Any) -> None:
    """To the 24 bits of a float of NumPy: the sum of these is not 1."""
    shares = share, type(share)(1) - share + type(share)(6e-8)
    assert sum(map(float, shares)) != 1
    assert expectiminimax(Coin((1, 1), shares)).value == pytest.approx(1)


@pytest.mark.parametrize("score", [-math.inf, math.nan, 10**400, 1e308, "x", None, True])
def test_scores_that_are_no_finite_numbers(score: Any) -> None:
    """They are refused in games of chance too, as are those whose sums might be infinite."""
    with pytest.raises(ScoreError, match=r"score returns .* for position 'a'; it must be a number of at most 9e\+307"):
        expectiminimax(Coin((score, 1)))


@pytest.mark.parametrize("kind", [int, float, np.int64, np.uint8, np.uint64, np.float16])
def test_scores_of_numpy_count_as_numbers(kind: Any) -> None:
    """The negative of an unsigned 3 is -3; a float16 does not make 70000 infinite."""
    found = expectiminimax(Coin((kind(3), kind(0)), throws=False))
    assert (found.value, found.move) == (0, "b")
    assert expectiminimax(Coin((70_000, 70_000), (np.float16(0.5), np.float16(0.5)))).value == 70_000


def test_outcomes_without_a_result() -> None:
    """Outcomes that return None are named, with what they must return."""
    game = type("Forgetful", (Pig,), {"outcomes": lambda *_: None})()
    with pytest.raises(ProblemError, match=r"outcomes returns None; it must return .* empty if a side moves"):
        expectiminimax(game, depth=1)


@pytest.mark.parametrize("member", [{"alternates": True}, {"side_to_move": ChanceGame.side_to_move}])
def test_a_game_with_chance_must_say_who_moves(member: dict[str, Any]) -> None:
    """Otherwise the signs of its scores would be wrong."""
    game = type("Untold", (Coin,), member)((1, -1))
    with pytest.raises(InputError, match=r"untold does not say who moves.*define side_to_move\(state\)"):
        expectiminimax(game)


def test_the_side_must_be_named_where_chance_moves() -> None:
    """The error names the position."""
    silent = type("Silent", (Coin,), {"side_to_move": lambda _game, state: None if state == "thrown" else 0})
    with pytest.raises(ProblemError, match=r"in position 'thrown', side_to_move returns None; it must be 0 or 1"):
        expectiminimax(silent((1, -1)))


def test_outcomes_that_are_no_pairs_are_named() -> None:
    """Such as those of a dict, whose keys are positions."""
    mapped = type("Mapped", (Coin,), {"outcomes": lambda _game, state: {"aaa": 1} if state == "thrown" else {}})
    with pytest.raises(ProblemError, match=r"outcomes returns 'aaa'; it must return pairs \(probability, position\)"):
        expectiminimax(mapped((1, -1)))
