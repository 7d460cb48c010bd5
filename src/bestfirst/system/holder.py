"""Notes that say who holds a lock: where machines share a file system, a lock may keep out only the processes of one of them.

The note is a file that only one process can create, whatever the file system does about locks. A process that is killed
leaves its note. On the same machine, the next process sees that, and replaces the note; on another machine, nobody can know,
and the user is told what to remove. On local disks the lock suffices, and there is no note.
"""

from __future__ import annotations

import json
import os
import platform
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any

from bestfirst.system.atomic import is_alive
from bestfirst.system.mounts import GONE, may_be_shared

SUFFIX = ".holder"
SECONDS_BETWEEN_TRIES = 0.05
"""The directory that this machine remembers may still have a note that is gone."""
_HERE = ("machine", "boot", "processes")
"""What is the same for two processes that can see each other."""
_BOOT, _PROCESSES = Path("/proc/sys/kernel/random/boot_id"), Path("/proc/self/ns/pid")


def note_of(lock: Path) -> Path:
    """The note that belongs to a lock."""
    return lock.with_name(lock.name + SUFFIX)


@contextmanager
def noted(lock: Path, in_use: Callable[[str], Exception]) -> Iterator[Callable[[], bool]]:
    """Keep out processes of other machines, too, while this one holds a lock; the value tells whether it still does.

    in_use: the error if another process holds it, from a sentence that says which one, and what to do if it has ended.
    Raises OSError if the note cannot be written.
    """
    if not may_be_shared(lock):
        yield lambda: True
        return
    note, text = note_of(lock), _text()
    while not _is_created(note, text):
        there = _read(note)
        if there is not None and not _has_ended(there):
            raise in_use(_sentence(there, note))
        note.unlink(missing_ok=True)
        sleep(SECONDS_BETWEEN_TRIES)
    try:
        yield lambda: _read(note) == text
    finally:
        with suppress(OSError):  # the connection is gone, and with it this note's use
            if _read(note) == text:
                note.unlink(missing_ok=True)


def who_holds(lock: Path) -> str:
    """The sentence about the note of a lock; empty without a note."""
    text = _read(note_of(lock))
    return "" if text is None else _sentence(text, note_of(lock))


def _is_created(note: Path, text: str) -> bool:
    try:
        descriptor = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        return False
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    return True


def _read(note: Path) -> str | None:
    try:
        return note.read_text(errors="replace")
    except OSError as error:
        if error.errno not in GONE:
            raise
        return None


def _sentence(text: str, note: Path) -> str:
    said = _said(text)
    who = f"process {said.get('process')} on {said.get('machine')} since {said.get('since')}" if said else "another process"
    return f"It is in use by {who}, as {str(note)!r} says; remove the file if that process has ended"


def _text() -> str:
    process = os.getpid()
    about = {
        "process": process,
        "started": _started(process),
        "since": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "token": secrets.token_hex(8),
    }
    return json.dumps({**about, **_here()})


def _here() -> dict[str, str]:
    with suppress(OSError):
        return dict(zip(_HERE, (platform.node(), _BOOT.read_text().strip(), os.readlink(_PROCESSES)), strict=True))  # noqa: PTH115
    return {}


def _said(text: str) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        said = json.loads(text)
        if isinstance(said, dict):
            return said
    return {}


def _has_ended(text: str) -> bool:
    """Whether the process of a note has certainly ended: it ran on this machine, and is no longer there."""
    said, here = _said(text), _here()
    if not here or {name: said.get(name) for name in _HERE} != here or type(said.get("process")) is not int:
        return False
    return not is_alive(said["process"]) or _started(said["process"]) not in ("", said.get("started"))


def _started(process: int) -> str:
    """When a process began, in ticks of the system; empty if the system does not say, "over" if it only waits to be forgotten."""
    try:
        state, *fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "over" if state in "ZX" else fields[18]
