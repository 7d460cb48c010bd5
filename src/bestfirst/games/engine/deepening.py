"""Iterative deepening: a search to depth 1, then 2, 3, ..., so that the last completed depth always has an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from bestfirst.games.engine.mtdf import mtdf
from bestfirst.games.engine.principal_variation import extended
from bestfirst.games.engine.rooted import RootedSearch, RootLine
from bestfirst.games.game import Move, Position
from bestfirst.games.score import INFINITY, MOST_PLIES, Score
from bestfirst.games.stats import DepthRow

FAR_BEYOND = 8
"""Plies beyond twice the longest line that a search has met: no reduced search ends at a horizon then."""


@dataclass(frozen=True)
class Round:
    """The results of the search to one depth: the lines, best first, and whether deeper searches cannot change them."""

    depth: int
    lines: list[RootLine]
    settled: bool


def deepen(search: RootedSearch, state: Position, depths: Sequence[int], lines: int) -> Iterator[Round]:
    """Search an unfinished position to each depth in turn, until the result cannot change any more.

    The result is final when the lines were searched to the end of the game, or when won and lost lines end within the depth.
    Each iteration first tries the best moves of the previous one, and uses its table. Shallow iterations are cheap: with
    branching factor b, all of them cost about 1 / (b - 1) of the last one. Unsound pruning proves nothing, so such a search ends
    when the depth is far beyond the end of all lines.
    Source: Slate and Atkin 1977; Korf 1985.
    """
    moves = list(search.start_order(state))
    last: list[RootLine] = []
    for asked in depths:
        started, nodes, estimates = perf_counter(), search.stats.nodes, search.estimates
        last = _one_round(search, state, moves, asked, lines, last)
        depth = search.stats.deepest if asked == MOST_PLIES else asked  # unlimited: to the end of the game
        row = DepthRow(depth, search.stats.nodes - nodes, perf_counter() - started, last[0].value)
        search.stats.depths.append(row)
        settled = search.estimates == estimates or (
            not search.settings.unsound and _cannot_change(last, depth, all_lines=len(last) == len(moves))
        )
        is_last = settled or asked == depths[-1]
        last = [extended(search, state, line, asked, may_search=is_last) for line in last]
        yield Round(depth, last, settled)
        if settled or (search.settings.unsound and asked > 2 * search.stats.deepest + FAR_BEYOND):
            return
        best = [line.move for line in last]
        moves = best + [move for move in moves if move not in best]


def all_depths(most: int | None, *, progressive: bool) -> Sequence[int]:
    """The depths to search: all of them, or only the last one."""
    if progressive:
        return range(1, (most or MOST_PLIES) + 1)
    return [most or MOST_PLIES]


def _cannot_change(found: list[RootLine], depth: int, *, all_lines: bool) -> bool:
    """Whether each line is final and no unlisted move can be better: the last line wins or loses, and they are no better."""

    def is_near(line: RootLine) -> bool:
        plies = Score(line.value).plies
        return plies is not None and plies <= depth

    return all(line.complete or is_near(line) for line in found) and (all_lines or is_near(found[-1]))


def _one_round(
    search: RootedSearch, state: Position, moves: list[Move], depth: int, lines: int, last: list[RootLine]
) -> list[RootLine]:
    settings = search.settings
    if settings.method == "mtdf":
        return mtdf(search, state, moves, depth, lines, {line.move: line.value for line in last})
    if settings.aspiration is None or lines > 1 or not last or settings.method == "minimax":
        return search.root(state, moves, depth, lines)
    alpha, beta = last[0].value - settings.aspiration, last[0].value + settings.aspiration
    found = search.root(state, moves, depth, 1, alpha, beta)
    if found[0].value <= alpha:
        search.stats.researches += 1
        return search.root(state, moves, depth, 1, -INFINITY, INFINITY)
    if found[0].value >= beta:
        search.stats.researches += 1
        found = search.root(state, moves, depth, 1, alpha, INFINITY)
    return found
