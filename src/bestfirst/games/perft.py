"""Perft: counting lines of play and positions, which shows whether the rules of a game are right."""

from __future__ import annotations

from bestfirst.games.game import Game, Position, check_game


def perft(game: Game, depth: int, state: Position | None = None) -> int:
    """The number of lines of play of exactly so many plies (games that are over earlier do not count)."""
    check_game(game)
    start = game.initial if state is None else state
    if depth == 0:
        return 1
    if game.is_over(start):
        return 0
    moves = list(game.moves(start))
    if depth == 1:
        return len(moves)
    return sum(perft(game, depth - 1, game.play(start, move)) for move in moves)


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
