"""check on games: the shipped ones keep the contract; each way to break it is found."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.errors import InputError, ProblemError, StateError
from bestfirst.games import alpha_beta, mcts, minimax, negamax, prove, sss_star
from bestfirst.games.game import Game
from bestfirst.games.rules import GAMES
from bestfirst.games.rules.mnk import Stones
from small_games import Passes, Race


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


class Falls(Sticks):
    def play(self, state: Any, move: Any) -> Any:
        if state == 5:
            raise ValueError("no five")
        return super().play(state, move)


class FallsBelow(Sticks):
    def score(self, state: Any) -> Any:
        return self._of(state)

    def _of(self, state: Any) -> int:
        return -1 // state  # type: ignore[no-any-return]


class Unwritable(Sticks):
    def format(self, state: Any) -> str:
        raise KeyError(state)


class NoInitial(bf.Game):
    pass


class Nothing(Sticks):
    def moves(self, state: Any) -> Any:
        del state


class Unhashable(Sticks):
    def moves(self, state: Any) -> Any:
        return [[move] for move in super().moves(state)]


class Undecided(Sticks):
    def is_over(self, state: Any) -> Any:
        del state


class Heaps(bf.GameDomain):
    """Take one stick, or as many as there are; whoever takes the last one wins."""

    class State(NamedTuple):
        sticks: int

    initial: Any = State(7)

    def legal(self, state: Any) -> Any:
        return 0b10 | 1 << state.sticks

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.sticks - move)

    def is_over(self, state: Any) -> bool:
        return bool(state.sticks == 0)

    def score(self, state: Any) -> int:
        del state
        return -1


class ListOfMoves(Heaps):
    def legal(self, state: Any) -> Any:
        return [1, state.sticks]


class Complement(Heaps):
    def legal(self, state: Any) -> Any:
        return ~state.sticks


class Float(Heaps):
    initial = Heaps.State(7.0)  # type: ignore[arg-type]


class Plain(Heaps):
    initial = (7,)


class FloatKey(Heaps):
    def key(self, state: Any) -> Any:
        return state.sticks / 2


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
        (Falls(), "in position '5' play(1) raises ValueError: no five"),
        (FallsBelow(), "in position '0' score raises ZeroDivisionError"),
        (Unwritable(), "in position 9 format raises KeyError: 9"),
        (NoInitial(), "initial is missing; set it to the state in which the game begins"),
        (Nothing(), "in position '9' moves gives None; it must give moves"),
        (Unhashable(), "in position '9' moves gives [1], which cannot be hashed"),
        (Undecided(), "in position '9' is_over gives None; it must be True or False"),
        (ListOfMoves(), "legal gives [1, 7]; it must be an int whose bits are the moves"),
        (Complement(), "legal gives -8; it must be an int whose bits are the moves"),
        (Float(), "position State(sticks=7.0): its field sticks must be an int of 64 bits"),
        (Plain(), "the position is (7,); write State(...) with the fields ('sticks',)"),
        (FloatKey(), "key gives 3.5; it must be an int of 64 bits"),
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


class PassesUnseen(Passes):
    def is_over_unwon(self, state: Any) -> bool:
        del state
        return False


def test_a_pass_that_wins_is_not_asked_for() -> None:
    """The bits of winning_moves cannot hold it; but is_over_unwon is asked after it."""
    assert bf.check(Passes(), states=10).ok
    assert "after a pass, is_over_unwon gives False, and is_over True" in str(bf.check(PassesUnseen(), states=10))


def test_a_class_in_place_of_a_game_is_named() -> None:
    """With what to write."""
    with pytest.raises(InputError, match=r"give an instance: Sticks\(\)"):
        bf.check(Sticks)  # type: ignore[call-overload]


class Interpreted(bf.ConnectFour):
    """So that nothing is compiled where a broken member goes unnoticed."""

    def domain(self) -> None:
        return None


MEMBERS = sorted(name for name, member in vars(Game).items() if isinstance(member, FunctionType) and name[0] != "_")


@pytest.mark.parametrize(
    "member", [*sorted({*MEMBERS} - {"domain"}), "legal", "noisy", "winning", "losing", "is_over_unwon"]
)
def test_no_rules_can_hurt_check(member: str) -> None:
    """Whatever a member gives or raises, the worst is a fault, and one that names the member where it raises."""
    code: dict[str, Any] = {}
    exec(f"def {member}(self, state=None, move=None): raise LookupError('gone')", code)
    for game in (Race, Interpreted):
        if hasattr(game, member):
            broken = type("Broken", (game,), {member: code[member]})
            found = bf.check(broken(), states=20)
            assert found.ok or (f" {member}" in str(found) and "LookupError: gone" in str(found))
            for given in (None, [], "x", -1, 1.5, [[]], object(), True):
                bf.check(type("Broken", (game,), {member: lambda *_, given=given: given})(), states=20)
