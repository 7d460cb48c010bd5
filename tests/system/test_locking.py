"""Locks on files, which other processes respect."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread

import pytest

from bestfirst.system.locking import locked

pytest.importorskip("fcntl")


class _InUseError(Exception):
    pass


def test_who_waits_for_a_lock_has_that_of_the_name(tmp_path: Path) -> None:
    """Even if the file was moved meanwhile, as a finished build is: then the lock of another file would keep nobody out."""
    path, has_it, may_end = tmp_path / "lock", Event(), Event()

    def wait_for_it() -> None:
        with locked(path, _InUseError(), seconds=20):
            has_it.set()
            may_end.wait(20)

    other = Thread(target=wait_for_it)
    with locked(path, _InUseError()):
        other.start()
        has_it.wait(0.1)  # until it waits
        path.rename(tmp_path / "moved")
    assert has_it.wait(20)
    with pytest.raises(_InUseError), locked(path, _InUseError()):
        pass
    may_end.set()
    other.join()
    with locked(path, _InUseError()):
        pass


def test_a_pipe_can_be_locked(tmp_path: Path) -> None:
    """Whoever put it there: the lock is what counts."""
    os.mkfifo(tmp_path / "lock")
    with (
        locked(tmp_path / "lock", BlockingIOError()),
        pytest.raises(BlockingIOError),
        locked(tmp_path / "lock", BlockingIOError()),
    ):
        pass
