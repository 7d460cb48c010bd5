"""Perft: counting lines of play and positions, which shows whether the rules of a game are right."""

from __future__ import annotations

from bestfirst.errors import InputError, UnknownNameError
from bestfirst.games.game import Game, Position, check_game

ENGINES = ("python", "compiled")
MOST_PLIES_INTERPRETED = 5
"""More are counted by compiled code where that is possible, unless an engine is asked for."""


def perft(game: Game, depth: int, state: Position | None = None, *, engine: str | None = None) -> int:
    """The number of lines of play of exactly so many plies (games that are over earlier do not count).

    engine: "python" or, for a GameDomain, "compiled"; unless given, the latter where it can and there is much to count.
    """
    check_game(game)
    start = game.initial if state is None else state
    if engine is not None and engine not in ENGINES:
        raise UnknownNameError("engine", engine, ENGINES)
    domain = game.domain()
    if engine == "compiled" and domain is None:
        raise InputError(f"{game!r} is not in the compilable form; state it as a GameDomain, or give engine='python'")
    if depth == 0:
        return 1
    if game.is_over(start):
        return 0
    if depth == 1:
        return len(list(game.moves(start)))
    if domain is not None and (engine == "compiled" or (engine is None and depth > MOST_PLIES_INTERPRETED)):
        from bestfirst.compiled.perft import compiled_perft  # noqa: PLC0415  (it imports Numba, which takes a while)

        return compiled_perft(domain, depth, start)
    return sum(perft(game, depth - 1, game.play(start, move), engine="python") for move in game.moves(start))


def positions_by_ply(game: Game, state: Position | None = None, plies: int | None = None) -> list[int]:
    """The number of positions that are first reached after 0, 1, 2, ... plies, told apart by the states themselves."""
    check_game(game)
    start = game.initial if state is None else state
    met, level, counts = {start}, [start], []
    while level:
        counts.append(len(level))
        if plies is not None and len(counts) > plies:
            break
        following = []
        for position in level:
            if not game.is_over(position):
                for move in game.moves(position):
                    child = game.play(position, move)
                    if child not in met:
                        met.add(child)
                        following.append(child)
        level = following
    return counts
