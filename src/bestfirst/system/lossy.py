"""Standard error that loses what cannot be written: a message must not change what the command does."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def lose_unwritable_messages() -> None:
    """Let standard error accept everything, even on a full disk or once its reader is gone."""
    stream = sys.stderr
    if isinstance(stream, io.TextIOWrapper):
        buffered = io.BufferedWriter(_Lossy(stream.fileno()))
        sys.stderr = io.TextIOWrapper(buffered, stream.encoding, stream.errors, line_buffering=True)


class _Lossy(io.FileIO):
    """A descriptor to write to. It stays open, and what it refuses is lost."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "wb", closefd=False)

    def write(self, data: ReadableBuffer, /) -> int:
        size = memoryview(data).nbytes
        try:
            written = super().write(data)
        except OSError:
            return size
        return size if written is None else written
