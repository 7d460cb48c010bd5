"""Locks on files: without them, two processes that work in the same directory would destroy each other's files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, in_use: Exception) -> Iterator[None]:
    """Hold the lock on a file, which is created, if the system can. Raises in_use if another process holds it, OSError if the
    file cannot be created.

    A process that ends, however it ends, lets go of its locks.
    """
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        yield
        return
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise in_use from None
        yield
