"""Subclasses of shipped games: what a class says of its rules does not outlive a rule that a subclass replaces."""

from __future__ import annotations

from functools import partialmethod
from types import MethodType
from typing import Any, NamedTuple

import pytest

import bestfirst as bf
from bestfirst.claims import without_broken
from bestfirst.errors import InputError
from bestfirst.games import perft
from bestfirst.games.rules.connect_four import Columns
from bestfirst.games.rules.mnk import Stones


def truth(game: bf.Game, state: Any, met: dict[Any, int]) -> int:
    """1, 0 or -1 (or the points) for the side to move under best play, by its rules alone."""
    if state not in met:
        if game.is_over(state):
            met[state] = game.score(state)
        else:
            following = (game.play(state, move) for move in game.moves(state))
            met[state] = max((1 if game.moves_again(state, one) else -1) * truth(game, one, met) for one in following)
    return met[state]


class MisereFour(bf.ConnectFour):
    """Whoever makes four in a row loses."""

    def score(self, state: Columns) -> int:
        return 1 if super().is_over(state) and state.all != self.full else 0


class AnyCell(bf.ConnectFour):
    """The right column is closed once the left one has a stone: no mirror images, other wins at once."""

    def legal(self, state: Columns) -> int:
        free = 0
        for column in range(self.width):
            top = 1 << (column * (self.height + 1) + self.height - 1)
            if state.all & top == 0:
                free |= 2 << column
        first = state.all & 1
        return free & ~(2 << (self.width - 1)) if first != 0 and free != 2 << (self.width - 1) else free


class MisereTicTacToe(bf.TicTacToe):
    """Whoever makes three in a row loses."""

    def score(self, state: Stones) -> int:
        return 1 if state.mine | state.theirs != self.full else 0


class Corner(bf.TicTacToe):
    """Whoever takes the top left corner in the fifth ply or later wins at once: no mirror images."""

    def is_over(self, state: Stones) -> bool:
        stones = (state.mine | state.theirs).bit_count()
        return stones == 9 or (stones >= 5 and state.theirs & 1 != 0)

    def score(self, state: Stones) -> int:
        return -1 if state.theirs & 1 != 0 else 0


class FirstHeap(bf.Nim):
    """From the first heap only one can be taken: which heap is which does matter."""

    def legal(self, state: Any) -> int:
        moves, mask = 0, (1 << self.width) - 1
        for heap in range(self.heaps):
            size = state.sizes >> heap * self.width & mask
            moves |= (1 << (min(size, 1) if heap == 0 else size)) - 1 << heap * self.largest
        return moves


class Greedy(bf.Kalah):
    """The seeds in the store of the second player count twice."""

    def score(self, state: Any) -> int:
        mine = super().score(state)
        return mine + 3 if state.side == 1 else mine - 3


GAMES: list[bf.Game] = [
    MisereFour(4, 3),
    AnyCell(4, 3),
    MisereTicTacToe(),
    Corner(),
    FirstHeap((3, 2, 3)),
    Greedy(2, 2),
]
SETTINGS = [bf.Settings(), bf.Settings.solver("1MB"), bf.Settings(symmetries=True, method="alpha-beta")]


