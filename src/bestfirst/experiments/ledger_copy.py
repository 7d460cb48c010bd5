"""A copy of a ledger in memory, to read it where the locks of its driver need not reach this machine.

There, SQLite could read a part of the file from before a run was recorded and a part from after it. The copy has the file, and
the journal or log beside it, as they were at one moment, from which SQLite restores what was recorded.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

from bestfirst.errors import InputError
from bestfirst.system.mounts import GONE

SECONDS_TO_WAIT = 20.0
"""How long the driver may be busy with writing, again and again, when the file is read."""
SECONDS_BETWEEN_LOOKS = 0.02
_BESIDE = ("", "-journal", "-wal")


def in_memory(path: Path) -> sqlite3.Connection:
    """A ledger as it was at one moment. Raises InputError if it changes too often, OSError, and errors of SQLite."""
    files = _at_one_moment(path)
    with TemporaryDirectory() as directory:
        copy = Path(directory) / "copy"
        for beside, content in files.items():
            if content is not None:
                Path(f"{copy}{beside}").write_bytes(content)
        memory = sqlite3.connect(":memory:")
        try:
            with closing(sqlite3.connect(copy)) as restored:
                restored.backup(memory)
        except BaseException:
            memory.close()
            raise
    return memory


def _at_one_moment(path: Path) -> dict[str, bytes | None]:
    """The files of a ledger: the same in two looks, so that nothing was written between them."""
    until = monotonic() + SECONDS_TO_WAIT
    before = _look(path)
    while (now := _look(path)) != before or now[""] is None:
        if monotonic() > until:
            raise InputError(
                f"the ledger {str(path)!r} is being written to all the time, so it cannot be read on another machine now; read it "
                "later, or on the machine where the experiment runs"
            )
        sleep(SECONDS_BETWEEN_LOOKS)
        before = _look(path)
    return now


def _look(path: Path) -> dict[str, bytes | None]:
    return {beside: _content(Path(f"{path}{beside}")) for beside in _BESIDE}


def _content(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none. What a network file system remembers of the directory may be out of date."""
    try:
        return path.read_bytes()
    except OSError as error:
        if error.errno not in GONE:
            raise
        return None
