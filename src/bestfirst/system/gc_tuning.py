"""Makes Python's garbage collector run rarely, so that it does not visit the nodes of a search again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

OBJECTS_BETWEEN_COLLECTIONS = 100_000

_LOCK = Lock()
_before: list[tuple[int, int, int]] = []
"""The usual thresholds, once for each `with seldom_collecting()` in progress in any thread; the last to end restores them."""
_spared: list[bool] = []


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Run the garbage collector rarely: each run would visit every node of the agenda and free nothing.

    Collecting takes a third of the time of a long search, and a tenth of that of compiling. This has no effect if the
    program has switched the collector off.
    """
    with _LOCK:
        before = gc.get_threshold()
        _before.append(_before[0] if _before else before)
        if before[0] > 0:
            gc.set_threshold(max(before[0], OBJECTS_BETWEEN_COLLECTIONS), *before[1:])
    try:
        yield
    finally:
        with _LOCK:
            thresholds = _before.pop()
            if not _before:
                gc.set_threshold(*thresholds)


def spare_what_is_loaded() -> None:
    """Let the garbage collector of this program, which does many tasks, never visit what is in memory after the first one.

    That is the code that the program has loaded, such as the compiler: it takes long to look through, and stays.
    """
    if not _spared:  # gc.get_freeze_count() would count all objects
        gc.freeze()
        _spared.append(True)