@pytest.mark.slow
@pytest.mark.parametrize("settings", SETTINGS, ids=["default", "solver", "symmetries"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_a_subclass_with_other_rules_is_searched_by_these(game: bf.Game, settings: bf.Settings) -> None:
    """Whatever was known of wins at once, mirror images and keys in the game that it is made from."""
    value = truth(game, game.initial, {})
    found = bf.analyse(game, lines=1, settings=settings, engine="python").run()
    assert found.solved
    assert found.score.value == value if game.counts_points else (found.score.value > 0) - (found.score.value < 0) == value


def test_compiled_code_follows_the_rules_of_the_subclass() -> None:
    """A GameDomain is its own compilable form, without the members that were written for other rules."""
    game = Corner()
    assert game.domain() is game
    found = bf.analyse(game, lines=1, settings=SETTINGS[2], engine="compiled").run()
    assert found.solved and (found.score.value > 0) - (found.score.value < 0) == truth(game, game.initial, {})


CLAIMED = ["winning_moves", "losing_moves", "noisy_moves", "symmetries", "key", "is_over_unwon"]


@pytest.mark.parametrize("shipped", [bf.ConnectFour, bf.TicTacToe, bf.Othello, bf.Checkers, bf.Kalah, bf.Nim])
@pytest.mark.parametrize("rule", ["legal", "play", "is_over", "score"])
def test_no_claim_of_a_shipped_game_outlives_a_rule(shipped: type[bf.GameDomain], rule: str) -> None:
    """Nor does one that is made in __init__; evaluate and order stay, as they say nothing for certain."""
    other = type("Other", (shipped,), {rule: partialmethod(getattr(shipped, rule))})()  # not the inherited function itself
    assert not any(other.defines(name) for name in CLAIMED)
    assert not (other.mover_never_loses or other.noisy_is_forced or other.key_merges)
    assert other.defines("evaluate") == shipped().defines("evaluate")
    assert list(other.symmetries(other.initial)) == []


def test_a_subclass_that_replaces_no_rule_keeps_all() -> None:
    """Members for people and for the order of moves are no rules."""

    class Shown(bf.ConnectFour):
        def evaluate(self, state: Any) -> int:
            return -super().evaluate(state)

        def order(self, _state: Any, move: int) -> int:
            return move

        def format_move(self, _state: Any, move: int) -> str:
            return f"column {move}"

    game = Shown()
    assert game.domain() is game and game.mover_never_loses
    assert all(game.defines(name) for name in CLAIMED)


def test_what_a_subclass_says_for_itself_holds() -> None:
    """A claim beside the new rule is taken at its word."""

    class Still(bf.TicTacToe):
        mover_never_loses = True

        def is_over(self, state: Any) -> bool:
            return super().is_over(state)

        def image(self, state: Any, number: int) -> Any:
            return super().image(state, number)

    assert Still().mover_never_loses and Still().defines("symmetries")


def test_a_rule_that_is_set_on_the_object_counts() -> None:
    """Such a game is not compiled, and nothing else is known of it."""
    game = bf.ConnectFour(4, 3)
    plain = type(game).score
    game.score = lambda state: -plain(game, state)  # type: ignore[method-assign]
    assert game.domain() is None and not game.mover_never_loses
    found = bf.analyse(game, lines=1).run()
    assert (found.score.value > 0) - (found.score.value < 0) == truth(game, game.initial, {})
    assert found.game is game


def test_a_rule_that_is_set_leaves_no_helper_of_the_other_rules_to_be_checked() -> None:
    """On the object or, later, on its class: what the shipped rules call noisy need not be legal."""

    class Forced(bf.Kalah):
        """Kalah in which only the last move may be made."""

        def moves(self, state: Any) -> list[Any]:
            return list(super().moves(state))[-1:]

    class Later(bf.Kalah):
        pass

    def last(game: bf.Kalah, state: Any) -> list[Any]:
        return list(bf.Kalah.moves(game, state))[-1:]

    on_object = bf.Kalah(2, 2)
    on_object.moves = MethodType(last, on_object)  # type: ignore[method-assign]
    Later.moves = last  # type: ignore[method-assign, assignment]
    games = (Forced(2, 2), on_object, Later(2, 2))
    assert {bf.analyse(game, settings=bf.Settings.plain("minimax")).run().score.value for game in games} == {-2}


def test_a_method_that_is_set_on_the_object_is_told_of() -> None:
    """With what to do; the class could be compiled."""
    game = bf.ConnectFour(4, 3)
    game.score = lambda state: -state.mine  # type: ignore[method-assign]
    with pytest.raises(InputError, match=r"score is set on this ConnectFour object.* in a subclass"):
        bf.analyse(game, engine="compiled")


class Heap(bf.GameDomain):
    """Take one or all three."""

    class State(NamedTuple):
        """What is left."""

        left: int

    initial = State(17)
    weight = 3

    def legal(self, state: Any) -> int:
        return 7 if state.left >= 3 else 1

    def play(self, state: Any, move: int) -> Any:
        return self.State(max(state.left - move - 1, 0))

    def is_over(self, state: Any) -> bool:
        return bool(state.left == 0)

    def score(self, state: Any) -> int:
        del state
        return -1

    def evaluate(self, state: Any) -> int:
        return int(state.left % self.weight)


def play_two(self: Any, state: Any, move: int) -> Any:
    """One more than the move says."""
    return self.State(max(state.left - move - 2, 0))


def test_what_is_set_on_a_class_later_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Data and rules, as in a Domain: compiled code has what the class has when a search begins."""
    limits = bf.GameLimits(depth=4)
    scores: list[Any] = []
    for weight in (3, 5):
        monkeypatch.setattr(Heap, "weight", weight)
        by_engine = {
            bf.analyse(Heap(), lines=1, limits=limits, engine=engine).run().score for engine in ("python", "compiled")
        }
        assert len(by_engine) == 1
        scores += by_engine
    assert scores[0] != scores[1]
    lines: list[int] = []
    for play in (Heap.play, play_two):
        monkeypatch.setattr(Heap, "play", play)
        by_both = {perft(Heap(), 12, engine=engine) for engine in ("python", "compiled")}
        assert len(by_both) == 1
        lines += by_both
    assert lines[0] != lines[1]


def test_no_claim_outlives_a_rule_that_is_set_on_the_class_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """In compiled code either: it has none of the members that were written for the rules before."""
    for name in ("is_over", "score"):
        home = next(one for one in bf.TicTacToe.__mro__ if name in vars(one))
        monkeypatch.setattr(home, name, getattr(Corner, name))
    game = bf.TicTacToe()
    assert game.domain() is game and not game.mover_never_loses
    found = bf.analyse(game, lines=1, settings=SETTINGS[2], engine="compiled").run()
    assert found.solved and (found.score.value > 0) - (found.score.value < 0) == truth(game, game.initial, {})


def test_no_claim_outlives_an_inherited_rule_that_is_set_on_the_class_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tic-tac-toe inherits its score; another score is not symmetrical."""
    game = bf.TicTacToe()
    assert without_broken(game) is game
    monkeypatch.setattr(bf.TicTacToe, "score", lambda _self, state: -(state.theirs & 7 == 7), raising=False)
    assert without_broken(bf.TicTacToe()).defines("symmetries") is False


def test_a_form_of_other_rules_is_not_compiled() -> None:
    """Where domain() gives another object, which knows nothing of the new rule."""

    class Plain(bf.Game):
        initial = 0

        def domain(self) -> Any:
            return bf.TicTacToe()

        def moves(self, state: Any) -> Any:
            del state
            return [1]

        def play(self, state: Any, move: Any) -> Any:
            return state + move

        def is_over(self, state: Any) -> bool:
            return bool(state == 3)

    class Longer(Plain):
        def is_over(self, state: Any) -> bool:
            return bool(state == 5)

    assert Plain().domain() is not None and Longer().domain() is None


def test_a_rule_of_a_game_that_reads_a_claim_needs_it_to_hold() -> None:
    """key() of a game with other moves no longer tells positions apart, but is_over() reads it."""

    class Take(bf.Game):
        initial, take = (4, 0), 3

        def moves(self, state: Any) -> list[int]:
            return [one for one in range(1, self.take + 1) if one <= state[0]]

        def play(self, state: Any, move: int) -> Any:
            return state[0] - move, move

        def key(self, state: Any) -> Any:
            return state[0]

        def is_over(self, state: Any) -> bool:
            return bool(self.key(state) == 0)

        def score(self, state: Any) -> int:
            del state
            return -1

    class TakeTwo(Take):
        take = 2

    assert str(bf.analyse(Take(), lines=1).run().score) == "loss in 2"
    with pytest.raises(bf.InputError, match="methods of TakeTwo read key"):
        bf.analyse(TakeTwo(), lines=1)
