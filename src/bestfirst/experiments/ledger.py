"""The ledger: one SQLite file with all runs of an experiment, written as each run ends, so that nothing finished is lost."""

from __future__ import annotations

import errno
import json
import os
import platform
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from bestfirst.arguments import check_path
from bestfirst.errors import InputError, counted
from bestfirst.experiments.ledger_copy import in_memory
from bestfirst.experiments.rows import (
    ABOUT,
    COLUMNS,
    FROM_A_COPY,
    OUTCOME,
    DamageError,
    about_of,
    run_of,
    status_of,
    stored,
    task_of,
)
from bestfirst.experiments.task import Task, versions
from bestfirst.system.atomic import is_device
from bestfirst.system.holder import note_of, noted
from bestfirst.system.mounts import may_be_shared, mount_of

VERSION = 1
"""Of the tables. It changes when an older ledger can no longer be read."""
APPLICATION = 0x62667831
"""Marks a SQLite file as a ledger of bestfirst: "bfx1"."""
_TABLES: Mapping[str, Mapping[str, str]] = {
    "facts": {"name": "TEXT PRIMARY KEY", "value": "TEXT"},
    "tasks": {"place": "INTEGER PRIMARY KEY", "id": "TEXT", "task": "TEXT"},
    "runs": {"id": "TEXT PRIMARY KEY", **{name: kind for name, (kind, _) in {**OUTCOME, **ABOUT}.items()}},
}
"""The tables with their columns. Statements name the columns, so a user may add others."""


