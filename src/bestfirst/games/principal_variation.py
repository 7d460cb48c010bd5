"""The principal variation, gone on with where the table has cut a search short: all that the table remembers is one move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bestfirst.games.game import Move, Position, final_value
from bestfirst.games.line import chained, unroll
from bestfirst.games.score import DECISIVE, WIN, in_plies_from_root
from bestfirst.games.transposition import Bound

if TYPE_CHECKING:
    from bestfirst.games.rooted import RootedSearch, RootLine


def extended(search: RootedSearch, state: Position, line: RootLine) -> RootLine:
    """A line of play from the root, gone on with by moves that are known to lead to the same value.

    It ends before a move that is not legal, as the table may give where the game's key is the same for states that differ.
    """
    game, expected, moves = search.game, line.value, [line.move]
    is_proven = line.complete or (abs(expected) >= DECISIVE and not search.settings.unsound)
    state, expected = search.following(state, line.move, expected)
    for move in unroll(line.rest):
        if move not in game.legal_moves(state):
            break
        moves.append(move)
        state, expected = search.following(state, move, expected)
    met: set[object] = set()
    while not game.is_over(state) and (key := search.own_key(state)) not in met:
        met.add(key)
        known = _remembered(search, state, expected, len(moves))
        if known is None and is_proven:
            known = _proven(search, state, expected, len(moves))
        if known is None:
            break
        moves.append(known)
        state, expected = search.following(state, known, expected)
    return replace(line, rest=chained(moves[1:]))


def _remembered(search: RootedSearch, state: Position, expected: int, ply: int) -> Move | None:
    """The move that the table has for a position, if it has the value that is expected."""
    if ply <= search.lineless_plies:
        return None
    entry = search.entry(state, ply)
    if entry is None or in_plies_from_root(entry.value, ply) != expected:
        return None
    return entry.move if entry.move in search.game.legal_moves(state) else None


def _proven(search: RootedSearch, state: Position, expected: int, ply: int) -> Move | None:
    """A move to a position that is known to have the value that is expected, which is proven: no move is better."""
    for move in search.game.moves(state):
        child, value = search.following(state, move, expected)
        if _is_worth(search, child, value, ply + 1):
            return move
    return None


def _is_worth(search: RootedSearch, state: Position, value: int, ply: int) -> bool:
    """Whether a position that is worth no less than a value is known to be worth just that."""
    game = search.game
    if game.is_over(state):
        return final_value(game, state, ply) == value
    if search.foreseen_plies and value == WIN - (ply + 1):
        return any(True for _ in game.winning_moves(state))
    entry = search.entry(state, ply)
    if entry is None or in_plies_from_root(entry.value, ply) != value:
        return False
    soonest_win = 1 if search.soonest is None else search.soonest.win
    return entry.bound is not Bound.LOWER or value == WIN - (ply + soonest_win)
