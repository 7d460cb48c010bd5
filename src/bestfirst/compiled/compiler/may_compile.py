"""Whether code may be compiled now: not in cache-only mode, nor if NUMBA_DISABLE_JIT makes Numba interpret it."""

from __future__ import annotations

import os
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


def may_compile() -> bool:
    """Whether this is not cache-only mode."""
    return _MAY_COMPILE.get()


def check_may_compile() -> None:
    """Raise NotInCacheError in cache-only mode."""
    if not may_compile():
        raise NotInCacheError


def is_interpreted() -> bool:
    """Whether templates are interpreted because of NUMBA_DISABLE_JIT=1: for debugging and tests."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
