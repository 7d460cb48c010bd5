"""Exclusive use: without it, two threads that run the same search would corrupt it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from threading import Lock, get_ident
from types import FrameType, TracebackType
from typing import Generic, TypeVar

from bestfirst.errors import InputError

_T = TypeVar("_T")


class Exclusive:
    """A context that one caller at a time may enter; a second one gets InputError, and does not wait.

    So the callback of a search that calls the search again gets an error, where waiting would last for ever.
    Ctrl-C may interrupt a caller that is entering or leaving. Its thread may therefore enter again once that call is over.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._caller: tuple[int, FrameType] | None = None
        self._changing = Lock()

    def __enter__(self) -> None:
        with self._changing:
            if self._caller is not None and _runs(*self._caller):
                raise InputError(
                    f"{self._what} is already running, in another thread or in a caller of this call; wait until it ends, or "
                    "create another one"
                )
            self._caller = get_ident(), sys._getframe(1)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._caller = None


def _runs(thread: int, caller: FrameType) -> bool:
    """Whether a call may still be going on. The frames of other threads change while one looks at them."""
    if thread != get_ident():
        return thread in sys._current_frames()
    at: FrameType | None = sys._getframe()
    while at is not None and at is not caller:
        at = at.f_back
    return at is not None


class Stepwise(Iterator[_T], Generic[_T]):
    """An iterator that is in exclusive use while it computes an item, and free between two items."""

    def __init__(self, items: Iterator[_T], exclusive: Exclusive) -> None:
        self._items, self._exclusive = items, exclusive

    def __next__(self) -> _T:
        with self._exclusive:
            return next(self._items)
