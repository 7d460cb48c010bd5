"""Jobs: what a worker is asked to search, and what it answers.

An iteration of IDA* visits its tree in one order, whoever searches it. A part is an interval of that order: it begins at a
node, and ends with the subtree of one of the node's ancestors. So a part that is interrupted leaves a part; and the nodes that it
has not reached yet, level by level, make parts of their own (Rao & Kumar 1987: a worker gives away alternatives from its stack).
The counts of a search that ends somewhere are those of all parts before that place.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[float, ...]
"""A place in the order of the search: of two, the smaller one comes first."""
Actions: TypeAlias = tuple[int, ...]
"""The actions on a path from the start."""
Counts: TypeAlias = tuple[int, ...]
"""The counts of a search, in the order of COUNTS (walks.py)."""
EXPANDED, LONGEST = 0, 3
"""Indices of Counts. Longest paths have a maximum, all others a sum."""
NO_COUNTS: Counts = (0,) * 6
MOST_PIECES = 4
"""The number of parts that an interrupted part leaves at most: more would be small."""


class Part(NamedTuple):
    """An interval of the search: from a node on, within the subtree of its ancestor at depth `base`.

    actions: to the node. place: of the node.
    """

    actions: Actions
    base: int
    place: Place


class Job(NamedTuple):
    """Parts, in order, for one worker.

    bound: on f. budget: the number of expansions after which it returns what is left. least: the number before which it is
    not interrupted: that would cost more than it saves. is_worthwhile: whether some
    path that was cut had no repeated state, as far as is known. is_pruned: whether operator sequences are pruned.
    """

    number: int
    bound: float
    parts: tuple[Part, ...]
    budget: int
    least: int = 0
    is_worthwhile: bool = False
    is_pruned: bool = False


class Outcome(IntEnum):
    """How a job ended. RETURNED: all parts are searched, or what is left is returned."""

    RETURNED = 0
    FOUND = 1
    FAULTY = 2


class Searched(NamedTuple):
    """What was searched of a part that begins at a place."""

    place: Place
    counts: Counts


class Result(NamedTuple):
    """The answer to a job.

    rest: what is left to search, in order. next_bound: the lowest f beyond the bound. falls: for each part in
    which f fell, the actions to the first node at which it did. actions: to the goal, or to the node whose expansion failed.
    """

    number: int
    outcome: Outcome
    searched: tuple[Searched, ...]
    rest: tuple[Part, ...]
    next_bound: float
    is_worthwhile: bool
    falls: tuple[Actions, ...] = ()
    actions: Actions = ()

    @property
    def expanded(self) -> int:
        """The number of expansions."""
        return sum(one.counts[EXPANDED] for one in self.searched)


def total(counts: Iterable[Counts]) -> Counts:
    """Counts together."""
    columns = list(zip(NO_COUNTS, *counts, strict=True))
    return tuple(max(column) if place == LONGEST else sum(column) for place, column in enumerate(columns))
