"""Raises Python's recursion limit for the reference engine, whose recursion is as deep as a game is long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from bestfirst.games.score import MOST_PLIES

FRAMES = 5 * MOST_PLIES
"""Nested Python calls: up to four per ply, for the search and the trace, and some for the caller."""
_lock = Lock()
_searches = 0
_usual = 0


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Allow recursion as deep as the longest game. The limit is process-wide, and is restored once no search needs more."""
    global _searches, _usual  # noqa: PLW0603  (the limit is process-wide)
    with _lock:
        if _searches == 0:
            _usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_usual, FRAMES))
        _searches += 1
    try:
        yield
    finally:
        with _lock:
            _searches -= 1
            if _searches == 0:
                sys.setrecursionlimit(_usual)
