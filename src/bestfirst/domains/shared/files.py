"""Reading the files of problems, so that one that cannot be read, or a device without an end, is a clear error."""

from __future__ import annotations

from pathlib import Path

from bestfirst.errors import InputError


def bytes_of(path: Path) -> bytes:
    """All that is in a file; raises InputError that names a file that cannot be read, or a device, which may have no end."""
    try:
        if path.is_char_device() or path.is_block_device():
            raise InputError(f"{path} is a device; give a file")
        return path.read_bytes()
    except InputError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
