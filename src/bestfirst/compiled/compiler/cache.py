"""The cache directory of compiled code. That code is run, so nobody else may write to the directory (trust.py)."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import sleep
from typing import BinaryIO

from bestfirst.errors import InputError
from bestfirst.system.atomic import why_no_directory, write_atomically
from bestfirst.system.trust import UntrustedError, make_private_directory, read_trusted, why_untrusted

CACHE = "BESTFIRST_CACHE"
CODE = ".code"
LOCK = ".lock"
SECONDS_BETWEEN_TRIES = 0.02
_NAMES = re.compile(rf".+-[0-9a-f]{{16}}(?:{re.escape(CODE)}|{re.escape(LOCK)})|[0-9a-f]{{16}}\.json")
"""The names of cached files: machine code (machine_code.py) and its locks, and notes on domains (specialise.py)."""
NOWHERE = Path(os.devnull) / "bestfirst"
_NO_HOME = f"no home directory was found; set {CACHE} to a directory"
_SAID_BY_A_NOTE = {"numbers", "has_float_costs"}
"""What identifies a note; earlier versions wrote the second."""
_LONGEST_NOTE = 1 << 10


def cache_directory() -> Path:
    """The cache directory: $BESTFIRST_CACHE, or else bestfirst/compiled in the user's cache directory.

    It is NOWHERE, which has no files, if neither is set and the user has no home directory.
    """
    named = os.environ.get(CACHE)
    if named:
        return Path(named)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "bestfirst" / "compiled"
    except RuntimeError:  # the system does not know the user either
        return NOWHERE


def cached_files() -> list[Path]:
    """The files of bestfirst in the cache directory; other files, and directories in it, are left out.

    Raises InputError if it is not a directory, or cannot be read.
    """
    if cache_directory() == NOWHERE:
        raise InputError(f"compiled code is not cached: {_NO_HOME}")
    directory = cache_directory()
    try:
        in_the_way = why_no_directory(directory)
        files = (
            [] if in_the_way or not directory.exists() else sorted(file for file in directory.iterdir() if _is_kept(file))
        )
    except OSError as error:
        raise InputError(
            f"compiled code in {directory} cannot be read: {error.strerror}; set {CACHE} to another directory"
        ) from None
    if in_the_way:
        raise InputError(f"compiled code cannot be cached in {directory}: {in_the_way}; set {CACHE} to a directory")
    return files


def _is_kept(file: Path) -> bool:
    """Whether bestfirst wrote a file, which must be certain before it is removed."""
    if not _NAMES.fullmatch(file.name) or file.is_symlink() or not file.is_file():
        return False
    return file.suffix in (CODE, LOCK) or _is_note(file)


def _is_note(file: Path) -> bool:
    try:
        said = json.loads(file.read_bytes()) if file.stat().st_size <= _LONGEST_NOTE else None
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(said, dict) and len(_SAID_BY_A_NOTE & set(said)) == 1 and set(said) <= _SAID_BY_A_NOTE | {"seal"}


def why_not_used() -> str | None:
    """Why the code in the cache directory is not trusted (somebody else could have written it); None if it is."""
    directory = cache_directory()
    return why_untrusted(directory) if directory.is_dir() else None


def read_cached(file: Path) -> bytes | None:
    """The content of a cached file; None if it does not exist, cannot be read, or is not trusted.

    A warning says, once, that the whole directory is not trusted.
    """
    try:
        if file.is_symlink() or file.exists():
            return read_trusted(file) if _is_trusted(file.parent) else None
    except (OSError, UntrustedError):
        return None
    return None


def keep_cached(file: Path, content: bytes) -> None:
    """Write a private file to the cache; a warning says, once, that it cannot be written."""
    directory = file.parent
    if directory == NOWHERE:
        _warn_once(f"compiled code is not cached: {_NO_HOME}")
        return
    try:
        make_private_directory(directory)
        if _is_trusted(directory):
            if file.is_symlink():  # its target is somebody's own file
                file.unlink()
            write_atomically(file, _writer(content), private=True)
    except (OSError, InputError) as error:
        why = _in_the_way(directory) or getattr(error.__cause__ or error, "strerror", None) or str(error)
        _warn_once(f"compiled code cannot be cached in {directory}: {why}; set {CACHE} to a writable directory")


class Elsewhere:
    """Code on other machines, which a worker of a cluster asks for what it lacks, and tells of what it has compiled."""

    def __init__(self) -> None:
        self.ask: Callable[[str], bytes | None] | None = None
        self.tell: Callable[[str, bytes], None] | None = None

    def fetch(self, file: Path) -> None:
        """Keep a file that another machine has, if any."""
        content = None if self.ask is None else self.ask(file.name)
        if content is not None:
            keep_cached(file, content)

    def offer(self, file: Path) -> None:
        """Tell others of a new file."""
        if self.tell is not None:
            self.tell(file.name, read_cached(file) or b"")


ELSEWHERE = Elsewhere()
"""That of this process."""


@contextmanager
def made_once(file: Path) -> Iterator[None]:
    """Wait while another process makes this file, so that it need not be made twice; without locks, there is no wait.

    The wait consists of short ones, so that the end of this process can stop it.
    """
    lock = _opened_lock(file.with_suffix(LOCK))
    if lock is None:
        yield
        return
    import fcntl  # noqa: PLC0415  (not there on Windows)

    with os.fdopen(lock, "r+"):
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                sleep(SECONDS_BETWEEN_TRIES)
            except OSError:  # a file system without locks
                break
        yield
        with suppress(OSError):
            file.with_suffix(LOCK).unlink(missing_ok=True)


def _opened_lock(path: Path) -> int | None:
    """The descriptor of a lock file in the cache; None if there can be none."""
    try:
        import fcntl  # noqa: F401, PLC0415  (not there on Windows)

        if path.parent == NOWHERE:
            return None
        make_private_directory(path.parent)
        return (
            os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600) if _is_trusted(path.parent) else None
        )
    except (ImportError, OSError):
        return None


def _in_the_way(directory: Path) -> str | None:
    """What prevents the creation of a directory, or its examination; None if nothing does."""
    try:
        return why_no_directory(directory)
    except OSError as error:  # a name that is too long, or a directory above without access
        return error.strerror or str(error)


def _writer(content: bytes) -> Callable[[BinaryIO], None]:
    def write(opened: BinaryIO) -> None:
        opened.write(content)

    return write


def _is_trusted(directory: Path) -> bool:
    why = why_untrusted(directory)
    if why is not None:
        _warn_once(
            f"compiled code in {directory} is neither read nor written: {why}; or set {CACHE} to a different directory"
        )
    return why is None


@cache
def _warn_once(message: str) -> None:
    warnings.warn(message, stacklevel=2)


def clear_cache() -> int:
    """Remove the files of compiled code; return their number. Raises OSError, after all others are removed, if one cannot be."""
    removed, first = 0, None
    for file in cached_files():
        try:
            file.unlink(missing_ok=True)
            removed += 1
        except OSError as error:
            first = first or error
    if first is not None:
        raise first
    return removed
