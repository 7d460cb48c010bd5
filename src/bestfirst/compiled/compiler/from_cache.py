"""From the cache only: compiled code that is on disk, or in this process, and none that would have to be compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MAY_COMPILE = ContextVar("may_compile", default=True)


class NotInCacheError(Exception):
    """Code is neither in this process nor on disk, and must not be compiled now."""


@contextmanager
def from_cache_only() -> Iterator[None]:
    """Within it, calling compiled code that would have to be compiled first raises NotInCacheError."""
    token = _MAY_COMPILE.set(False)
    try:
        yield
    finally:
        _MAY_COMPILE.reset(token)


def check_may_compile() -> None:
    """Raise NotInCacheError where only the cache may be used."""
    if not _MAY_COMPILE.get():
        raise NotInCacheError
