"""Python's garbage collector, told that the nodes of a search stay, so that it does not look through them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS_BETWEEN_COLLECTIONS = 100_000


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the garbage collector rarely: each run would visit every node of the agenda and free nothing.

    That takes a third of a long search. No effect if the program has switched it off.
    """
    before = gc.get_threshold()
    if before[0] > 0:
        gc.set_threshold(max(before[0], OBJECTS_BETWEEN_COLLECTIONS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
