"""The directory in which compiled code is kept."""

from __future__ import annotations

import os
from pathlib import Path

from bestfirst.atomic import why_no_directory
from bestfirst.errors import InputError

CACHE = "BESTFIRST_CACHE"
CODE = ".code"
ENDINGS = {CODE, ".json"}
"""Of the files that are kept: machine code (machine_code.py), and notes on domains (specialise.py)."""


def cache_directory() -> Path:
    """Where compiled code is kept: $BESTFIRST_CACHE, or else bestfirst/compiled in the user's cache directory."""
    named = os.environ.get(CACHE)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bestfirst" / "compiled"


def cached_files() -> list[Path]:
    """The files of compiled code; other files in the directory do not count. Raises InputError where it is no directory."""
    in_the_way = why_no_directory(cache_directory())
    if in_the_way:
        raise InputError(f"compiled code cannot be kept in {cache_directory()}: {in_the_way}; set {CACHE} to a directory")
    return sorted(file for file in cache_directory().rglob("*") if file.suffix in ENDINGS and file.is_file())


def clear_cache() -> int:
    """Remove the files of compiled code; how many there were. Raises OSError where one cannot be removed."""
    files = cached_files()
    for file in files:
        file.unlink(missing_ok=True)
    return len(files)
