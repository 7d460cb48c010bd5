"""Reads the files of problems; an unreadable file, or a device that never ends, raises a clear error."""

from __future__ import annotations

from pathlib import Path

from bestfirst.errors import InputError


def bytes_of(path: Path) -> bytes:
    """The content of a file; raises InputError for an unreadable file, or a device, which may never end."""
    try:
        if path.is_char_device() or path.is_block_device():
            raise InputError(f"{path} is a device; give a file")
        return path.read_bytes()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
