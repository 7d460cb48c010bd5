"""Which files are loaded: a file is trusted if only the user and root can have written it.

Loaded data are trusted, and cached machine code is run. So a directory is trusted if it belongs to the user or to root, if
its mode lets neither group nor others write to it, and if nobody else can replace it: each directory above it belongs to one
of the two, and either is not writable by others, or has the sticky bit, as /tmp has. A directory above may be writable by
the user's own group, if the user is its only member (the rules of ssh). The same holds for a file in it.

Access control lists are not examined. Systems without file owners (Windows) are trusted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bestfirst.errors import InputError

ROOT = 0
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class UntrustedError(InputError):
    """A file or a directory that somebody else owns or can write to."""


def why_untrusted(directory: Path) -> str | None:
    """Why an existing directory is not trusted, and what to do; None if it is. Raises OSError if it cannot be examined."""
    if not _has_owners():
        return None
    whole = Path(os.path.realpath(directory))
    why = _why_not(whole, whole.stat())
    if why is not None:
        return why
    for above in whole.parents:
        status = above.stat()
        if not _is_ours(status):
            return f"{above}, a directory above it, belongs to another user (uid {status.st_uid}); use a directory elsewhere"
        if _others_write(status) and not status.st_mode & stat.S_ISVTX and not _is_own_group(status):
            return f"other users can write to {above}, a directory above it; remove that permission: chmod go-w '{above}'"
    return None


def check_trusted(directory: Path, what: str) -> None:
    """Raise UntrustedError for a directory that is not trusted. what: its contents, for the message."""
    why = why_untrusted(directory)
    if why is not None:
        raise UntrustedError(f"{what} in {directory} is not used: {why}")


@contextmanager
def trusted_file(path: Path) -> Iterator[int]:
    """The descriptor of a file, open for reading; the file that is examined is the one that is read.

    Raises UntrustedError for a file that is not trusted, including links (its directory is not examined), and OSError.
    """
    if path.is_symlink():
        raise UntrustedError(f"{path} is a symbolic link; replace it with the file itself")
    descriptor = os.open(path, os.O_RDONLY | _NO_LINK | getattr(os, "O_NONBLOCK", 0))  # a pipe must not block
    try:
        why = why_file_untrusted(path, descriptor)
        if why is not None:
            raise UntrustedError(why)
        yield descriptor
    finally:
        os.close(descriptor)


def why_file_untrusted(path: Path, descriptor: int) -> str | None:
    """Why an open file is not trusted, and what to do; None if it is. path: its name in the message."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return f"{path} is not a regular file; put a file there"
    return _why_not(path, status) if _has_owners() else None


def read_trusted(path: Path) -> bytes:
    """The content of a file; raises the errors of trusted_file."""
    with trusted_file(path) as descriptor, os.fdopen(os.dup(descriptor), "rb") as file:
        return file.read()


def make_private_directory(path: Path) -> None:
    """Make a directory, and missing ones above it, accessible to the user only. Raises OSError."""
    if not path.parent.exists():
        make_private_directory(path.parent)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    if not path.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(path))


def _has_owners() -> bool:
    return hasattr(os, "geteuid")


def _why_not(path: Path, status: os.stat_result) -> str | None:
    if not _is_ours(status):
        return f"{path} belongs to another user (uid {status.st_uid}); use one of your own"
    if _others_write(status):
        return f"other users can write to {path}; remove that permission: chmod go-w '{path}'"
    return None


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid in (os.geteuid(), ROOT)


def _others_write(status: os.stat_result) -> bool:
    return bool(status.st_mode & _OTHERS_WRITE)


def _is_own_group(status: os.stat_result) -> bool:
    """Whether the writing group is the user's own and has no other member."""
    if status.st_mode & stat.S_IWOTH:
        return False
    import grp  # noqa: PLC0415  (not there on Windows)
    import pwd  # noqa: PLC0415

    try:
        user, group = pwd.getpwuid(os.geteuid()), grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return status.st_gid == user.pw_gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
