"""GameLimits: the limits of one analysis."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from bestfirst.arguments import check_number, check_whole, suggesting_fields
from bestfirst.games.score import MOST_PLIES

MOST_NODES = 10**18
"""More nodes than any search can visit, within the counters of the compiled engine."""


@suggesting_fields
@dataclass(frozen=True)
class GameLimits:
    """The limits of one analysis; None means unlimited. Raises InputError for a limit that is not a number in its range.

    The first iteration, to depth 1, is always completed, so there is always an answer, and it never misses a win in one move.

    seconds: wall-clock time, checked periodically.
    nodes: exact number of positions: the search stops before the next one; at most MOST_NODES.
    depth: plies, 1 to MOST_PLIES; extensions and quiescence search may exceed it.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.seconds != inf:  # which means unlimited too
            check_number("the limit seconds", self.seconds, 0, otherwise="omit it")
        check_whole("the limit nodes", self.nodes, 0, MOST_NODES, otherwise="omit it")
        check_whole("the limit depth", self.depth, 1, MOST_PLIES, otherwise="omit it")