class Ledger:
    """An open ledger. Close it, or use it in a with statement.

    may_write: whether the caller is the driver of the runs, of which there can be only one; readers need not wait for it.
    journal: how SQLite keeps the file whole: "wal", or "delete" where a write-ahead log does not work.
    Raises InputError if the file cannot be used.
    """

    def __init__(self, path: str | Path, *, may_write: bool = False) -> None:
        check_path("ledger", path)
        self.path = Path(path)
        self._lock: sqlite3.Connection | None = None
        self._real = _real(path)
        self._process = os.getpid()
        self._written: list[tuple[int, int] | None] = []
        self._noted = ExitStack()
        self._is_held: Callable[[], bool] = lambda: True
        self.journal = ""
        check_place(self.path)
        if may_write:
            self._check_that_it_has_one_name()
        with self._explained():
            if may_write:
                is_first = not self._lock_file.exists()
                self._is_held = self._noted.enter_context(noted(self._lock_file, self._in_use))
                try:
                    self._lock = self._locked()
                    self._connection = self._opened_to_write()
                    self._written = self._files()
                except BaseException:
                    self._let_go(with_file=is_first and self._lock is not None)  # then no other driver needs the lock
                    raise
            else:
                self._connection = self._opened_to_read()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. A driver leaves it as one file without a log, which can be read anywhere."""
        if self._lock is not None:
            with suppress(sqlite3.Error):  # if a reader is at work, or the disk is full, the log stays, and is read too
                self._connection.execute("PRAGMA journal_mode=DELETE")
        self._connection.close()
        self._let_go()

    def _let_go(self, *, with_file: bool = False) -> None:
        """Let other drivers in. with_file: whether the file of the lock is removed, too."""
        if with_file:
            self._lock_file.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.close()
            self._lock = None
        self._noted.close()

    def plan(self, tasks: Sequence[Task], about: Mapping[str, Any]) -> None:
        """Note which runs make up the experiment, in order, in place of those noted before. about: the title and so on."""
        self._check_that_it_is_ours()
        rows = [(place, task.digest, task.to_json()) for place, task in enumerate(tasks)]
        with self._explained(), self._connection:
            self._connection.execute("DELETE FROM tasks")
            self._connection.executemany(_insert("tasks"), rows)
            self._set("about", json.dumps(about))
            self._set("tasks", str(len(rows)))

    def record(self, task: Task, outcome: Mapping[str, Any], command: str) -> None:
        """Write a run that has ended; it is on the disk when this returns. An earlier run of the same task gives way."""
        self._check_that_it_is_ours()
        with self._explained():
            if not self._is_held():
                raise InputError(
                    f"{str(note_of(self._lock_file))!r} was removed, so another process may use the ledger {str(self.path)!r}; the "
                    "last run is not recorded; run the same command again when no other process uses the ledger"
                )
        known = {**outcome, "versions": versions(), "machine": machine(), "command": command, "ended": _now()}
        values = [stored(name, known.get(name)) for name in COLUMNS]
        with self._explained(), self._connection:
            self._connection.execute(_insert("runs"), (task.digest, *values))
        if self._files() != self._written:
            raise InputError(
                f"the ledger {str(self.path)!r} was removed, moved or replaced during the experiment, so the last run, and perhaps "
                "earlier ones, are lost; put the file back, and run the same command again to redo the missing runs"
            )

    def statuses(self) -> dict[str, str]:
        """The status of every run, also of those that an earlier spec asked for, by the digest of its task.

        Raises InputError if any value of a run is damaged: such a run must not count as recorded.
        """
        with self._explained():
            return _statuses_in(self._connection)

    def rows(self) -> Iterator[tuple[Task, dict[str, Any] | None]]:
        """The tasks of the experiment in order, each with its run; None if it has not ended yet."""
        with self._explained(), closing(self._connection.execute(_ROWS)) as rows:
            for place, text, digest, *values in rows:
                yield task_of(place, text), None if digest is None else run_of(digest, values)

    def about(self) -> dict[str, Any]:
        """What plan() noted."""
        with self._explained():
            found = self._connection.execute("SELECT value FROM facts WHERE name = 'about'").fetchone()
            return {} if found is None else about_of(found[0])

    def _files(self) -> list[tuple[int, int] | None]:
        """Which files are there by the names of the ledger and of its log."""
        return [_file_at(self.path), _file_at(Path(f"{self._real}-wal")) if self.journal == "wal" else None]

    def _set(self, name: str, value: str) -> None:
        self._connection.execute(_insert("facts"), (name, value))

    def _opened_to_write(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path)
        try:
            if not _is_empty(connection):
                self._check(connection)
                _statuses_in(connection)  # before anything is written, so that a damaged file stays as it is
            wanted = "DELETE" if may_be_shared(self.path) else "WAL"
            self.journal = connection.execute(f"PRAGMA journal_mode={wanted}").fetchone()[0]
            connection.execute(
                "PRAGMA wal_autocheckpoint=1"
            )  # so that a copy of the file has the runs, also if this process dies
            connection.execute("PRAGMA synchronous=FULL")  # a run on the disk outlives a loss of power
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                for table, columns in _TABLES.items():
                    listed = ", ".join(f"{name} {kind}" for name, kind in columns.items())
                    connection.execute(f"CREATE TABLE IF NOT EXISTS {table} ({listed})")
                connection.execute(f"PRAGMA application_id={APPLICATION}")
                connection.execute(f"PRAGMA user_version={VERSION}")
                driver = {"process": os.getpid(), "machine": platform.node(), "since": _now()}
                connection.execute(_insert("facts"), ("driver", json.dumps(driver)))
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened_to_read(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise InputError(
                f"there is no ledger {str(self.path)!r}; run the experiment first: bestfirst experiment run SPEC"
            )
        if not os.access(self.path, os.R_OK):
            raise InputError(
                f"the ledger {str(self.path)!r} cannot be read by this user; its owner can permit that: chmod a+r {self.path}"
            )
        is_without_log = _has_log_elsewhere(self.path)
        if is_without_log:
            self._check_that_it_has_one_name()
        if is_without_log or may_be_shared(self.path):  # to read it in its place would leave a log of this user beside it
            return self._opened_as_copy()
        address = self.path.resolve().as_uri()
        connection = sqlite3.connect(f"{address}?mode=ro", uri=True)
        try:
            self._check(connection)
        except sqlite3.OperationalError:  # a log is in a directory that must not be written to
            connection.close()
            self._check_that_no_log_has_runs()
            connection = sqlite3.connect(f"{address}?immutable=1", uri=True)
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened_as_copy(self) -> sqlite3.Connection:
        connection = in_memory(Path(self._real))
        try:
            self._check(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_that_it_is_ours(self) -> None:
        """Raise InputError in a copy of the process that has opened the ledger: two of them must not write to it."""
        if os.getpid() != self._process:
            raise InputError(
                f"the ledger {str(self.path)!r} is open in the process of which this one is a copy (os.fork); use it only in "
                "that process"
            )

    def _check_that_it_has_one_name(self) -> None:
        """Raise InputError if the file has another name, beside which its lock and its log would not be found."""
        why = _other_name(self.path)
        if why is not None:
            raise InputError(
                f"the ledger {str(self.path)!r} {why}. Its lock and its log would not be found beside that name, and runs could be "
                "lost; remove the other name, or copy the file, and name the copy with --ledger"
            )

    def _check_that_no_log_has_runs(self) -> None:
        """Raise InputError if a driver that was killed has left runs in a log: read-only, they cannot be seen."""
        log = Path(f"{self._real}-wal")
        if log.is_file() and log.stat().st_size:
            raise InputError(
                f"some runs of the ledger {str(self.path)!r} are in {log.name!r}, which cannot be read, because the directory is "
                "read-only; copy both files to a writable directory, and use the copy"
            )

    def _check(self, connection: sqlite3.Connection) -> None:
        """Raise InputError unless the file is a ledger of this version."""
        if _is_empty(connection):
            raise InputError(f"the ledger {str(self.path)!r} is empty; run the experiment: bestfirst experiment run SPEC")
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if mark != APPLICATION:
            raise InputError(
                f"{str(self.path)!r} is a database, but not a ledger of bestfirst; name another file with --ledger"
            )
        if version != VERSION:
            raise InputError(
                f"{str(self.path)!r} is a ledger of version {version}, but this version of bestfirst writes version "
                f"{VERSION}; name another file with --ledger"
            )
        for table, columns in _TABLES.items():
            there = {column[1] for column in connection.execute(f"PRAGMA table_info({table})")}
            lacks = [name for name in columns if name not in there]
            if lacks:
                what = f"the column {lacks[0]!r} is missing" if there else "the table is missing"
                raise DamageError(f"table {table}", what)
        self._check_rows(connection)

    def _check_rows(self, connection: sqlite3.Connection) -> None:
        """Raise DamageError unless all rows are there."""
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DamageError("file", str(found))
        planned = connection.execute("SELECT value FROM facts WHERE name = 'tasks'").fetchone()
        count = connection.execute("SELECT count(*) FROM tasks").fetchone()[0]
        if planned is not None and planned[0] is not None and planned[0] != str(count):
            raise DamageError("table tasks", f"it has {counted(count, 'row')} instead of {planned[0]}")

    @property
    def _lock_file(self) -> Path:
        """It lies next to the ledger itself, not next to a link to it: two drivers may use two names."""
        return Path(f"{self._real}.lock")

    def _locked(self) -> sqlite3.Connection:
        """The lock of the driver; it ends with the process. It is a database, because SQLite can lock files on every system."""
        lock = None
        try:
            lock = sqlite3.connect(self._lock_file, timeout=0, isolation_level=None)
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if lock is not None:
                lock.close()
            if "locked" not in str(error):
                raise self._wrong_lock(error) from None
            raise self._in_use(by=self._who()) from None
        return lock

    def _in_use(self, more: str = "", by: str = "") -> InputError:
        """The error for a ledger that has another driver. more: a sentence about it. by: which process it is."""
        return InputError(
            f"another process{by} is running an experiment with the ledger {str(self.path)!r}; wait until it ends, or name "
            "another file with --ledger" + (more and f". {more}")
        )

    def _wrong_lock(self, error: sqlite3.Error) -> Exception:
        """The error for a lock that is none, if the ledger itself is not at fault."""
        if not self._lock_file.exists() or (self._lock_file.is_file() and "not a database" not in str(error)):
            return error
        return InputError(
            f"{str(self._lock_file)!r} is not a valid lock file ({error}); remove it, which does not affect the ledger"
        )

    def _who(self) -> str:
        """The other driver, as far as it is known."""
        with suppress(sqlite3.Error, ValueError, TypeError, KeyError), closing(sqlite3.connect(self.path)) as connection:
            found = json.loads(connection.execute("SELECT value FROM facts WHERE name = 'driver'").fetchone()[0])
            return f" (process {found['process']} on {found['machine']}, since {found['since']})"
        return ""

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise InputError instead of an error of SQLite or of a damaged row: what it means here, and what to do."""
        try:
            yield
        except DamageError as error:
            raise InputError(f"the ledger {str(self.path)!r} {_damaged(str(error), error.remedy)}") from None
        except UnicodeDecodeError as error:  # from SQLite, whose message about a damaged file quotes the file
            raise InputError(
                f"the ledger {str(self.path)!r} {_damaged(f'it contains {error.object!r}, which is not text')}"
            ) from None
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"the ledger {str(self.path)!r} {_meaning(error, self.path)}") from None


