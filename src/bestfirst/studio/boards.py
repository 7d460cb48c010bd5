"""Positions of games as boards to click on: the pieces, and for each move the squares that name it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from bestfirst.games.game import Game, Move, Position
from bestfirst.games.rules import MNK, Checkers, ConnectFour, Kalah, Nim, Othello
from bestfirst.pictured import svg_of
from bestfirst.written import text_of

Square: TypeAlias = tuple[int, int]
"""(row, column), from the upper left."""
Board: TypeAlias = dict[str, Any]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FIGURES = {"k": "\u265a", "q": "\u265b", "r": "\u265c", "b": "\u265d", "n": "\u265e", "p": "\u265f"}


def board_of(game: Game, state: Position) -> Board:
    """A position as JSON: a grid of squares with pieces, or for another game its own picture or a drawing in letters."""
    for kind, draw in _BOARDS.items():
        if isinstance(game, kind):
            return draw(game, state)
    if game.name() == "chess":
        return _chess(state)
    svg = svg_of(game, state)
    if svg is not None:
        return {"kind": "svg", "svg": svg.text, "aspect": svg.aspect}
    return {"kind": "text", "text": text_of(game, "draw", state)}


def path_of(game: Game, state: Position, move: Move) -> list[Square]:
    """The squares to click for a move, in order; [] for a move without squares, such as a pass."""
    words = text_of(game, "format_move", state, move)
    if isinstance(game, ConnectFour):
        column = move - 1
        return [(row, column) for row in range(game.height) if _rows(game, state)[row][column] == "."][-1:]
    if isinstance(game, MNK):
        return [divmod(move, game.width)]
    if isinstance(game, Othello):
        return [_named(words)] if re.fullmatch(r"[a-z]\d+", words) else []
    if isinstance(game, Checkers):
        return [_dark(int(number) - 1) for number in re.split("[-x]", words)]
    if isinstance(game, Kalah):
        return [_house(game, move, state.side)]
    if isinstance(game, Nim):
        heap, taken = (int(number) for number in words.split("-"))
        return [(heap - 1, game.sizes(state)[heap - 1] - taken)]
    if game.name() == "chess":
        return [(7 - square // 8, square % 8) for square in (move.from_square, move.to_square)]
    return []


def _rows(game: Game, state: Position) -> list[str]:
    """The rows of a board of X and O, from its notation."""
    return text_of(game, "format", state).split()[0].split("/")


def _stones(game: Any, state: Position) -> Board:
    rows = _rows(game, state)
    is_drop = isinstance(game, ConnectFour)
    return {
        "kind": "grid",
        "look": "holes" if is_drop else "green" if isinstance(game, Othello) else "plain",
        "drops": is_drop,
        "rows": len(rows),
        "columns": len(rows[0]),
        "names": {
            "columns": [str(column + 1) if is_drop else LETTERS[column] for column in range(len(rows[0]))],
            "rows": [] if is_drop else [str(row + 1) for row in range(len(rows))],
        },
        "pieces": [
            _piece(row, column, "XO".index(letter), text="" if is_drop or isinstance(game, Othello) else letter)
            for row, line in enumerate(rows)
            for column, letter in enumerate(line)
            if letter != "."
        ],
    }


def _piece(row: int, column: int, side: int | None, text: str = "", **more: Any) -> dict[str, Any]:
    return {"row": row, "column": column, "side": side, "text": text, **more}


def _named(square: str) -> Square:
    return int(square[1:]) - 1, LETTERS.index(square[0])


def _checkers(_game: Checkers, state: Any) -> Board:
    pieces = [
        _piece(*_dark(square), side, king=bool(state.kings >> square & 1))
        for side, stones in enumerate((state.black, state.white))
        for square in range(32)
        if stones >> square & 1
    ]
    squares = {"rows": 8, "columns": 8, "names": {"rows": [], "columns": []}}
    numbers = [
        {"row": row, "column": column, "text": str(square + 1)} for square in range(32) for row, column in (_dark(square),)
    ]
    return {"kind": "grid", "look": "chequered", "numbers": numbers, **squares, "pieces": pieces}


def _dark(square: int) -> Square:
    row = square // 4
    return row, 2 * (square % 4) + (row + 1) % 2


def _kalah(game: Kalah, state: Any) -> Board:
    """The second side above, from right to left; the stores at the ends."""
    pieces = []
    for side, houses in enumerate(game.rows(state)):
        pieces += [_piece(*_house(game, house + 1, side), side, str(seeds)) for house, seeds in enumerate(houses[:-1])]
        pieces.append(_piece(0, game.houses + 1 if side == 0 else 0, side, str(houses[-1]), tall=True))
    columns = game.houses + 2
    return {
        "kind": "grid",
        "look": "pits",
        "rows": 2,
        "columns": columns,
        "names": {"rows": [], "columns": []},
        "pieces": pieces,
    }


def _house(game: Kalah, number: int, side: int) -> Square:
    return (1, number) if side == 0 else (0, game.houses + 1 - number)


def _nim(game: Nim, state: Any) -> Board:
    sizes = game.sizes(state)
    pieces = [_piece(heap, place, None) for heap, size in enumerate(sizes) for place in range(size)]
    names = {"rows": [str(heap + 1) for heap in range(len(sizes))], "columns": []}
    columns = max(game.sizes(game.initial))
    return {"kind": "grid", "look": "bare", "rows": len(sizes), "columns": max(columns, 1), "names": names, "pieces": pieces}


def _chess(state: Any) -> Board:
    pieces = []
    for row, line in enumerate(state.fen.split()[0].split("/")):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
            else:
                pieces.append(_piece(row, column, 0 if letter.isupper() else 1, FIGURES[letter.lower()], figure=True))
                column += 1
    names = {"rows": [str(8 - row) for row in range(8)], "columns": list(LETTERS[:8])}
    return {"kind": "grid", "look": "chequered", "rows": 8, "columns": 8, "names": names, "pieces": pieces}


_BOARDS: dict[type[Game], Callable[[Any, Any], Board]] = {
    MNK: _stones,
    ConnectFour: _stones,
    Othello: _stones,
    Checkers: _checkers,
    Kalah: _kalah,
    Nim: _nim,
}
