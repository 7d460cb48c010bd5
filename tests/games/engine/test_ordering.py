"""The order of moves: each switch has its say, in turn."""

from __future__ import annotations

from bestfirst.games.engine.ordering import MoveOrder
from bestfirst.games.engine.settings import Settings
from bestfirst.games.rules.connect_four import ConnectFour

GAME = ConnectFour()
START = GAME.initial
MOVES = GAME.moves(START)


def order(settings: Settings, hash_move: int | None = None, cuts: tuple[int, ...] = ()) -> list[int]:
    """The moves of the empty board at ply 2, after moves that cut there."""
    moves = MoveOrder(GAME, settings)
    for move in cuts:
        moves.note_cut(move, 2, 4)
    return list(moves.ordered(START, MOVES, 2, hash_move))


def test_without_a_switch_the_order_is_that_of_the_game() -> None:
    """From left to right."""
    assert order(Settings.plain(), hash_move=7, cuts=(6,)) == MOVES


def test_static_order_begins_in_the_centre() -> None:
    """Equal ones from left to right."""
    assert order(Settings.plain(static_order=True)) == [4, 3, 5, 2, 6, 1, 7]


def test_hash_move_killers_and_history_come_in_turn() -> None:
    """The table's move, then what cut at the same ply, then the static order, then what cut most among equals."""
    assert order(Settings.plain(hash_move=True), hash_move=6) == [6, 1, 2, 3, 4, 5, 7]
    assert order(Settings.plain(killers=1), cuts=(2, 7)) == [7, 1, 2, 3, 4, 5, 6]
    assert order(Settings.plain(killers=2), cuts=(2, 7)) == [2, 7, 1, 3, 4, 5, 6]
    assert order(Settings.plain(history=True), cuts=(2, 7, 7)) == [7, 2, 1, 3, 4, 5, 6]
    assert order(Settings(), hash_move=1, cuts=(7, 7, 5)) == [1, 5, 7, 4, 3, 2, 6]


def test_history_decides_among_equals_only() -> None:
    """3 and 5 look the same from the centre; 5 has cut."""
    assert order(Settings.plain(static_order=True, history=True), cuts=(5, 7)) == [4, 5, 3, 2, 6, 7, 1]


def test_killers_belong_to_their_ply() -> None:
    """What cut at ply 2 says nothing at ply 3."""
    moves = MoveOrder(GAME, Settings.plain(killers=2))
    moves.note_cut(7, 2, 4)
    assert next(iter(moves.ordered(START, MOVES, 3, None))) == 1