def _statuses_in(connection: sqlite3.Connection) -> dict[str, str]:
    with closing(connection.execute(_RUNS)) as runs:
        return {digest: status_of(digest, values) for digest, *values in runs}


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether a file has no table and no mark, as that of a driver which was killed at its first step."""
    marks = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    return marks == [0, 0] and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0


def _file_at(path: Path) -> tuple[int, int] | None:
    """What tells a file from others; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _other_name(path: Path) -> str | None:
    """In which way a file has other names, which are no links to one; None if it has none, or the system cannot tell."""
    with suppress(OSError):
        if path.stat().st_nlink > 1:
            return "has another name (a hard link)"
        found = mount_of(path)
        if found is not None and found[0] == path.resolve():
            return "is mounted without its directory, and so has another name"
    return None


def _has_log_elsewhere(path: Path) -> bool:
    """Whether a file says that it has a log (SQLite's file format, section 1.3), but has none beside it."""
    with suppress(OSError), path.open("rb") as file:  # what cannot be read, SQLite says too
        return file.read(20)[18:] == b"\2\2" and not Path(f"{_real(path)}-wal").exists()
    return False


def _real(path: str | Path) -> str:
    try:
        return os.path.realpath(path)
    except OSError:
        raise InputError(
            f"the ledger {str(path)!r} cannot be found: the working directory no longer exists; change to another one, and "
            "use an absolute path"
        ) from None


