"""The indices of the control array that kernels share, and the codes with which their slices end."""

from __future__ import annotations

from typing import Any

from bestfirst.compiled.store.totals import can_pay

# The first indices of the control array: counts, and whether the hash table is empty because it is new. Indices from OWN on
# belong to the algorithm.
EXPANDED, GENERATED, DUPLICATES, REOPENED, PRUNED, DEAD_ENDS, PEAK, FRESH = range(8)
OWN = 8

# The ends of a slice: before an expansion beyond the budget; for lack of room; at an invalid cost or estimate.
# Codes from WAYS on belong to the algorithm.
STOPPED, FULL, FAULTY = range(3)
WAYS = 3

FIRST_SIZE = 1 << 10


def is_sound(g: Any, cost: Any, h: Any) -> Any:
    """Whether cost can be added to g, and h is a number >= 0. A part of engine templates."""
    return can_pay(g, cost) and h >= 0
