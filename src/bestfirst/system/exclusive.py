"""Exclusive use: without it, two threads that run the same search would corrupt it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Lock
from types import FrameType, TracebackType
from typing import Generic, TypeVar

from bestfirst.errors import InputError

_T = TypeVar("_T")


class Exclusive:
    """A context that one caller at a time may enter; a second one gets InputError, and does not wait.

    So the callback of a search that calls the search again gets an error, where waiting would last for ever.
    Ctrl-C may interrupt a caller that is entering or leaving, so the context is in use only as long as its caller runs.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._caller: FrameType | None = None
        self._changing = Lock()

    def __enter__(self) -> None:
        with self._changing:
            if self._caller is not None and _runs(self._caller):
                raise InputError(
                    f"{self._what} is already running, in another thread or in the call that led here; wait until it ends, or "
                    "create another one"
                )
            self._caller = sys._getframe(1)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._caller = None


def _runs(caller: FrameType) -> bool:
    """Whether a frame is one of those that threads execute now."""
    for frame in sys._current_frames().values():
        at: FrameType | None = frame
        while at is not None:
            if at is caller:
                return True
            at = at.f_back
    return False


class Stepwise(Iterator[_T], Generic[_T]):
    """An iterator that is in exclusive use while it computes an item, and free between two items."""

    def __init__(self, items: Iterator[_T], exclusive: Exclusive) -> None:
        self._items, self._exclusive = items, exclusive

    def __next__(self) -> _T:
        with self._exclusive:
            return next(self._items)
