"""Exclusive use: without it, two threads that run the same search would corrupt it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Lock
from types import TracebackType
from typing import Generic, TypeVar

from bestfirst.errors import InputError

_T = TypeVar("_T")


class Exclusive:
    """A context that one caller at a time may enter; a second one gets InputError, and does not wait.

    So the callback of a search that calls the search again gets an error, where waiting would last for ever.
    """

    def __init__(self, what: str) -> None:
        self._what, self._lock = what, Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise InputError(
                f"{self._what} is already running, in another thread or in the call that led here; wait until it ends, or "
                "create another one"
            )

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._lock.release()


class Stepwise(Iterator[_T], Generic[_T]):
    """An iterator that is in exclusive use while it computes an item, and free between two items."""

    def __init__(self, items: Iterator[_T], exclusive: Exclusive) -> None:
        self._items, self._exclusive = items, exclusive

    def __next__(self) -> _T:
        with self._exclusive:
            return next(self._items)
