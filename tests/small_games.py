"""Random games, small enough for minimax to solve: what the tests of all game algorithms are tried on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from bestfirst.games.domain import GameDomain
from bestfirst.games.game import Game
from bestfirst.games.rules.connect_four import ConnectFour
from bestfirst.games.rules.game_tree import GameTree, uniform_tree
from bestfirst.games.rules.kalah import Kalah
from bestfirst.games.rules.mnk import MNK
from bestfirst.games.rules.nim import Nim

TREES = st.recursive(st.integers(-20, 20), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=40)


class Again(Game):
    """Nim with one heap where taking an even number gives another turn: the sides do not alternate.

    A state is (sticks, side to move, points of the first side less those of the second); a stick is a point.
    """

    alternates = False
    counts_points = True
    initial = (9, 0, 0)

    def moves(self, state: tuple[int, int, int]) -> range:
        return range(1, min(3, state[0]) + 1)

    def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        sticks, side, ahead = state
        worth = move * (sticks % 5 - 1)
        return sticks - move, side if move == 2 else 1 - side, ahead + (-worth if side else worth)

    def is_over(self, state: tuple[int, int, int]) -> bool:
        return state[0] == 0

    def score(self, state: tuple[int, int, int]) -> int:
        return -state[2] if state[1] else state[2]

    def evaluate(self, state: tuple[int, int, int]) -> int:
        return self.score(state)

    def side_to_move(self, state: tuple[int, int, int]) -> int:
        return state[1]


class Race(Again):
    """The same sticks, where whoever takes the last one wins; taking two gives another turn."""

    counts_points = False
    mover_never_loses = True

    def score(self, state: tuple[int, int, int]) -> int:
        del state
        return -1  # the other side has taken the last one

    def play(self, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        sticks, side, _ahead = state
        return sticks - move, side if move == 2 and sticks > 2 else 1 - side, 0

    def evaluate(self, state: tuple[int, int, int]) -> int:
        del state
        return 0

    def winning_moves(self, state: tuple[int, int, int]) -> list[int]:
        return [move for move in self.moves(state) if move == state[0]]

    def losing_moves(self, state: tuple[int, int, int]) -> list[int]:
        return [move for move in self.moves(state) if not (move == 2 and state[0] > 2) and 0 < state[0] - move <= 3]


class Duel(GameTree):
    """An explicit tree whose leaves say who wins; a move may lose at once."""

    counts_points = False

    def winning_moves(self, state: Any) -> list[Any]:
        return [move for move in self.moves(state) if self._ends(self.play(state, move), -1)]

    def losing_moves(self, state: Any) -> list[Any]:
        children = {move: self.play(state, move) for move in self.moves(state)}
        return [move for move, child in children.items() if not self.is_over(child) and self.winning_moves(child)]

    def _ends(self, state: Any, sign: int) -> bool:
        return self.is_over(state) and self.score(state) * sign > 0


class Passes(GameDomain):
    """Take sticks one by one, down to the last, where a side has to pass; that ends the game, and wins it."""

    class State(NamedTuple):
        sticks: int
        over: int

    initial = State(4, 0)
    can_pass = True
    mover_never_loses = True

    def legal(self, state: Any) -> int:
        return 0b10 if state.sticks > 1 else 0

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.sticks, 1) if move < 0 else self.State(state.sticks - 1, 0)

    def is_over(self, state: Any) -> bool:
        return state.over == 1  # type: ignore[no-any-return]

    def score(self, state: Any) -> int:
        del state
        return -1

    def winning(self, state: Any) -> int:
        del state
        return 0


class LastStick(GameDomain):
    """Take 1 to 3 sticks; whoever takes the last one wins."""

    class State(NamedTuple):
        sticks: int

    initial: Any = State(21)

    def legal(self, state: Any) -> Any:
        return 0b1110 & ((2 << state.sticks) - 1)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.sticks - move)

    def is_over(self, state: Any) -> bool:
        return bool(state.sticks == 0)

    def score(self, state: Any) -> int:
        del state
        return -1


class Heaps(GameDomain):
    """Take one stick or two from one of several heaps, which are a tuple; whoever takes the last one wins.

    wrong: a fault, while three sticks are left.
    """

    class State(NamedTuple):
        heaps: tuple[int, ...]
        turn: int

    bits: Mapping[str, int] = MappingProxyType({"heaps": 5, "turn": 64})
    identity: Sequence[str] = ("heaps",)
    images = 1
    wrong = 0

    def __init__(self, heaps: Sequence[int]) -> None:
        self.initial = self.State(tuple(heaps), 1 << 63)

    def legal(self, state: Any) -> int:
        moves = 0
        for place, sticks in enumerate(state.heaps):
            if sticks > 0:
                moves |= 1 << place
            if sticks > 1:
                moves |= 1 << place + 16
        return moves

    def play(self, state: Any, move: int) -> Any:
        heaps = list(state.heaps)
        heaps[move & 15] -= 1 + (move >> 4)
        if self.wrong > 0 and sum(heaps) == 3:
            if self.wrong == 1:
                heaps[0] = 40
            if self.wrong == 2:
                heaps[99] = 1
        return self.State(tuple(heaps), state.turn ^ 1 << 63)

    def is_over(self, state: Any) -> bool:
        return bool(sum(state.heaps) == 0)

    def score(self, state: Any) -> int:
        del state
        return -1

    def evaluate(self, state: Any) -> int:
        if self.wrong == 3 and sum(state.heaps) == 3:
            return 1 << 40
        return int(state.heaps.count(1) - state.heaps.count(2))

    def order(self, state: Any, move: int) -> int:
        return int(state.heaps[move & 15])

    def noisy(self, state: Any) -> int:
        moves = 0
        for place, sticks in enumerate(state.heaps):
            if sticks == 1:
                moves |= 1 << place
        return moves

    def image(self, state: Any, number: int) -> Any:
        del number
        heaps = list(state.heaps)
        for place in range(len(heaps)):
            heaps[place] = state.heaps[len(heaps) - 1 - place]
        return self.State(tuple(heaps), state.turn)


HEAPS = (3, 1, *[0] * 10, 2)
"""Thirteen heaps of five bits take two words."""


def played(game: Game, choices: list[int], plies: int) -> Any:
    """The position after so many random moves that do not end the game, or fewer where every move would."""
    state = game.initial
    for choice in choices[:plies]:
        following = [child for child in (game.play(state, move) for move in game.moves(state)) if not game.is_over(child)]
        if not following:
            break
        state = following[choice % len(following)]
    return state


@st.composite
def positions(draw: st.DrawFn) -> tuple[Game, Any]:
    """A game and one of its positions from which minimax sees the end in a few thousand nodes."""
    kind = draw(st.sampled_from(["tree", "mnk", "connect-four", "nim", "again", "race", "kalah"]))
    choices = draw(st.lists(st.integers(0, 1000), min_size=20, max_size=20))
    if kind == "tree":
        tree = draw(TREES)
        return draw(st.sampled_from([GameTree, Duel]))(tree if isinstance(tree, list) else [tree]), ()
    if kind == "mnk":
        width, height = draw(st.sampled_from([(3, 3), (4, 3), (2, 4), (4, 4)]))
        game: Game = MNK(width, height, draw(st.integers(2, 3)))
        return game, played(game, choices, width * height - 6)
    if kind == "connect-four":
        width, height = draw(st.sampled_from([(4, 4), (5, 4), (7, 5)]))
        game = ConnectFour(width, height)
        return game, played(game, choices * 2, width * height - 7)
    if kind == "nim":
        game = Nim((*draw(st.lists(st.integers(0, 3), min_size=1, max_size=2)), 1), misere=draw(st.booleans()))
        return game, game.initial
    if kind == "kalah":
        game = Kalah(2, 2)
        return game, played(game, choices, draw(st.integers(0, 6)))
    if kind == "race":
        return Race(), (draw(st.integers(1, 9)), draw(st.integers(0, 1)), 0)
    return Again(), (draw(st.integers(1, 8)), draw(st.integers(0, 1)), draw(st.integers(-9, 9)))


@st.composite
def uniform_trees(draw: st.DrawFn) -> GameTree:
    """A tree with the same number of branches everywhere, and few different leaves."""
    branching, depth = draw(st.sampled_from([(2, 3), (2, 4), (3, 3)]))
    number = branching**depth
    return uniform_tree(branching, depth, draw(st.lists(st.integers(0, 5), min_size=number, max_size=number)))
