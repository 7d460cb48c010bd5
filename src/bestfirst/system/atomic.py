"""Atomic writing of files: a program that is killed never leaves a partial file."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import time
from typing import BinaryIO

from bestfirst.arguments import check_path
from bestfirst.errors import InputError
from bestfirst.system.mounts import may_be_shared

_TEMPORARY = re.compile(r"\.bestfirst-(?:(\d+)-)?[0-9a-f]{16}\.tmp")
"""The names of temporary files, which contain the process id; earlier versions left it out."""
_LONG_AGO = 3600
"""Seconds after which a temporary file is treated as left behind, if it has no process id or is on a shared file system."""


def write_atomically(path: str | Path, content: str | Callable[[BinaryIO], None], *, private: bool = False) -> None:
    """Write a file atomically: at every moment it is either unchanged or complete.

    content: a string, which is encoded as UTF-8, or a function that writes bytes to an open file.
    The content goes to a temporary file in the same directory, which then replaces the old file; if anything fails,
    the temporary file is removed and the old one is untouched. A file keeps its permissions, and a symbolic link stays one.
    A device or a pipe cannot be replaced and is written to directly.
    private: the file becomes readable and writable by the user only; anything but a regular file is refused.
    Temporary files that killed processes left in the same directory are removed.
    Raises InputError if the directory does not exist, if either cannot be written, or if the path is a directory.
    """
    check_path("path", path)
    write = _writer_of(content) if isinstance(content, str) else content
    target = _target_of(path)
    try:
        if private and is_device(path):  # only a new file can be private; opening a pipe could block forever
            raise InputError(f"cannot write {str(path)!r}: it is not a regular file; choose another path")
        if is_device(path):
            with Path(path).open("wb") as device:
                write(device)
        else:
            if target.is_dir():
                raise InputError(f"{str(path)!r} is a directory; use the name of a file in it")
            remove_leftovers(target.parent)
            _replace(target, write, private=private)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENOTDIR) and not target.parent.is_dir():
            raise InputError(
                f"cannot write {str(path)!r}: directory {str(target.parent)!r} does not exist; create it first"
            ) from None
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}; choose another path") from error


def check_working_directory() -> None:
    """Raise InputError if the working directory is gone: no process can be started there."""
    try:
        Path.cwd()
    except OSError:
        raise InputError(
            "the working directory no longer exists; change to another one, for example with os.chdir()"
        ) from None


def _target_of(path: str | Path) -> Path:
    """The file to which a path leads. Raises InputError if the path is relative to a directory that is gone."""
    try:
        return Path(os.path.realpath(path))
    except OSError as error:
        raise InputError(
            f"cannot write {str(path)!r}: the working directory no longer exists ({error.strerror}); use an absolute path"
        ) from None


def why_no_directory(path: Path) -> str | None:
    """What prevents the creation of a directory: a file there or further up; None if nothing does."""
    there = next((place for place in (path, *path.parents) if place.exists()), None)
    return None if there is None or there.is_dir() else f"{there} is a file"


def _writer_of(text: str) -> Callable[[BinaryIO], None]:
    data = text.encode("utf-8", errors="backslashreplace")  # lone surrogates are not valid text, but must not abort a run

    def write(file: BinaryIO) -> None:
        file.write(data)

    return write


def is_device(path: str | Path) -> bool:
    """Whether a path leads to a pipe, a terminal or another device; links are followed."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116  (a path such as /dev/fd/3 must not be resolved)
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def check_writable(path: str | Path) -> None:
    """Check before long work that its result can be written; raises InputError as write_atomically would."""
    if is_device(path):
        return
    target = _target_of(path)
    try:
        if target.is_dir():
            raise InputError(f"{str(path)!r} is a directory; use the name of a file in it")
        if target.parent.exists() and not target.parent.is_dir():
            raise InputError(f"cannot write {str(path)!r}: {str(target.parent)!r} is not a directory; choose another path")
        if not target.parent.is_dir():
            raise InputError(f"cannot write {str(path)!r}: directory {str(target.parent)!r} does not exist; create it first")
        exists = target.exists()
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}; choose another path") from error
    if not os.access(target.parent, os.W_OK) or (exists and not os.access(target, os.W_OK)):
        raise InputError(f"cannot write {str(path)!r}: permission denied; choose another path")


def remove_leftovers(directory: Path) -> None:
    """Remove the temporary files of write_atomically() that dead processes left in a directory.

    It removes only this user's files whose process no longer exists and which no process on any machine has locked.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            named = _TEMPORARY.fullmatch(entry.name)
            if named is not None:
                with suppress(OSError):
                    if entry.is_file(follow_symlinks=False) and _is_left(Path(entry.path), named[1]):
                        os.unlink(entry.path)  # noqa: PTH108


def _is_left(path: Path, process: str | None) -> bool:
    """Whether a temporary file was left behind. process: the id of its writer, if known."""
    status = path.stat()
    if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
        return False
    is_recent = time() - status.st_mtime < _LONG_AGO
    if is_alive(int(process)) if process else is_recent:
        return False
    if is_recent and may_be_shared(path):  # its process may be on another machine, whose lock need not reach this one
        return False
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        return _lock(descriptor)
    finally:
        os.close(descriptor)


def is_alive(process: int) -> bool:
    """Whether a process exists; True if the system cannot tell."""
    if os.name != "posix":  # elsewhere the test would kill it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _lock(descriptor: int) -> bool:
    """Lock an open file, if the system can; False if another process holds a lock."""
    try:
        import fcntl  # noqa: PLC0415  (not there on Windows)
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _replace(target: Path, write: Callable[[BinaryIO], None], *, private: bool) -> None:
    fresh = target.parent / f".bestfirst-{os.getpid()}-{secrets.token_hex(8)}.tmp"
    try:
        # not the tempfile module: its files are private, most of these should get the usual permissions
        mode = 0o600 if private else 0o666
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            _lock(file.fileno())
            write(file)
            file.flush()
            os.fsync(file.fileno())
        if not private and target.exists():
            fresh.chmod(target.stat().st_mode & 0o7777)
        fresh.replace(target)
    except BaseException:  # also on Ctrl-C, leave nothing behind
        fresh.unlink(missing_ok=True)
        raise
