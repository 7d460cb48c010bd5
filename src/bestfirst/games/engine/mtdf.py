"""MTD(f): converges to the value of a position by searches with null windows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bestfirst.games.engine.rooted import RootedSearch, RootLine, ranked
from bestfirst.games.game import Move, Position
from bestfirst.games.score import INFINITY

PASSES_BY_VALUE = 40
"""So many passes begin where the last one ended. Later ones halve the interval: with ProbCut, a pass may move a bound by 1 only."""


def mtdf(
    search: RootedSearch,
    state: Position,
    moves: Sequence[Move],
    depth: int,
    lines: int = 1,
    guesses: Mapping[Move, int] | None = None,
) -> list[RootLine]:
    """The best moves of a position with their values, best first. Each pass shows that a value is higher or lower.

    guesses: the values of moves in the previous iteration; the first is the guess for the position. With several lines, each
    of their moves gets an exact value; the other moves are only shown to be no better than the last line.
    Guarantee: the values of alpha-beta. It is fast if the guess is good and a table stores the earlier passes.
    Source: Plaat, Schaeffer, Pijls and de Bruin 1996.
    """
    guesses = guesses or {}
    guess = next(iter(guesses.values()), 0)
    if lines == 1:
        return [_closed_in(search, state, moves, depth, guess)]
    best: list[RootLine] = []
    for move in moves:
        before, lower, found = search.estimates, -INFINITY, None
        if len(best) >= lines:
            floor = best[-1].value
            found = search.root(state, [move], depth, 1, floor, floor + 1)[0]
            if found.value <= floor:
                continue
            lower = found.value
        guess = guesses.get(move, best[0].value if best else guess)
        line = _closed_in(search, state, [move], depth, max(guess, lower), found, lower)
        best = ranked(best, replace(line, complete=search.estimates == before), lines)  # by all passes, the first one too
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
    """The best of the given moves with its value, from a first guess. best: a move with a value >= `lower`, if known.

    Only the first move of the line is known to be best: it comes from a pass that failed high, which shows that no reply is
    better than the value, but not which reply attains it.
    """
    before, upper = search.estimates, INFINITY
    is_again, passes = best is not None, 0
    while lower < upper:
        beta = guess + 1 if guess == lower else guess
        if passes >= PASSES_BY_VALUE:
            beta = (lower + upper + 1) // 2
        passes += 1
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
