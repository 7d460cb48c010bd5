"""check on games: the shipped ones keep the contract; each way to break it is found."""

from __future__ import annotations

from typing import Any

import pytest

import bestfirst as bf
from bestfirst.errors import ProblemError, StateError
from bestfirst.games import alpha_beta, mcts, minimax, negamax, prove, sss_star
from bestfirst.games.rules import GAMES
from bestfirst.games.rules.mnk import Stones


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_games_keep_the_contract(name: str) -> None:
    """No fault, and nothing to note."""
    found = bf.check(GAMES[name].from_options())
    assert found.ok and not found.notes, str(found)
    assert found.states >= 200


class Sticks(bf.Game):
    """Take 1 to 3 sticks; whoever takes the last one wins."""

    initial: Any = 9

    def moves(self, state: Any) -> Any:
        return range(1, min(3, state) + 1)

    def play(self, state: Any, move: Any) -> Any:
        return state - move

    def is_over(self, state: Any) -> bool:
        return bool(state == 0)

    def score(self, state: Any) -> Any:
        del state
        return -1


class WrongSide(Sticks):
    def score(self, state: Any) -> int:
        return -super().score(state)  # type: ignore[no-any-return]


def test_a_score_for_the_wrong_side_is_noted() -> None:
    """Not as a fault, as there are games where whoever moves last loses."""
    assert not bf.check(Sticks()).notes
    (note,) = bf.check(WrongSide()).notes
    assert "FOR THE SIDE TO MOVE" in note
    assert "FOR THE SIDE TO MOVE" in str(bf.check(bf.Nim(misere=True)))


class Stuck(Sticks):
    def moves(self, state: Any) -> Any:
        return range(2, min(3, state) + 1)


class Twice(Sticks):
    def moves(self, state: Any) -> Any:
        del state
        return [1, 1]


class Half(Sticks):
    def evaluate(self, state: Any) -> Any:
        del state
        return 0.5


class Bool(Sticks):
    def score(self, state: Any) -> Any:
        return state > 0


class Noisy(Sticks):
    def noisy_moves(self, state: Any) -> Any:
        del state
        return [7]


class Lists(Sticks):
    def __init__(self) -> None:
        self.initial = [9]


class SameSide(Sticks):
    def side_to_move(self, state: Any) -> int:
        del state
        return 0


class Changing(bf.TicTacToe):
    def format(self, state: Stones) -> str:
        return super().format(state)[::-1]


class Endless(bf.ConnectFour):
    def is_over_unwon(self, state: Any) -> bool:
        del state
        return False


class Safe(bf.Nim):
    """It says that no move loses, and leaves out that whoever takes the last one does."""

    def __init__(self) -> None:
        super().__init__(misere=True)
        self.mover_never_loses = True


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (Safe(), "loses the game at once; say mover_never_loses = False"),
        (Endless(3, 2), "is_over_unwon gives False, and is_over True"),
        (Stuck(), "there is no move"),
        (Twice(), "a move comes twice"),
        (Half(), "evaluate gives 0.5"),
        (Bool(), "score gives False for position '0'; it must be an int, for the side to move: 1, 0 or -1"),
        (Noisy(), "noisy_moves gives 7"),
        (Lists(), "cannot be hashed"),
        (SameSide(), "the same side is to move again"),
        (Changing(), "as another position"),
    ],
)
def test_a_broken_game_is_found_out(game: bf.Game, fault: str) -> None:
    """The fault says what is wrong, and in which position."""
    assert fault in str(bf.check(game, states=50))


def test_searches_refuse_broken_games_too() -> None:
    """A position without moves that is not over, and states that cannot be hashed."""
    for search in (minimax, negamax, alpha_beta, sss_star, prove, mcts):
        with pytest.raises(ProblemError, match="moves gives no move for position '1'"):
            search(Stuck())
    with pytest.raises(ProblemError, match="moves gives no move for position '1'"):
        bf.play(Stuck(), bf.RandomPlayer(), bf.RandomPlayer(), start=1)
    with pytest.raises(ProblemError, match="moves gives no move"):
        bf.analyse(Stuck()).run()
    with pytest.raises(ProblemError, match="moves gives no move"):
        bf.analyse(Stuck(), 1)
    with pytest.raises(StateError, match="not hashable"):
        bf.analyse(Lists())
