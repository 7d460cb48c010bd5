"""Messages through a pipe: each a length and that many bytes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from struct import Struct
from threading import Lock
from typing import IO

_LENGTH = Struct("<Q")


def write_frame(pipe: IO[bytes], content: bytes) -> None:
    """Write one message. Raises OSError if nobody reads any more."""
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> bytes | None:
    """Wait for the next message; None if the other side has ended."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = pipe.read(length)
    return content if len(content) == length else None


class Pipe:
    """The end of a pipe into which several threads write."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._lock = pipe, Lock()

    def write(self, content: bytes) -> None:
        """Write one message. Raises OSError if nobody reads any more."""
        with self._lock:
            write_frame(self._pipe, content)

    def close(self) -> None:
        """Close it, even if nobody reads any more."""
        with suppress(OSError):
            self._pipe.close()


@dataclass(frozen=True)
class Code:
    """The answer to a worker that asks for compiled code: a file, or None if nobody has it."""

    content: bytes | None
