"""The places of the control array that kernels share, and how their slices end."""

from __future__ import annotations

from typing import Any

from bestfirst.compiled.store.totals import can_pay

# The first places of the control array: counts, and whether the hash table is empty because it is new. Those from OWN on belong
# to the algorithm.
EXPANDED, GENERATED, DUPLICATES, REOPENED, PRUNED, DEAD_ENDS, PEAK, FRESH = range(8)
OWN = 8

# How a slice ended: before an expansion that the budget does not allow; for want of room; at a cost or an estimate that is none.
# Those from WAYS on belong to the algorithm.
STOPPED, FULL, FAULTY = range(3)
WAYS = 3

FIRST_SIZE = 1 << 10


def is_sound(g: Any, cost: Any, h: Any) -> Any:
    """Whether cost can be added to g, and h is a number >= 0. A part of engine templates."""
    return can_pay(g, cost) and h >= 0
