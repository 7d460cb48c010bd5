"""Ends a run in the middle of a long list of successors; the limits are otherwise examined only between two expansions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import chain, islice
from typing import TypeVar

from bestfirst.errors import shown

T = TypeVar("T")

BETWEEN_LOOKS = 10_000

_reached: ContextVar[Callable[[], str | None] | None] = ContextVar("reached", default=None)


class StoppedInside(BaseException):
    """A limit is reached in the middle of the successors of a state. why: the limit, or "interrupted"."""

    def __init__(self, why: str, state: object, number: int) -> None:
        super().__init__(
            f"the search was stopped after trying {number:,} actions in {shown(state)}; check that the list of successors ends. "
            "(The search cannot be resumed.)"
        )
        self.why = why


@contextmanager
def stopping(reached: Callable[[], str | None]) -> Iterator[None]:
    """Let watched() raise StoppedInside once reached() names a reason to stop the run."""
    token = _reached.set(reached)
    try:
        yield
    finally:
        _reached.reset(token)


def watched(successors: Iterable[T], state: object) -> Iterable[T]:
    """The successors of a state; after each 10,000 of them the limits of the run are examined, since they may never end."""
    iterator = iter(successors)
    return chain(islice(iterator, BETWEEN_LOOKS), _rest(iterator, state))


def _rest(iterator: Iterator[T], state: object) -> Iterator[T]:
    reached = _reached.get()
    for number, successor in enumerate(iterator, BETWEEN_LOOKS):
        if number % BETWEEN_LOOKS == 0 and reached is not None:
            why = reached()
            if why is not None:
                raise StoppedInside(why, state, number)
        yield successor
