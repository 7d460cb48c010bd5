"""Threads: how many may be asked for, and how many run at once."""

from __future__ import annotations

import os

from bestfirst.errors import InputError

MOST_THREADS = 256
"""More than that only get in each other's way on any machine there is."""


def check_threads(threads: object) -> None:
    """Raise InputError for what is no number of threads."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        raise InputError(f"threads is {threads!r}; write a whole number from 1 to {MOST_THREADS}")


def processors() -> int:
    """How many threads of this process can run at once."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(allowed, MOST_THREADS)
