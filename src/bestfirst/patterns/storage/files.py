"""Pattern databases on disk: a directory for each, with the table as .npy and its metadata as JSON.

    DATA/patterntiles-0123456789abcdef/
        table.npy       a byte for each entry; or 4 bits (packed_table.py); or a hash table (hashed_table.py)
        header.json     the identity, the levels, the checksum, ..., and a seal (checksummed.py)
        checked.json    the size and the times of the file whose checksum was last verified, and that checksum
    DATA/patterntiles-0123456789abcdef.building/    while it is built (see build.py)

A directory gets its name when it is complete, so a database exists completely or not at all. It is used only if nobody but
the user and root could have written it (trust.py). The checksum of a table of up to CHECKED_BELOW bytes is verified when a
process first uses it; that of a larger one when the file has changed since the last time, and some entries are recomputed
(verification.py).
"""

from __future__ import annotations

import hashlib
import io
import json
import mmap
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bestfirst.arguments import check_path
from bestfirst.errors import DatabaseError, InputError, shown
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage.checksummed import is_whole, sealed, without_seal
from bestfirst.patterns.storage.hashed_table import bytes_of_slot, may_hold
from bestfirst.system.atomic import why_no_directory, write_atomically
from bestfirst.system.disk import bytes_in
from bestfirst.system.mapped_files import note_mapped, stamp_of
from bestfirst.system.trust import UntrustedError, make_private_directory, read_trusted, trusted_file, why_untrusted

DATA = "BESTFIRST_DATA"
FORMAT = "bestfirst pattern database"
VERSION = 2
BUILDING = ".building"
REPLACED = f".old{BUILDING}"
PACKING = "packing"
"""The header field of a compressed table that names the meaning of its entries."""
TABLE, HEADER, CHECKED = "table.npy", "header.json", "checked.json"
_FILES = {TABLE, HEADER, CHECKED, "working.npy", "larger.npy", "progress.json", "lock", "lock.holder"}
"""What there is in a database, and in one that is being built (building/work_files.py)."""
CHECKED_BELOW = 1 << 26
"""The checksum of this many bytes takes about 0.05 s."""
READ_AT_A_TIME = 1 << 24
"""Bytes: whole huge pages."""
_OTHERS_WRITE = 0o022
_LONGEST_HEAD = 1 << 10
"""An upper bound on the number of bytes before the entries in a .npy file."""
_RIGHT: set[tuple[str, tuple[int, ...], str]] = set()
"""The tables whose checksums this process has verified: path, stamp, checksum."""


_FACTS: Mapping[str, type] = {
    "domain": str,
    "source": str,
    "parameters": dict,
    "states": list,
    "entries": int,
    "levels": list,
    "unreachable": int,
    "checksum": str,
    "library": str,
}
"""The fields of every header."""


class DamagedDatabaseError(DatabaseError):
    """A pattern database that cannot be used: truncated, changed, or made by other code."""


class UntrustedDatabaseError(DamagedDatabaseError, UntrustedError):
    """A pattern database that somebody else could have written."""


def data_directory(named: str | Path | None = None) -> Path:
    """The directory of the databases: the given one, or $BESTFIRST_DATA, or bestfirst in the user's data directory.

    Raises InputError unless it is a path, if a file is in the way, and if none is given and the user has no home directory.
    """
    if named is not None:
        check_path("data", named)
        if "\0" in str(named):
            raise InputError(f"data is {str(named)!r}; pass a path without a NUL character")
    chosen = named or os.environ.get(DATA)
    directory = Path(chosen) if chosen else _users_directory()
    try:
        in_the_way = why_no_directory(directory)
        if in_the_way is None and directory.is_dir() and not os.access(directory, os.R_OK | os.X_OK):
            in_the_way = "it cannot be read"
    except OSError as error:  # a name that is too long, or a directory without access
        in_the_way = error.strerror or str(error)
    if in_the_way:
        raise _cannot_be_kept(directory, in_the_way)
    return directory


def _users_directory() -> Path:
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "bestfirst"
    except RuntimeError:  # the system does not know the user either
        raise DatabaseError(
            f"no home directory was found for pattern databases; set {DATA} to a directory, or pass one as data (--data)"
        ) from None


def _cannot_be_kept(directory: Path, why: str) -> DatabaseError:
    return DatabaseError(
        f"pattern databases cannot be stored in {directory}: {why}; pass another directory as data (--data), or set {DATA} to one"
    )


