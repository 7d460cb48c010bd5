"""Locks on files: without them, two processes that work in the same directory would destroy each other's files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from bestfirst.system.holder import note_of, noted
from bestfirst.system.mounts import GONE, may_be_shared

SECONDS_BETWEEN_TRIES = 0.05
_WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}


@contextmanager
def locked(path: Path, in_use: Exception, seconds: float = 0.0) -> Iterator[None]:
    """Hold the lock on a file, which is created, if the system can. Raises in_use if another process holds it, and still does so
    after some seconds; OSError if the file cannot be created.

    A process that ends, however it ends, lets go of its locks. Where machines share the file system, a note keeps out the
    processes of all machines (holder.py); in_use then also says who does so.
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
                except BlockingIOError:
                    if monotonic() >= until:
                        raise in_use from None
                    sleep(SECONDS_BETWEEN_TRIES)
                except OSError as error:
                    if not _has_no_locks(path, error):
                        raise
                    break
            if _is_still(path, file):
                with noted(path, lambda who: type(in_use)(f"{in_use}. {who}")):
                    yield
                return


def remove_lock(path: Path) -> None:
    """Remove a lock that nobody needs any more, with its note."""
    for file in (path, note_of(path)):
        file.unlink(missing_ok=True)


def _has_no_locks(path: Path, error: OSError) -> bool:
    """Whether an error says that a shared file system has no locks; then only notes keep others out."""
    return error.errno in _WITHOUT_LOCKS and may_be_shared(path)


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    """The descriptor of a file, which is created; not a file object, which a pipe could not be."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        yield descriptor
    finally:
        with suppress(OSError):  # the connection to its file system is lost, and the lock with it
            os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether an open file is that of a name; otherwise its lock keeps nobody out, since the file was moved or removed."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError as error:
        if error.errno not in GONE:
            raise
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
        try:
            fcntl.flock(file, fcntl.LOCK_SH)
        except OSError as error:
            if not _has_no_locks(path, error):
                raise
        yield
