"""Reads files that may be packed with gzip, as road networks are published; without it, users would unpack them first."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

from bestfirst.domains.shared.files import bytes_of
from bestfirst.errors import InputError

_GZIP = b"\x1f\x8b"
"""How a gzip file begins."""


def unzipped(path: Path) -> bytes:
    """The content of a text file, unpacked if need be; raises InputError as bytes_of(), and for a damaged gzip file."""
    data = bytes_of(path)
    if not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} is not a complete gzip file ({error}); download or copy it again") from None
