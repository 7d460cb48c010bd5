"""Cache-only mode: compiled code from disk or from this process is used, and nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_MAY_COMPILE = ContextVar("may_compile", default=True)


class NotInCacheError(Exception):
    """Code is neither in this process nor on disk, and must not be compiled now."""


@contextmanager
def from_cache_only() -> Iterator[None]:
    """In this context, calling code that is not compiled yet raises NotInCacheError."""
    token = _MAY_COMPILE.set(False)
    try:
        yield
    finally:
        _MAY_COMPILE.reset(token)


def check_may_compile() -> None:
    """Raise NotInCacheError in cache-only mode."""
    if not _MAY_COMPILE.get():
        raise NotInCacheError
