"""MTD(f): closing in on the value of a position by searches with the narrowest window."""

from __future__ import annotations

from collections.abc import Sequence

from bestfirst.games.game import Move, Position
from bestfirst.games.rooted import RootedSearch, RootLine
from bestfirst.games.score import INFINITY


def mtdf(search: RootedSearch, state: Position, moves: Sequence[Move], depth: int, guess: int) -> RootLine:
    """The best move of a position and its value, from a first guess: each pass says that the value is higher or lower.

    Guarantee: the value of alpha-beta. It is quick if the guess is good and a table remembers the passes before.
    Source: Plaat, Schaeffer, Pijls and de Bruin 1996.
    """
    before = search.estimates
    lower, upper = -INFINITY, INFINITY
    best: RootLine | None = None
    while lower < upper:
        beta = guess + 1 if guess == lower else guess
        search.stats.researches += best is not None
        found = search.root(state, moves, depth, 1, beta - 1, beta)[0]
        guess = found.value
        if guess < beta:
            upper = guess
            best = best or found
        else:
            lower = guess
            best = found
    assert best is not None
    return RootLine(best.move, guess, best.rest, complete=search.estimates == before)