def check_place(path: Path) -> None:
    """Raise InputError unless a ledger can be at a path: a file, or one that does not exist yet."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # such as a directory that this user may not enter
        raise InputError(
            f"the ledger {str(path)!r} cannot be reached: {error.strerror or error}; name another file with --ledger"
        ) from None
    if path.is_dir():
        raise InputError(f"the ledger {str(path)!r} is a directory; name a file, such as --ledger {path / 'runs.sqlite'}")
    if str(path).startswith((":memory:", "file:")):  # which have a meaning for SQLite
        raise InputError(f"the ledger is {str(path)!r}; use the path of a file, such as --ledger runs.sqlite")
    if is_device(path):
        raise InputError(
            f"the ledger {str(path)!r} is a pipe or a device, which cannot keep runs; name a file, such as --ledger runs.sqlite"
        )


def _insert(table: str) -> str:
    columns = _TABLES[table]
    return f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


_RUNS = f"SELECT id, {', '.join(COLUMNS)} FROM runs"
_ROWS = (
    f"SELECT tasks.place, tasks.task, runs.id, {', '.join(f'runs.{name}' for name in COLUMNS)} "
    "FROM tasks LEFT JOIN runs ON runs.id = tasks.id ORDER BY tasks.place"
)
_IO_ERROR = "disk I/O error"
_IN_WORDS_OF_SQLITE = {
    errno.ENOENT: "unable to open database file",
    errno.EACCES: "attempt to write a readonly database",
    errno.EROFS: "attempt to write a readonly database",
    errno.ENOSPC: "database or disk is full",
    errno.EDQUOT: "database or disk is full",
}
_OF_DAMAGE = ("malformed", "no such table", "no such column", "decode", "too big")


def _damaged(what: str, remedy: str = FROM_A_COPY) -> str:
    return (
        f"is not intact: {what}. The file was damaged, or another program changed it. bestfirst leaves it as it is. What to "
        f"do: {remedy}"
    )


def _meaning(error: sqlite3.Error | OSError, path: Path) -> str:
    """What an error of SQLite, or of the system, means for a ledger."""
    text = str(error)
    if isinstance(error, OSError):
        text = _IN_WORDS_OF_SQLITE.get(error.errno or 0, f"{_IO_ERROR}: {error.strerror or error}")
    if "full" in text:
        return (
            "cannot grow: the disk is full. The runs that were recorded are kept; free some space, and run the same command "
            "again"
        )
    if "readonly" in text or ("unable to open" in text and path.parent.is_dir()):
        return "cannot be written: the file, its directory or the file system is read-only; name another file with --ledger"
    if "unable to open" in text:
        return (
            f"cannot be created: there is no directory {str(path.parent)!r}; create it, or name another file with --ledger"
        )
    if "not a database" in text:
        return f"cannot be used: {text}; name another file with --ledger"
    if any(words in text for words in _OF_DAMAGE):
        return _damaged(text)
    if _IO_ERROR in text:  # of a network file system, SQLite is often told no more
        return (
            f"cannot be read or written ({text}): the disk is full or faulty, or the connection to a network file system is "
            "lost. The runs that were recorded are kept; correct the cause, and run the same command again"
        )
    if "locked" in text:
        return "is in use by another program; close that program, and run the same command again"
    return f"cannot be used: {text}; the runs that were recorded are kept; name another file with --ledger, on a local disk"


@cache
def machine() -> str:
    """The name of this machine, its processor, cores and system."""
    processor = platform.processor() or platform.machine()
    with suppress(OSError):
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
        processor = processor if found is None else found[1].strip()
    return f"{platform.node()}: {processor}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S")
