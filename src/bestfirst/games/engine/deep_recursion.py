"""Room for the reference engine's recursion, which goes as deep as a game is long."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from bestfirst.games.score import MOST_PLIES

FRAMES = 5 * MOST_PLIES
"""Calls of Python within one another: up to four for each ply, of the search and the trace, and what there is besides."""
_lock = Lock()
_searches = 0
_usual = 0


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let calls go as deep as the longest game. Python's own limit, which is for all threads, is back once no search needs more."""
    global _searches, _usual  # noqa: PLW0603  (the limit is one for the process)
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