@contextmanager
def writing_to(data: Path) -> Iterator[None]:
    """Turn a full disk, or another failure of the system during writing, into an InputError."""
    try:
        yield
    except BrokenPipeError:  # raised by the receiver of the progress output
        raise
    except OSError as error:
        raise _cannot_be_kept(data, error.strerror or str(error)) from error


def nearest_directory(path: Path) -> Path:
    """The directory itself, or the nearest existing one above it."""
    return next(place for place in (path, *path.absolute().parents) if place.is_dir())


def make_directory(data: Path) -> None:
    """Create the directory of the databases, for the user alone.

    Raises InputError if it cannot be created or written to, or if somebody else could write there.
    """
    try:
        make_private_directory(data)
        why = why_untrusted(data)
    except OSError as error:
        raise _cannot_be_kept(data, error.strerror or str(error)) from None
    if why is not None:
        raise UntrustedError(
            f"pattern databases cannot be stored in {data}: {why}. Alternatively, set {DATA} to another directory"
        )
    if not os.access(data, os.W_OK):
        raise _cannot_be_kept(data, "it is not writable")


def directories(data: Path) -> Iterator[Path]:
    """The directories of databases, including those that are damaged or being built."""
    if data.is_dir():
        for path in sorted(data.iterdir()):
            if path.name.endswith(BUILDING):
                has_one = path.is_dir()
            else:
                try:
                    has_one = any((path / name).exists() for name in (HEADER, TABLE, CHECKED))
                except OSError:  # it must not be read: whoever reads the header is told so
                    has_one = True
            if has_one:
                yield path


def read_header(directory: Path) -> dict[str, Any]:
    """The header. Raises DamagedDatabaseError if it is damaged or not trusted."""
    try:
        _check_trusted(directory)
        header = json.loads(read_trusted(directory / HEADER))
        whole = isinstance(header, dict) and is_whole(header)
    except UntrustedError as error:
        raise _untrusted(directory, str(error)) from None
    except PermissionError:
        raise _unreadable(directory) from None
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(directory, f"its header cannot be read ({error})") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise damaged(directory, "its header is not that of a pattern database")
    if header.get("version") != VERSION:
        raise damaged(
            directory,
            f"its format version is {header.get('version')}, but this version of bestfirst reads format version {VERSION}",
        )
    if not whole:
        raise damaged(directory, "its header was changed: its digest differs")
    why = _why_unusable(header)
    if why is not None:
        raise damaged(directory, why)
    identity = Identity(header["domain"], header["source"], header["parameters"])
    if identity.key != directory.name:
        raise damaged(directory, f"it is the database of {identity} and belongs in the directory {identity.key}")
    return without_seal(header)


def _why_unusable(header: Mapping[str, Any]) -> str | None:
    """What code that reads the table could not handle in a header; None if there is nothing."""
    for name, kind in _FACTS.items():
        if type(header.get(name)) is not kind:
            return f"its header has no valid {name}"
    for name in ("states", "levels"):
        if not all(type(count) is int and count >= 0 for count in header[name]) or not any(header[name]):
            return f"the {name} in its header are not numbers of states by distance"
    entries, unreachable = header["entries"], header["unreachable"]
    if unreachable < 0 or entries != sum(header["levels"]) + unreachable:
        return f"its header has {entries:,} entries, but its counts by distance have a different sum"
    if "slots" in header or "fields" in header:
        slots, fields = header.get("slots"), header.get("fields")
        if type(slots) is not int or type(fields) is not int or fields < 1 or PACKING in header:
            return "its header does not describe its hash table"
        if slots < 1 or slots & (slots - 1) or entries > may_hold(slots):
            return f"{slots:,} slots cannot be a hash table of {entries:,} entries"
    elif type(header.get(PACKING, "")) is not str:
        return "its header does not describe its entries"
    return None


def read_table(directory: Path, header: Mapping[str, Any]) -> Any:
    """The table, mapped into memory read-only: processes share one copy.

    Raises DamagedDatabaseError if the file was changed or is not trusted.
    """
    import numpy as np  # noqa: PLC0415  (so that importing bestfirst does not)

    path = directory / TABLE
    try:
        with trusted_file(path) as descriptor:
            pages = _mapped(descriptor)
            status = os.fstat(descriptor)
            before = _stamp_of(status)
        table = _array_in(pages)
    except UntrustedError as error:
        raise _untrusted(directory, str(error)) from None
    except PermissionError:
        raise _unreadable(directory) from None
    except Exception as error:  # NumPy does not document its errors for damaged headers
        raise damaged(directory, f"its table cannot be read ({error})") from None
    length = _bytes_of_table(header)
    # a table by rank is stored as it was built, rounded up
    may_be_longer = "slots" not in header and PACKING not in header
    if table.dtype != np.uint8 or table.ndim != 1 or len(table) < length or (len(table) > length and not may_be_longer):
        raise damaged(directory, f"its table has the shape {table.shape} and the type {table.dtype}, not {length:,} bytes")
    _check_once(directory, header, pages, before)
    note_mapped(
        pages.base.obj,
        path,
        stamp_of(status),
        lambda mapped: hashlib.sha256(mapped).hexdigest() == header["checksum"],
        lambda: damaged(directory, "its table was changed after it was loaded (load it again)"),
    )
    return table[:length]


