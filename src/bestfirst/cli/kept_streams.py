"""Keeps the standard output and error: a user's code may close them, and then no result or message could be written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from bestfirst.errors import InputError

_NAMES = ("stdout", "stderr")


@contextmanager
def kept_streams() -> Iterator[None]:
    """Open the streams again that are closed meanwhile, and raise InputError if something could not be written."""
    before = {name: getattr(sys, name) for name in _NAMES}
    copies = {name: _copied(stream) for name, stream in before.items()}
    error: BaseException | None = None
    try:
        yield
    except BaseException as caught:
        error = caught
    closed = [name for name in _NAMES if not _is_open(getattr(sys, name))]
    for name in closed:
        setattr(sys, name, _opened(before[name], copies[name]))
    for copy in copies.values():
        if copy is not None:
            os.close(copy)
    if "stdout" in closed or (closed and isinstance(error, Exception)):
        raise InputError(
            f"the code of the problem or the game has closed sys.{closed[0]}, so the results cannot be written; leave that "
            "stream open"
        ) from error
    if error is not None:
        raise error


def _copied(stream: Any) -> int | None:
    """A copy of the descriptor of a stream; None if it has none, as in a test."""
    with suppress(AttributeError, OSError, ValueError):
        return os.dup(stream.fileno())
    return None


def _is_open(stream: Any) -> bool:
    if stream is None or not hasattr(stream, "write") or getattr(stream, "closed", False):
        return False
    try:
        os.fstat(stream.fileno())
    except OSError as error:
        return not isinstance(error.errno, int)  # UnsupportedOperation: it has no descriptor
    except (AttributeError, ValueError):
        return True
    return True


def _opened(stream: Any, copy: int | None) -> Any:
    """The stream, or, if it was closed, another one to the same place."""
    if copy is None:
        return stream
    if not stream.closed:
        with suppress(OSError):
            os.dup2(copy, stream.fileno())
        return stream
    return open(os.dup(copy), "w", encoding=stream.encoding, errors="backslashreplace")  # noqa: PTH123
