"""GameLimits: what one analysis of a position may take."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from bestfirst.arguments import check_number, check_whole
from bestfirst.games.score import MOST_PLIES

MOST_NODES = 10**18
"""More than any search can look at, and the compiled engine can count them."""


@dataclass(frozen=True)
class GameLimits:
    """What one analysis may take; None sets no limit. Raises InputError for a limit that is no number in its range.

    The first round, to depth 1, is made in any case, so that there is always an answer: it never misses a win in one.

    seconds: wall-clock time, looked at now and then.
    nodes: positions looked at, exactly: the search stops before it would look at one more; at most MOST_NODES.
    depth: plies, 1 to MOST_PLIES; moves that a switch searches deeper, and noisy moves, may go beyond.
    """

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.seconds != inf:  # which is no limit either
            check_number("the limit seconds", self.seconds, 0, otherwise="leave it out")
        check_whole("the limit nodes", self.nodes, 0, MOST_NODES, otherwise="leave it out")
        check_whole("the limit depth", self.depth, 1, MOST_PLIES, otherwise="leave it out")
