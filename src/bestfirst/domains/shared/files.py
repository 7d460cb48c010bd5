"""Reads the files of problems; an unreadable file, or a device that never ends, raises a clear error."""

from __future__ import annotations

import codecs
from pathlib import Path

from bestfirst.errors import InputError

_OTHER_ENCODINGS = {  # UTF-32 first: one of its marks begins with one of UTF-16
    "UTF-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    "UTF-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
}


def bytes_of(path: Path) -> bytes:
    """The content of a text file; raises InputError for an unreadable file, another encoding, or a device, which may never end."""
    try:
        if path.is_char_device() or path.is_block_device():
            raise InputError(f"{path} is a device; use the path of a file")
        data = path.read_bytes()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    for name, marks in _OTHER_ENCODINGS.items():
        if data.startswith(marks):
            raise InputError(f"{path} is encoded as {name}; save the file as UTF-8")
    return data
