"""Makes Python's garbage collector run rarely, so that it does not visit the nodes of a search again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS_BETWEEN_COLLECTIONS = 100_000


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the garbage collector rarely: each run would visit every node of the agenda and free nothing.

    Collecting takes a third of the time of a long search. This has no effect if the program has switched the collector off.
    """
    before = gc.get_threshold()
    if before[0] > 0:
        gc.set_threshold(max(before[0], OBJECTS_BETWEEN_COLLECTIONS), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
