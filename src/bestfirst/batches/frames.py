"""Messages through a pipe: each a length and that many bytes."""

from __future__ import annotations

from struct import Struct
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
