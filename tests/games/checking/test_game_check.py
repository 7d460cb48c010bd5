"""check on games: the shipped ones keep the contract; each way to break it is found."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.errors import InputError, ProblemError, StateError
from bestfirst.games import alpha_beta, mcts, minimax, negamax, prove, sss_star
from bestfirst.games.checking.value_check import RELYING, ValueCheck
from bestfirst.games.game import Game
from bestfirst.games.rules import GAMES
from bestfirst.games.rules.mnk import Stones
from small_games import Again, LastStick, Passes, Race


@pytest.mark.slow
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


class Unpictured(Sticks):
    def picture(self, state: Any) -> str:
        return f"{state} sticks"


@pytest.mark.slow
def test_a_score_for_the_wrong_side_is_noted() -> None:
    """Not as a fault, as there are games where whoever moves last loses."""
    assert not bf.check(Sticks()).notes
    (note,) = bf.check(WrongSide()).notes
    assert "RELATIVE TO THE SIDE TO MOVE" in note
    assert "RELATIVE TO THE SIDE TO MOVE" in str(bf.check(bf.Nim(misere=True)))


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


class Heaps(LastStick):
    """Take one stick, or as many as there are."""

    initial: Any = LastStick.State(7)

    def legal(self, state: Any) -> Any:
        return 0b10 | 1 << state.sticks


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
        (Safe(), "loses the game immediately; set mover_never_loses = False"),
        (Endless(3, 2), "is_over_unwon returns False, but is_over returns True"),
        (Stuck(), "moves is empty"),
        (Twice(), "a move occurs twice"),
        (Half(), "evaluate returns 0.5"),
        (Bool(), "score returns False for position '0'; it must be an int, relative to the side to move: 1, 0 or -1"),
        (Falls(), "in position '5', play(1) raises ValueError: no five"),
        (FallsBelow(), "in position '0', score raises ZeroDivisionError"),
        (Unwritable(), "in position 9, format raises KeyError: 9"),
        (NoInitial(), "initial is missing; set it to the start state"),
        (Nothing(), "in position '9', moves returns None; it must return a list or another iterable of moves"),
        (Unhashable(), "in position '9', moves returns the move [1], which is not hashable"),
        (Undecided(), "in position '9', is_over returns None; it must be True or False"),
        (ListOfMoves(), "legal returns [1, 7]; it must be an int from 0 to 2**64 - 1 with one bit per move"),
        (Complement(), "legal returns -8; it must be an int from 0 to 2**64 - 1 with one bit per move"),
        (Float(), "position State(sticks=7.0): its field sticks must be a 64-bit int"),
        (Plain(), "the position is (7,); write State(...) with the fields ('sticks',)"),
        (FloatKey(), "key returns 3.5; it must be a 64-bit int"),
        (Noisy(), "noisy_moves returns 7"),
        (Lists(), "is not hashable"),
        (SameSide(), "the same side moves again"),
        (Changing(), "as a different position"),
        (Unpictured(), "Unpictured.picture(9) returns invalid SVG"),
    ],
)
def test_a_broken_game_is_found_out(game: bf.Game, fault: str) -> None:
    """The fault says what is wrong, and in which position."""
    assert fault in str(bf.check(game, states=50))


class HalfKey(bf.ConnectFour):
    """The key leaves out whose stones they are."""

    def key(self, state: Any) -> int:
        return state.all  # type: ignore[no-any-return]


class Swapped(bf.ConnectFour):
    """The image turns the board around, and exchanges the stones of both sides."""

    def image(self, state: Any, number: int) -> Any:
        mirrored = super().image(state, number)
        return mirrored._replace(mine=mirrored.mine ^ mirrored.all)


class Shifted(Sticks):
    """As many moves, and another value."""

    def symmetries(self, state: Any) -> Any:
        return [4] if state > 3 else [state]


class BlindToColumns(bf.ConnectFour):
    """It misses that four in a column win."""

    def winning(self, state: Any) -> int:
        moves = 0
        for move in self.moves(state):
            child = self.play(state, move)
            if self.is_over(child) and self.score(child) < 0 and move != 3:
                moves |= 1 << move
        return moves


class BeyondRange(bf.ConnectFour):
    def order(self, state: Any, move: int) -> int:
        return 10**9 * super().order(state, move)


class WideKey(bf.ConnectFour):
    def key(self, state: Any) -> int:
        return super().key(state) << 64


class OneKey(Sticks):
    def key(self, state: Any) -> int:
        return min(state, 4)  # type: ignore[no-any-return]


class MergedKey(Sticks):
    """Two heaps in the order of their sizes as key, though a move names its heap."""

    initial = (2, 3)

    def moves(self, state: Any) -> Any:
        return [(heap, count) for heap in range(2) for count in range(1, state[heap] + 1)]

    def play(self, state: Any, move: Any) -> Any:
        heaps = list(state)
        heaps[move[0]] -= move[1]
        return tuple(heaps)

    def is_over(self, state: Any) -> bool:
        return state == (0, 0)  # type: ignore[no-any-return]

    def key(self, state: Any) -> Any:
        return tuple(sorted(state))


class SticksOnly(Again):
    """The key leaves out the points, and whose turn it is."""

    def key(self, state: Any) -> Any:
        return state[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (HalfKey(), "have the same key but different values"),
        (HalfKey(7, 5), "key must distinguish them"),
        (Swapped(), "image"),
        (Endless(), "is_over_unwon returns False, but is_over returns True"),
        (Endless(7, 4), "is_over_unwon returns False, but is_over returns True"),
        (BlindToColumns(), "winning_moves returns"),
        (BeyondRange(), "order returns"),
        (WideKey(), "it must be a 64-bit int"),
        (MergedKey(), "the same move has different effects; set key_merges = True"),
        (SticksOnly(), "have the same key"),
        (Shifted(), ", symmetries returns '4', whose value is loss in 2"),
    ],
)
def test_what_would_give_wrong_proven_values_is_found_out(game: bf.Game, fault: str) -> None:
    """Late positions are solved by plain minimax, which a wrong key, image, winning or is_over_unwon does not agree with."""
    found = bf.check(game)
    assert fault in str(found), str(found)


def test_plain_minimax_is_held_against_searches_one_technique_at_a_time() -> None:
    """The sentence names the technique, both values, and the member that it relies on."""
    for member, game in (("key", OneKey()), ("symmetries", Shifted())):
        values, states = ValueCheck(game, 20_000), list(range(5, 14))
        assert values.faults([states])
        (technique, *_) = RELYING[member]
        told = [fault for state in states for _, fault in values.faults_of_searches(state)]
        assert any(technique in fault and "but plain minimax" in fault for fault in told)


def test_searches_refuse_broken_games_too() -> None:
    """A position without moves that is not over, and states that cannot be hashed."""
    for search in (minimax, negamax, alpha_beta, sss_star, prove, mcts):
        with pytest.raises(ProblemError, match="moves is empty in position '1'"):
            search(Stuck())
    with pytest.raises(ProblemError, match="moves is empty in position '1'"):
        bf.play(Stuck(), bf.RandomPlayer(), bf.RandomPlayer(), start=1)
    with pytest.raises(ProblemError, match="moves is empty"):
        bf.analyse(Stuck()).run()
    with pytest.raises(ProblemError, match="moves is empty"):
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
    assert "after a pass, is_over_unwon returns False, but is_over returns True" in str(bf.check(PassesUnseen(), states=10))


class Take(bf.Game):
    """Take one to three of a heap; who takes the last one wins. Its foresight is that of this rule."""

    initial, last_wins = 11, True

    def moves(self, state: int) -> list[int]:
        return [count for count in (1, 2, 3) if count <= state]

    def play(self, state: int, move: int) -> int:
        return state - move

    def is_over(self, state: int) -> bool:
        return state == 0

    def score(self, _state: int) -> int:
        return -1 if self.last_wins else 1

    def winning_moves(self, state: int) -> list[int]:
        return [count for count in (1, 2, 3) if count == state]


def test_a_game_need_not_name_the_moves_that_lose() -> None:
    """The moves that win are of use alone."""
    assert bf.check(Take(), states=20).faults == []


def test_a_claim_that_a_changed_rule_ends_is_no_fault() -> None:
    """Searches do not use it either."""
    game = Take()
    game.last_wins = False
    assert bf.check(game, states=20).faults == []


def test_a_class_in_place_of_a_game_is_named() -> None:
    """With what to write."""
    with pytest.raises(InputError, match=r"pass an instance: Sticks\(\)"):
        bf.check(Sticks)  # type: ignore[call-overload]


class Interpreted(bf.ConnectFour):
    """So that nothing is compiled where a broken member goes unnoticed; on a small board, whose games are short."""

    def __init__(self) -> None:
        super().__init__(3, 3)

    def domain(self) -> None:
        return None


MEMBERS = sorted(name for name, member in vars(Game).items() if isinstance(member, FunctionType) and name[0] != "_")


@pytest.mark.slow
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
            given: list[object] = [None]
            odd = type("Odd", (game,), {member: lambda *_, given=given: given[0]})
            for given[0] in (None, [], "x", -1, 1.5, [[]], object(), True) if game is Race else (None, -1):
                bf.check(odd(), states=5)


class Heap:
    """A position that equals itself alone."""

    def __init__(self, left: int) -> None:
        self.left = left


class Heaped(bf.Game):
    """Take 1 or 2 sticks from a heap."""

    initial = Heap(4)

    def moves(self, state: Heap) -> Any:
        return range(1, min(2, state.left) + 1)

    def play(self, state: Heap, move: int) -> Heap:
        return Heap(state.left - move)

    def is_over(self, state: Heap) -> bool:
        return state.left == 0

    def score(self, _state: Heap) -> int:
        return -1


def test_positions_that_equal_only_themselves_are_named() -> None:
    """The fault is not put on play."""
    (fault,) = bf.check(Heaped()).faults
    assert "the position does not equal a copy of itself; define __eq__ and __hash__ on Heap" in fault


class TwoSets(bf.Game):
    """Noughts and crosses on a row of three cells, by two sets of cells, of the side to move and of the other."""

    initial: Any = (frozenset(), frozenset())

    def moves(self, state: Any) -> Any:
        return sorted({0, 1, 2} - state[0] - state[1])

    def play(self, state: Any, move: int) -> Any:
        return state[1], state[0] | {move}

    def is_over(self, state: Any) -> bool:
        return len(state[0]) + len(state[1]) == 3

    def score(self, _state: Any) -> int:
        return 0

    def symmetries(self, state: Any) -> Any:
        return [tuple(frozenset(2 - cell for cell in cells) for cells in state)]


def test_keys_of_symmetries_without_an_order_are_named() -> None:
    """They would save nothing; with keys that have an order, there is no fault."""
    (fault,) = bf.check(TwoSets()).faults
    assert "symmetries have no order, so these positions cannot share a table entry; define key(state)" in fault
    ordered = type("Ordered", (TwoSets,), {"key": lambda _game, state: tuple(tuple(sorted(cells)) for cells in state)})
    assert bf.check(ordered()).ok
