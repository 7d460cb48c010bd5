"""Perft: counts lines of play and positions, to check the rules of a game."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from bestfirst.arguments import check_whole
from bestfirst.errors import InputError, UnknownNameError, fallback_warning, is_of_compiler
from bestfirst.games.contract import blaming_methods, position_of
from bestfirst.games.engine.settings import why_not_compiled
from bestfirst.games.game import Game, Position, check_game

if TYPE_CHECKING:
    from bestfirst.games.domain import GameDomain

ENGINES = ("python", "compiled")
MOST_PLIES_INTERPRETED = 5
"""Larger counts use compiled code if possible, unless an engine is given."""
MOST_PLIES = 300
"""With two moves in each position there are 2**300 lines of this length, too many to count."""
MANY_POSITIONS = 100_000
"""The reference engine collects this many positions in less time than compilation takes."""


def perft(game: Game, depth: int, state: Position | None = None, *, engine: str | None = None) -> int:
    """The number of lines of play of exactly `depth` plies, at most MOST_PLIES (games that end earlier do not count).

    engine: "python" or, for a GameDomain, "compiled". Default: compiled, if possible and worthwhile.
    """
    check_game(game)
    start = position_of(game, state)
    check_whole("depth", depth, 0, MOST_PLIES)
    domain = _domain(game, engine)
    if depth == 0:
        return 1
    if game.is_over(start):
        return 0
    if depth == 1:
        return len(list(game.moves(start)))
    if domain is not None and (engine == "compiled" or (engine is None and depth > MOST_PLIES_INTERPRETED)):
        with _falling_back(engine):
            from bestfirst.compiled.sweeps.perft import compiled_perft  # noqa: PLC0415  (it imports NumPy)

            return compiled_perft(domain, depth, start)
    with blaming_methods(game):
        return _lines(game, depth, start)


def _lines(game: Game, depth: int, state: Position) -> int:
    """perft of a depth >= 1, by the reference engine."""
    if game.is_over(state):
        return 0
    if depth == 1:
        return len(list(game.moves(state)))
    return sum(_lines(game, depth - 1, game.play(state, move)) for move in game.moves(state))


def positions_by_ply(
    game: Game, state: Position | None = None, plies: int | None = None, *, engine: str | None = None
) -> list[int]:
    """The number of positions first reached after 0, 1, 2, ... plies, distinguished by their states.

    engine: "python" or, for a GameDomain, "compiled". Default: python, then compiled once there are many positions.
    """
    check_game(game)
    start = position_of(game, state)
    check_whole("plies", plies, 0, otherwise="None for all")
    domain = _domain(game, engine)
    if domain is not None and engine != "python":
        counts = None if engine == "compiled" else _positions(game, start, plies, most=MANY_POSITIONS)
        if counts is not None:
            return counts
        with _falling_back(engine):
            from bestfirst.compiled.sweeps.positions import compiled_positions  # noqa: PLC0415  (it imports NumPy)

            return compiled_positions(domain, start, plies)
    with blaming_methods(game):
        return _positions(game, start, plies) or []


@contextmanager
def _falling_back(engine: str | None) -> Iterator[None]:
    """Unless the compiled engine was asked for, turn an error of its compiler into a warning."""
    try:
        yield
    except Exception as error:
        if engine == "compiled" or not is_of_compiler(error, has_begun=True):
            raise
        warnings.warn(fallback_warning("count", error), stacklevel=4)


def _positions(game: Game, start: Position, plies: int | None, most: float = inf) -> list[int] | None:
    """The numbers of positions; None if there are more than `most`."""
    met, level, counts = {start}, [start], []
    while level and len(met) <= most:
        counts.append(len(level))
        if plies is not None and len(counts) > plies:
            return counts
        following = []
        for state in level:
            if not game.is_over(state):
                for move in game.moves(state):
                    child = game.play(state, move)
                    if child not in met:
                        met.add(child)
                        following.append(child)
        level = following
    return None if level else counts


def _domain(game: Game, engine: str | None) -> GameDomain | None:
    """The compilable form of the game, if any. Raises InputError for an unknown or impossible engine."""
    if engine is not None and engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    domain = game.domain()
    if engine == "compiled" and domain is None:
        raise InputError(f"{why_not_compiled(game)}, or use engine='python'")
    return domain
