"""MTD(f): closing in on the value of a position by searches with the narrowest window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bestfirst.games.engine.rooted import RootedSearch, RootLine, ranked
from bestfirst.games.game import Move, Position
from bestfirst.games.score import INFINITY


def mtdf(
    search: RootedSearch,
    state: Position,
    moves: Sequence[Move],
    depth: int,
    lines: int = 1,
    guesses: Mapping[Move, int] | None = None,
) -> list[RootLine]:
    """The best moves of a position and their values, the best first: each pass says that a value is higher or lower.

    guesses: what moves were worth in the round before; the first is the guess for the position. With several lines the value of
    each of their moves is closed in on; the others are only shown to be no better than the last line.
    Guarantee: the values of alpha-beta. It is quick if the guess is good and a table remembers the passes before.
    Source: Plaat, Schaeffer, Pijls and de Bruin 1996.
    """
    guesses = guesses or {}
    guess = next(iter(guesses.values()), 0)
    if lines == 1:
        return [_closed_in(search, state, moves, depth, guess)]
    best: list[RootLine] = []
    for move in moves:
        lower, found = -INFINITY, None
        if len(best) >= lines:
            floor = best[-1].value
            found = search.root(state, [move], depth, 1, floor, floor + 1)[0]
            if found.value <= floor:
                continue
            lower = found.value
        guess = guesses.get(move, best[0].value if best else guess)
        best = ranked(best, _closed_in(search, state, [move], depth, max(guess, lower), found, lower), lines)
    return best


def _closed_in(
    search: RootedSearch,
    state: Position,
    moves: Sequence[Move],
    depth: int,
    guess: int,
    best: RootLine | None = None,
    lower: int = -INFINITY,
) -> RootLine:
    """The best of some moves with its value, from a first guess. best: a move that is worth `lower` or more, if one is known.

    Only the first move of the line is known to be best: it comes from a pass that failed high, where the answers of the other
    side are shown to be no better than the value, but none of them to be as good.
    """
    before, upper = search.estimates, INFINITY
    is_again = best is not None
    while lower < upper:
        beta = guess + 1 if guess == lower else guess
        search.stats.researches += is_again
        found = search.root(state, moves, depth, 1, beta - 1, beta)[0]
        is_again, guess = True, found.value
        if guess < beta:
            upper = guess
            best = best or found
        else:
            lower = guess
            best = found
    assert best is not None
    return RootLine(best.move, guess, best.rest, complete=search.estimates == before, is_guess=True)
