"""Locks on files: without them, two processes that work in the same directory would destroy each other's files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

SECONDS_BETWEEN_TRIES = 0.05


@contextmanager
def locked(path: Path, in_use: Exception, seconds: float = 0.0) -> Iterator[None]:
    """Hold the lock on a file, which is created, if the system can. Raises in_use if another process holds it, and still does so
    after some seconds; OSError if the file cannot be created.

    A process that ends, however it ends, lets go of its locks.
    """
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        yield
        return
    until = monotonic() + seconds
    while True:
        with _opened(path) as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    if monotonic() >= until:
                        raise in_use from None
                    sleep(SECONDS_BETWEEN_TRIES)
            if _is_still(path, file):
                yield
                return


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """The descriptor of a file, which is created; not a file object, which a pipe could not be."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether an open file is that of a name; otherwise its lock keeps nobody out, since the file was moved or removed."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


@contextmanager
def held_together(path: Path) -> Iterator[None]:
    """Hold the lock on a file together with other processes that do the same, if the system can; locked() then waits for all.

    Raises OSError if the file cannot be created.
    """
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        yield
        return
    with _opened(path) as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        yield