def _bytes_of_table(header: Mapping[str, Any]) -> int:
    if "slots" in header:
        return bytes_of_slot(header["fields"]) * int(header["slots"])
    entries = int(header["entries"])
    return bytes_of_packed(entries) if PACKING in header else entries


def bytes_of_packed(entries: int) -> int:
    """The size of a table with this many entries of 4 bits."""
    return (entries + 1) // 2


def _mapped(descriptor: int) -> Any:
    """The bytes of a file, mapped; it was read from end to end, so that random access is then fast."""
    import numpy as np  # noqa: PLC0415

    if hasattr(mmap, "MAP_SHARED"):
        pages = mmap.mmap(descriptor, 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
    else:
        pages = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    advise_huge_pages(pages)
    content = np.frombuffer(pages, np.uint8)
    for piece in _pieces(content):
        piece[:: mmap.PAGESIZE].max(initial=0)
    return content


def _pieces(content: Any) -> Iterator[Any]:
    """The bytes of a mapped file, in pieces: they stay in memory, but only the pages in use count for this process."""
    for start in range(0, len(content), READ_AT_A_TIME):
        piece = content[start : start + READ_AT_A_TIME]
        yield piece
        if hasattr(mmap, "MADV_DONTNEED"):
            content.base.obj.madvise(mmap.MADV_DONTNEED, start, len(piece))


def _array_in(content: Any) -> Any:
    """The array in the bytes of a .npy file. Raises ValueError, or NumPy's own errors, if they are invalid."""
    import numpy as np  # noqa: PLC0415

    head = io.BytesIO(content[:_LONGEST_HEAD].tobytes())
    version = np.lib.format.read_magic(head)
    if version != (1, 0):
        raise ValueError(f"its NumPy format version is {version}")
    shape, is_fortran, kind = np.lib.format.read_array_header_1_0(head)
    if is_fortran or kind.hasobject:
        raise ValueError("it is in Fortran order or holds objects")
    return content[head.tell() :].view(kind).reshape(shape)


def advise_huge_pages(pages: mmap.mmap) -> None:
    """Ask for huge pages: a file that is not in memory yet is then read into them, if the file system can."""
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # the kernel does not support them
            pages.madvise(mmap.MADV_HUGEPAGE)


def check_identity(directory: Path, header: Mapping[str, Any], identity: Identity) -> None:
    """Raise DamagedDatabaseError for a database whose code has changed since it was built."""
    if not identity.is_made_by(header["source"]):
        raise damaged(directory, f"the code or the data of {identity.domain} has changed since it was built")


def _check_trusted(directory: Path) -> None:
    why = why_untrusted(directory)
    if why is not None:
        raise UntrustedError(why)


def _untrusted(directory: Path, why: str) -> UntrustedDatabaseError:
    return UntrustedDatabaseError(
        f"the pattern database {directory.name!r} is not used: {why}, or build it in a different directory"
    )


def _unreadable(directory: Path) -> DamagedDatabaseError:
    return DamagedDatabaseError(
        f"the pattern database {directory.name!r} in {directory.parent} cannot be read by this user; its owner can permit that: "
        f"chmod -R a+rX {directory}"
    )


def damaged(directory: Path, why: str) -> DamagedDatabaseError:
    """The error for an unusable database."""
    return DamagedDatabaseError(
        f"the pattern database {directory.name!r} cannot be used: {why}; rebuild it with 'bestfirst pdb build --rebuild' or "
        f"rebuild=True, or remove it: bestfirst pdb remove {directory.name}"
    )


def checksum_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_table(directory: Path, header: Mapping[str, Any]) -> None:
    """Verify the checksum of the table; raises DamagedDatabaseError if it differs."""
    try:
        found = checksum_of(directory / TABLE)
    except OSError as error:
        raise damaged(directory, f"its table cannot be read ({error})") from None
    if found != header["checksum"]:
        raise damaged(directory, "its table was changed: the checksum differs")
    note_checked(directory, header)


def note_checked(directory: Path, header: Mapping[str, Any] | None = None) -> None:
    """Record that the table, as the file is now, has the checksum of the header, which is read unless given."""
    note = _note(directory, read_header(directory) if header is None else header)
    with suppress(InputError):  # on a read-only disk it is checked again next time
        write_atomically(directory / CHECKED, json.dumps(note), private=True)


def _note(directory: Path, header: Mapping[str, Any]) -> dict[str, Any]:
    return {"table": stamp(directory), "checksum": header["checksum"]}


def _check_once(directory: Path, header: Mapping[str, Any], content: Any, status: Mapping[str, int]) -> None:
    """Verify the checksum of the table, unless this process has done so, or any process has and the table is large.

    content: the bytes of the file, which will be used. status: its stamp. They are compared again once the file has been
    written to.
    """
    known = str(directory), tuple(status.values()), str(header["checksum"])
    if known in _RIGHT:
        return
    if len(content) <= CHECKED_BELOW or not _is_noted(directory, {"table": status, "checksum": header["checksum"]}):
        pieces = _pieces(content)
        digest = hashlib.sha256(next(pieces))
        for piece in pieces:
            digest.update(piece)
        if digest.hexdigest() != header["checksum"]:
            raise damaged(directory, "its table was changed: the checksum differs")
        if len(content) > CHECKED_BELOW:
            note_checked(directory, header)
    _RIGHT.add(known)


def is_large(header: Mapping[str, Any]) -> bool:
    """Whether a table is so large that not every process verifies its checksum."""
    return _bytes_of_table(header) > CHECKED_BELOW


def _is_noted(directory: Path, note: Mapping[str, Any]) -> bool:
    try:
        return bool(json.loads(read_trusted(directory / CHECKED)) == note)
    except (OSError, UntrustedError, ValueError, RecursionError):
        return False


def stamp(directory: Path) -> dict[str, int] | None:
    """Values that change when the table is replaced or written to; None if there is no table.

    `changed` also changes if the time of the file is set back: the system maintains it.
    """
    try:
        return _stamp_of((directory / TABLE).stat())
    except OSError:
        return None


def _stamp_of(status: os.stat_result) -> dict[str, int]:
    return {
        "size": status.st_size,
        "modified": status.st_mtime_ns,
        "changed": status.st_ctime_ns,
        "file": status.st_ino,
    }


def put_in_place(building: Path, directory: Path) -> None:
    """Seal the header of a finished database, and rename its directory; an older database there is removed.

    Raises InputError if a file is in its place.
    """
    header = json.loads((building / HEADER).read_text())
    write_atomically(building / HEADER, json.dumps(sealed(header), indent=1), private=True)
    for file in building.iterdir():
        file.chmod(file.stat().st_mode & ~_OTHERS_WRITE & 0o7777)  # the umask may have left write permission to others
    check_place(directory)
    old = directory.with_name(f"{directory.name}{REPLACED}")
    shutil.rmtree(old, ignore_errors=True)
    if directory.exists():
        directory.rename(old)
    building.rename(directory)
    shutil.rmtree(old, ignore_errors=True)


def check_place(directory: Path) -> None:
    """Raise InputError if something other than a directory is in the place of a database."""
    try:
        is_directory = stat.S_ISDIR(directory.stat().st_mode)
    except OSError:
        if directory.is_symlink() and not directory.exists():
            raise DatabaseError(f"{directory} should be a pattern database, but is a broken link; remove the link") from None
        return
    if not is_directory:
        raise DatabaseError(
            f"{directory} is a file, but has the name of the directory of a pattern database; move the file elsewhere"
        )


def remove_leftovers(data: Path) -> None:
    """Remove databases that were being replaced when the process was killed; resumable builds stay."""
    for path in data.glob(f"*{REPLACED}"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)


def remove(directory: Path) -> int:
    """Remove a database; return the bytes that it took. If it is a link, only the link is removed.

    Raises InputError if that fails, or if other files are there.
    """
    try:
        if directory.is_symlink():
            directory.unlink()
            return 0
        foreign = sorted({path.name for path in directory.iterdir()} - _FILES)
        if foreign:
            raise InputError(
                f"{directory} contains {shown(foreign[0])}, which is not part of a database; move it elsewhere first"
            )
        size = bytes_in(directory)
        shutil.rmtree(directory)
    except OSError as error:
        raise InputError(f"{directory} cannot be removed: {error.strerror or error}") from None
    return size
