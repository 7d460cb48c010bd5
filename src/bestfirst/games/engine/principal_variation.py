"""The principal variation: the line of best play for both sides, completed if the search did not keep it.

A search with a table knows the value better than the line: the table stores a value and one move, and null windows (MTD(f))
prove only the moves of one side to be best. So each added move must be known, or shown by a separate search, to lead to the
value. In a position of value v, that is any move with a value of at least v, because none is greater.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from bestfirst.games.engine.line import chained, unroll
from bestfirst.games.engine.ordering import MoveOrder
from bestfirst.games.engine.transposition import Bound, Entry
from bestfirst.games.game import Move, Position, final_value
from bestfirst.games.score import DECISIVE, MOST_PLIES, WIN, in_plies_from_root

if TYPE_CHECKING:
    from bestfirst.games.engine.rooted import RootedSearch, RootLine

LEAST_NODES = 10_000
SHARE_OF_NODES = 4
"""To complete a line, at most this many nodes are searched, or this share of the nodes of the search if that is more."""


def extended(search: RootedSearch, state: Position, line: RootLine, depth: int, *, may_search: bool) -> RootLine:
    """The line of best play from the root, as far as it is known. depth: the search depth of the root.

    may_search: whether moves may be found by searches of positions that the main search has settled; their nodes are not
    counted. The line ends before an illegal move, which the table can contain if different states share a key.
    """
    walk = _Walk(search, state, line, depth)
    walk.follow_search()
    walk.follow_table()
    if may_search and not search.settings.unsound and not walk.is_done:
        with search.apart(max(LEAST_NODES, search.stats.nodes // SHARE_OF_NODES)):
            walk.search_on()
    return replace(line, rest=chained(walk.moves[1:]), is_guess=False, goes_on=not walk.is_done)


class _Walk:
    """A path along a line: the moves so far, the position after them, and its value relative to the side to move."""

    def __init__(self, search: RootedSearch, state: Position, line: RootLine, depth: int) -> None:
        self._search, self._game, self._line, self._depth = search, search.game, line, depth
        self._is_decisive = abs(line.value) >= DECISIVE and not search.settings.unsound
        self._is_proven = line.complete or self._is_decisive
        self._hints = list(unroll(line.rest))
        self._order = MoveOrder(search.game, search.settings)  # not the search's: the engines store killers differently
        self._met: set[object] = set()
        self._is_back = False
        self.moves: list[Move] = []
        self._state, self._value = state, line.value
        self._take(line.move)

    @property
    def is_done(self) -> bool:
        """Whether the line reaches the end of the game or, if the value is not proven, the depth of the search."""
        return self._game.is_over(self._state) or (not self._is_proven and len(self.moves) >= self._depth)

    def follow_search(self) -> None:
        """Append the moves that the search has kept, if they are certain."""
        if self._line.is_guess:
            return
        for move in self._hints:
            if move not in self._game.legal_moves(self._state):
                self._hints = []
                break
            self._take(move)

    def follow_table(self) -> None:
        """Append moves as long as the table proves them to be best."""
        while not self._is_finished:
            move = self._known()
            if move is None:
                break
            self._take(move)

    def search_on(self) -> None:
        """Append moves found by searches if the table proves none."""
        while not self._is_finished:
            move = self._known()
            if move is None:
                move = self._found()
            if move is None:
                break
            self._take(move)

    def _take(self, move: Move) -> None:
        if self.moves and self._hint != [move]:
            self._hints = []
        self.moves.append(move)
        state = self._state  # under this name blaming_methods() finds it
        self._state, self._value = self._search.following(state, move, self._value)
        if not self._game.is_over(self._state):
            key = self._search.own_key(self._state)
            self._is_back = key in self._met
            self._met.add(key)

    @property
    def _is_finished(self) -> bool:
        """Whether no move can be added: the line is done, or repeats a position."""
        return self.is_done or self._is_back

    @property
    def _hint(self) -> list[Move]:
        """The next move in the line of the search; [] once play has left it."""
        return self._hints[len(self.moves) - 1 : len(self.moves)]

    def _known(self) -> Move | None:
        """A move known without a search to lead to the value."""
        ply = len(self.moves)
        entry = self._entry(self._state, ply, self._value)
        legal = self._game.legal_moves(self._state)
        if (
            entry is not None
            and ply > self._search.lineless_plies
            and entry.bound is not Bound.UPPER
            and entry.move in legal
        ):
            return entry.move
        for move in self._candidates():
            child, value = self._search.following(self._state, move, self._value)
            if self._is_worth(child, value, ply + 1, again=self._game.moves_again(self._state, child)):
                return move
        return None

    def _found(self) -> Move | None:
        """A move that a search shows to lead to the value."""
        search, ply = self._search, len(self.moves)
        end = WIN - abs(self._line.value) if self._is_decisive else MOST_PLIES if self._is_proven else self._depth
        for move in self._candidates():
            child = self._game.play(self._state, move)
            window = self._value - 1, self._value
            value, _ = search.scouted(self._state, child, *window, end - ply - 1, ply + 1, None, scout=False)
            if value >= self._value:
                return move
        return None

    def _candidates(self) -> Iterator[Move]:
        """The legal moves, the move of the search first."""
        ply, hint = len(self.moves), self._hint
        legal = self._game.legal_moves(self._state)
        yield from (move for move in legal if move in hint)
        entry = self._search.entry(self._state, ply) if ply > self._search.lineless_plies else None
        ordered = self._order.ordered(self._state, legal, ply, None if entry is None else entry.move)
        yield from (move for move in ordered if move not in hint)

    def _entry(self, state: Position, ply: int, value: int) -> Entry | None:
        """The table entry of a position, if it proves this value and is as certain as the line."""
        entry = self._search.entry(state, ply)
        if entry is None or in_plies_from_root(entry.value, ply) != value:
            return None
        deep_enough = self._is_decisive if self._is_proven else entry.depth >= self._depth - ply
        return entry if entry.complete or deep_enough else None

    def _is_worth(self, state: Position, value: int, ply: int, *, again: bool) -> bool:
        """Whether a child is known to have exactly this value, as the move to it may be no better than the line.

        So it has at least this value for the other side; if the same side moves again, it has at most this value.
        """
        search, game = self._search, self._game
        if game.is_over(state):
            return final_value(game, state, ply) == value
        if search.foreseen_plies and value == WIN - (ply + 1):
            return any(True for _ in game.winning_moves(state))
        entry = self._entry(state, ply, value)
        if entry is None or again:
            return entry is not None and entry.bound is not Bound.UPPER
        soonest_win = 1 if search.soonest is None else search.soonest.win
        return entry.bound is not Bound.LOWER or value == WIN - (ply + soonest_win)
