"""The tables of the walking-distance heuristic of the sliding-tile puzzle."""

from __future__ import annotations

from collections import deque
from functools import cache
from math import comb
from typing import TypeAlias

from bestfirst.errors import InputError

Counts: TypeAlias = tuple[int, ...]
Table: TypeAlias = dict[tuple[int, Counts], int]

MOST_ENTRIES = 1_000_000


def is_too_large(lines: int, cells: int) -> bool:
    """Whether the table could have too many entries, by a generous bound on the ways to fill the lines."""
    ways_to_fill_a_line = comb(cells + lines - 1, lines - 1)
    at_most: int = lines * ways_to_fill_a_line ** (lines - 1)
    return at_most > 40 * MOST_ENTRIES


@cache
def walking_distances(lines: int, cells: int, goal_blank: int) -> Table:
    """The fewest moves between lines that bring every tile into its own line.

    An abstract state is the blank's line and, for each line, how many tiles of each goal line are in it (a flat tuple
    of `lines * lines` counts). A move takes a tile from a line adjacent to the blank's into the blank's line.

    lines: the number of lines (rows, for vertical moves); cells: the number of cells in each; goal_blank: the line of the
    blank in the goal. Raises InputError if the table could have too many entries.
    """
    if is_too_large(lines, cells):
        raise InputError(
            f"the walking-distance table for {lines} lines of {cells} cells is too large to compute; "
            "use linear-conflict or inversion-distance"
        )
    home = [0] * (lines * lines)
    for line in range(lines):
        home[line * lines + line] = cells - (line == goal_blank)
    start = (goal_blank, tuple(home))
    table: Table = {start: 0}
    agenda = deque([start])
    while agenda:
        state = agenda.popleft()
        blank, counts = state
        moves = table[state] + 1
        for line in (blank - 1, blank + 1):
            if not 0 <= line < lines:
                continue
            for kind in range(lines):
                here, there = line * lines + kind, blank * lines + kind
                if counts[here]:
                    changed = list(counts)
                    changed[here] -= 1
                    changed[there] += 1
                    neighbour = (line, tuple(changed))
                    if neighbour not in table:
                        table[neighbour] = moves
                        agenda.append(neighbour)
    return table
