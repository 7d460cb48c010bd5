"""What files take on disk, also while other processes write and remove them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def bytes_of(files: Iterable[Path]) -> int:
    """The bytes of these files. A file that has disappeared does not count."""
    size = 0
    for file in files:
        with suppress(OSError):
            size += file.stat().st_size
    return size


def bytes_in(directory: Path) -> int:
    """The bytes of the files in a directory and below it. A missing directory is empty."""
    return sum(bytes_of(Path(above) / name for name in names) for above, _, names in os.walk(directory))
