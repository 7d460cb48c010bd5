"""What kernels that search in slices have in common: the record of a search, and how a slice ends."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bestfirst.compiled.store.growth import record_type
from bestfirst.compiled.store.totals import can_pay

if TYPE_CHECKING:
    from bestfirst.compiled.store.aliases import Flag, Number, NumberType, Searches

COUNTS = ("expanded", "generated", "duplicates", "reopened", "pruned", "dead_ends", "peak", "falls")
"""The fields that each record begins with: the statistics, and the number of inconsistent edges."""

# The ends of a slice: before an expansion beyond the budget; for lack of room; at an invalid cost or estimate; at a goal;
# without open nodes; for lack of room on the agenda; at a path too expensive for a record; at the end of a window; at a node
# that is too far away.
STOPPED, FULL, FAULTY, FOUND, EXHAUSTED, NO_ROOM, COSTLY, AT_TARGET, TOO_FAR = range(9)

FIRST_SIZE = 1 << 10


def new_searches(
    fields: tuple[str, ...], totals: tuple[str, ...], total: NumberType, reals: tuple[str, ...] = ()
) -> Searches:
    """The record of a search, as an array of one: counts and other ints, totals, and floats."""
    searches = np.zeros(1, _search_type(fields, tuple([(name, total) for name in totals]), reals))
    searches["table_is_new"] = 1
    return searches


@cache
def _search_type(
    fields: tuple[str, ...], totals: tuple[tuple[str, NumberType], ...], reals: tuple[str, ...]
) -> np.dtype[np.void]:
    """The type of the record."""
    ints = *COUNTS, "table_is_new", *fields
    kinds = dict.fromkeys(ints, np.int64) | dict(totals) | dict.fromkeys(reals, np.float64)
    return record_type(*kinds.items())


def is_sound(g: Number, cost: Number, h: Number) -> Flag:
    """Whether cost can be added to g, and h is a number >= 0. A part of kernels."""
    return can_pay(g, cost) and h >= 0
