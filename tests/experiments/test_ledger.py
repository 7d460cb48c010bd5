"""The ledger: what was recorded stays, whatever happens to the process, the disk or the file."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bestfirst.errors import InputError
from bestfirst.experiments import ledger as ledgers
from bestfirst.experiments import ledger_copy
from bestfirst.experiments.exporting import export
from bestfirst.experiments.ledger import Ledger
from bestfirst.experiments.results import Results
from bestfirst.experiments.running import run
from bestfirst.experiments.spec import spec_file
from bestfirst.experiments.task import SEARCH, Task
from bestfirst.system import mounts
from shared_mounts import list_mounts

TASKS = [Task(SEARCH, "p", "c", "pancake", f"{number} 1", str(number), number, algorithm="astar") for number in range(2, 8)]
OUTCOME = {"status": "optimal", "cost": 3, "lower_bound": float("inf"), "history": [[0.5, 3, None, 2.0]], "seconds": 0.25}


def filled(path: Path, number: int) -> None:
    with Ledger(path, may_write=True) as book:
        book.plan(TASKS, {"title": "t"})
        for task in TASKS[:number]:
            book.record(task, OUTCOME, "bestfirst solve")


def test_a_copy_of_the_file_has_the_runs_while_the_experiment_goes_on(tmp_path: Path) -> None:
    """Without the log: it may be that of a process that was killed."""
    with Ledger(tmp_path / "l.sqlite", may_write=True) as book:
        book.plan(TASKS, {"title": "t"})
        for task in TASKS[:4]:
            book.record(task, OUTCOME, "bestfirst solve")
        shutil.copy(tmp_path / "l.sqlite", tmp_path / "copy.sqlite")
    (tmp_path / "elsewhere").mkdir()
    copied = shutil.move(tmp_path / "copy.sqlite", tmp_path / "elsewhere")
    with Ledger(copied) as copy:
        assert len(copy.statuses()) == 4
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["copy.sqlite"]  # a reader leaves nothing beside it


def test_a_run_is_read_as_it_was_recorded(tmp_path: Path) -> None:
    """Numbers, infinity and lists; a task without a run has None; the file is one, without a log."""
    filled(tmp_path / "l.sqlite", 2)
    with Ledger(tmp_path / "l.sqlite") as book:
        rows = list(book.rows())
        assert book.about() == {"title": "t"}
    assert [task for task, _ in rows] == TASKS
    first = rows[0][1]
    assert first is not None and rows[2][1] is None
    assert first["cost"] == 3 and first["lower_bound"] == float("inf") and first["history"] == [[0.5, 3, None, 2.0]]
    assert first["command"] == "bestfirst solve" and first["versions"]["python"] and first["machine"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["l.sqlite", "l.sqlite.lock"]


def test_the_name_of_a_file_need_not_be_text(tmp_path: Path) -> None:
    """Bytes that are none are recorded and exported as escapes."""
    path = tmp_path / "l.sqlite"
    task = replace(TASKS[0], instance="map-\udcff")
    with Ledger(path, may_write=True) as book:
        book.plan([task], {"title": "t"})
        book.record(task, OUTCOME, "bestfirst solve map-\udcff")
        rows = list(book.rows())
    assert rows[0][0] == task and rows[0][1] is not None and rows[0][1]["command"] == r"bestfirst solve map-\udcff"
    export(Results.read(path), tmp_path / "o.parquet")
    export(Results.read(path), tmp_path / "o.csv")
    assert r"map-\udcff" in (tmp_path / "o.csv").read_text()


@pytest.mark.parametrize("number", [2**53, 2**53 + 1, 2**63, -(2**70), 10**400])
def test_whole_numbers_of_any_size_come_back_exactly(tmp_path: Path, number: int) -> None:
    """In a column of each type of number, and in a list."""
    outcome = {"status": "optimal", "cost": number, "expanded": abs(number), "history": [[0.5, 3, number, 2.0]]}
    with Ledger(tmp_path / "l.sqlite", may_write=True) as book:
        book.plan(TASKS[:1], {})
        book.record(TASKS[0], outcome, "")
    with Ledger(tmp_path / "l.sqlite") as book:
        row = next(book.rows())[1]
    assert row is not None and {name: row[name] for name in outcome} == outcome


def test_a_second_driver_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    """The message names the process at work."""
    path = tmp_path / "l.sqlite"
    with Ledger(path, may_write=True) as book:
        book.plan(TASKS, {})
        book.record(TASKS[0], OUTCOME, "")
        with pytest.raises(InputError, match=f"process {os.getpid()} "):
            Ledger(path, may_write=True)
        with Ledger(path) as reader:
            assert reader.statuses() == {TASKS[0].digest: "optimal"}
    with Ledger(path, may_write=True):
        pass


def test_a_second_driver_is_refused_through_a_link(tmp_path: Path) -> None:
    """Two names of one file are one ledger."""
    (tmp_path / "link.sqlite").symlink_to("l.sqlite")
    for first, second in (("l", "link"), ("link", "l")):
        with (
            Ledger(tmp_path / f"{first}.sqlite", may_write=True),
            pytest.raises(InputError, match=f"process {os.getpid()} "),
        ):
            Ledger(tmp_path / f"{second}.sqlite", may_write=True)


def test_a_ledger_with_two_names_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard link, or a file that is mounted by itself: its lock and log are beside one name. A closed one can be read."""
    path, other = tmp_path / "l.sqlite", tmp_path / "other.sqlite"
    filled(path, 1)
    other.hardlink_to(path)
    for name in (path, other):
        with pytest.raises(InputError, match="hard link"):
            Ledger(name, may_write=True)
        with Ledger(name) as reader:
            assert len(reader.statuses()) == 1
    other.unlink()
    with Ledger(path, may_write=True) as book:
        other.hardlink_to(path)
        book.record(TASKS[1], OUTCOME, "")
        with Ledger(path) as reader:
            assert len(reader.statuses()) == 2
        with pytest.raises(InputError, match="hard link"):
            Ledger(other)
        assert not Path(f"{other}-wal").exists()
    other.unlink()
    listed = tmp_path / "mountinfo"
    listed.write_text(f"1 0 8:1 / / rw - ext4 /dev/x rw\n2 1 8:1 /runs/a.sqlite {path} rw - ext4 /dev/x rw\n")
    monkeypatch.setattr(mounts, "_MOUNTS", listed)
    with pytest.raises(InputError, match="mounted"):
        Ledger(path, may_write=True)


def test_the_lock_goes_with_the_process(tmp_path: Path) -> None:
    """A driver that is killed while it writes leaves what it had recorded, and a ledger that the next one can use."""
    program = (
        "import os, signal, sys; sys.path[:0] = sys.argv[2:]\n"
        "from test_ledger import *\n"
        "book = Ledger(sys.argv[1], may_write=True); book.plan(TASKS, {}); book.record(TASKS[0], OUTCOME, '')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    path = tmp_path / "l.sqlite"
    done = subprocess.run([sys.executable, "-c", program, path, *Path(__file__).parents[:2]], check=False)
    assert done.returncode == -signal.SIGKILL
    with Ledger(path) as reader:
        assert len(reader.statuses()) == 1
    with Ledger(path, may_write=True) as book:
        assert len(book.statuses()) == 1


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let writing beyond a size of a file fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_of_the_driver_writes_nothing(tmp_path: Path) -> None:
    """It gets an error that names os.fork; the driver goes on."""
    with Ledger(tmp_path / "l.sqlite", may_write=True) as book:
        book.plan(TASKS, {})
        copy = os.fork()
        if copy == 0:
            try:
                book.record(TASKS[0], OUTCOME, "")
            except InputError as error:
                os._exit(7 if "os.fork" in str(error) else 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) == 7
        assert not book.statuses()
        book.record(TASKS[0], OUTCOME, "")
        assert list(book.statuses()) == [TASKS[0].digest]


def test_a_full_disk_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    """And the message says so."""
    path = tmp_path / "l.sqlite"
    filled(path, 2)
    large = {**OUTCOME, "error": "x" * 200_000}
    with files_of_at_most(100_000), Ledger(path, may_write=True) as book, pytest.raises(InputError, match="kept"):
        book.record(TASKS[3], large, "")
    with Ledger(path, may_write=True) as book:
        assert len(book.statuses()) == 2
        book.record(TASKS[3], large, "")
        assert len(book.statuses()) == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_must_not_be_written_to_is_named(tmp_path: Path) -> None:
    """As a driver; a reader can read there."""
    filled(tmp_path / "l.sqlite", 1)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="read-only"):
            Ledger(tmp_path / "new.sqlite", may_write=True)
        with Ledger(tmp_path / "l.sqlite") as reader:
            assert len(reader.statuses()) == 1
    finally:
        tmp_path.chmod(0o700)


def test_runs_in_a_log_that_cannot_be_read_are_not_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver was killed, and what it left was copied to a medium that is read-only."""
    with Ledger(tmp_path / "l.sqlite", may_write=True) as book:
        book.record(TASKS[0], OUTCOME, "")
        for name in "l.sqlite", "l.sqlite-wal":
            shutil.copy(tmp_path / name, tmp_path / f"copied-{name}")

    def refused(_: Ledger, __: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(Ledger, "_check", refused)
    with pytest.raises(InputError, match=r"copied-l[.]sqlite-wal"):
        Ledger(tmp_path / "copied-l.sqlite")
    monkeypatch.undo()
    with Ledger(tmp_path / "copied-l.sqlite") as reader:
        assert len(reader.statuses()) == 1


def test_what_this_user_may_not_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger, or a directory above it or above a spec."""
    filled(tmp_path / "l.sqlite", 1)
    with monkeypatch.context() as patched:
        patched.setattr(os, "access", lambda *_: False)
        with pytest.raises(InputError, match="cannot be read by this user"):
            Ledger(tmp_path / "l.sqlite")

    def refused(path: Path, **_: Any) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refused)
    for may_write in (False, True):
        with pytest.raises(InputError, match=r"ledger .*cannot be reached: Permission denied"):
            Ledger(tmp_path / "l.sqlite", may_write=may_write)
    with pytest.raises(InputError, match=r"spec .*cannot be reached: Permission denied"):
        spec_file(tmp_path / "s.toml")


def test_errors_of_the_system_are_explained(tmp_path: Path) -> None:
    """Those that cannot be brought about here are those that SQLite raises."""
    for text, words in (
        ("attempt to write a readonly database", "read-only"),
        ("database or disk is full", "disk is full"),
        ("database is locked", "another program"),
        ("locking protocol", "local disk"),
        ("disk I/O error", "connection to a network file system"),
    ):
        assert words in ledgers._meaning(sqlite3.OperationalError(text), tmp_path / "l.sqlite")
    for number, words in ((errno.ENOTCONN, "connection to a network file system"), (errno.EROFS, "read-only")):
        assert words in ledgers._meaning(OSError(number, "why"), tmp_path / "l.sqlite")
    with pytest.raises(InputError, match="no directory"):
        Ledger(tmp_path / "none" / "l.sqlite", may_write=True)
    with pytest.raises(InputError, match="there is no ledger"):
        Ledger(tmp_path / "l.sqlite")


def test_a_directory_is_told_for_what_it_is(tmp_path: Path) -> None:
    """And nothing is written beside it."""
    (tmp_path / "runs").mkdir()
    for may_write in (False, True):
        with pytest.raises(InputError, match="is a directory; name a file"):
            Ledger(tmp_path / "runs", may_write=may_write)
    assert list(tmp_path.iterdir()) == [tmp_path / "runs"]


def test_what_is_no_file_is_told_for_what_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, a device or SQLite's name for no file at all: nothing is read, or written beside it."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("null").symlink_to("/dev/null")  # a lock beside a device itself would be in /dev
    for name in ("pipe", "null", ":memory:"):
        for may_write in (False, True):
            words = "is a pipe or a device.*; name a file" if name != ":memory:" else "; use the path of a file"
            with pytest.raises(InputError, match=f"{words}, such as --ledger runs.sqlite"):
                Ledger(name, may_write=may_write)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["null", "pipe"]
    assert not Path("/dev/null.lock").exists()


def test_other_files_are_not_taken_for_ledgers(tmp_path: Path) -> None:
    """Neither another database, nor a text, nor a ledger of another version; none of them is changed."""
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other, other:
        other.execute("CREATE TABLE runs (id)")
    (tmp_path / "text.sqlite").write_text("some text " * 100)
    filled(tmp_path / "newer.sqlite", 0)
    with closing(sqlite3.connect(tmp_path / "newer.sqlite")) as newer, newer:
        newer.execute("PRAGMA user_version=99")
    for name, words in (("other", "not a ledger"), ("text", "not a database"), ("newer", "version 99")):
        path = tmp_path / f"{name}.sqlite"
        before = path.read_bytes()
        for may_write in (False, True):
            with pytest.raises(InputError, match=words):
                Ledger(path, may_write=may_write)
        assert path.read_bytes() == before
    locks = [path.name for path in tmp_path.iterdir() if path.suffix == ".lock"]
    assert locks == ["newer.sqlite.lock"]  # from its own driver


@pytest.mark.parametrize("statement", ["PRAGMA journal_mode=WAL", "VACUUM"])
def test_a_ledger_whose_driver_was_killed_at_once_is_empty(statement: str, tmp_path: Path) -> None:
    """Readers are told so, and a driver begins it."""
    path = tmp_path / "l.sqlite"
    with closing(sqlite3.connect(path)) as begun:
        begun.execute(statement)
    with pytest.raises(InputError, match="is empty; run the experiment"):
        Ledger(path)
    filled(path, 2)
    with Ledger(path) as book:
        assert len(book.statuses()) == 2


@pytest.mark.parametrize("damage", [lambda lock: lock.write_bytes(b"x" * 5000), lambda lock: lock.mkdir()])
def test_a_lock_that_is_none_is_told(damage: Any, tmp_path: Path) -> None:
    """It is to be removed; the ledger is whole."""
    path = tmp_path / "l.sqlite"
    filled(path, 2)
    lock = path.with_name("l.sqlite.lock")
    lock.unlink()
    damage(lock)
    with pytest.raises(InputError, match=r"l.sqlite.lock' is not a valid lock file .* remove it"):
        Ledger(path, may_write=True)
    read(path)


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path cannot be found then."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InputError, match="the working directory no longer exists"):
        Ledger("l.sqlite", may_write=True)


def changed(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(statement)


def read(path: Path) -> None:
    with Ledger(path) as book:
        book.statuses()
        book.about()
        list(book.rows())


def test_a_user_may_add_columns(tmp_path: Path) -> None:
    """Such as remarks; runs are read and recorded as before."""
    path = tmp_path / "l.sqlite"
    filled(path, 1)
    for table in ("runs", "tasks", "facts"):
        changed(path, f"ALTER TABLE {table} ADD COLUMN note TEXT")
    filled(path, 2)
    with Ledger(path) as book:
        assert [run and run["cost"] for _, run in book.rows()] == [3, 3, None, None, None, None]
        assert list(book.statuses().values()) == ["optimal", "optimal"] and book.about() == {"title": "t"}


ID = TASKS[0].digest


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        *((f"UPDATE runs SET {name} = {value}", f"runs, row {ID}, column {name}: ") for name, value in (
            ("warnings", "'{oops'"), ("warnings", "'[1]'"), ("cost", "'abc'"), ("cost", "'int:zz'"), ("cost", "x'00ff'"),
            ("cost", "9e999"), ("lower_bound", "'many'"), ("history", "'[[1]]'"), ("history", "'[[1, 2, \"3\", 4]]'"),
            ("iterations", "'[1,2]'"), ("iterations", f"'{'[' * 9999}'"), ("expanded", "-1"), ("expanded", "1.5"),
            ("seconds", "-0.5"), ("seconds", "'soon'"), ("status", "'weird'"), ("status", "5"), ("status", "NULL"),
            ("machine", "NULL"), ("engine", "x'ff'"), ("versions", "'{}'"), ("versions", "NULL"),
        )),
        ("UPDATE runs SET id = NULL", "runs, column id: "),
        *((f"UPDATE tasks SET task = {value}", "tasks, row 0, column task: ") for value in (
            "'{bad'", "x'ff00'", "NULL", "'{}'", "'[1]'", "json_set(task, '$.number', 'one')", "json_set(task, '$.kind', 'x')",
            "json_set(task, '$.new', 1)",
        )),
        *((f"UPDATE facts SET value = {value} WHERE name = 'about'", "facts, row about, column value: ") for value in (
            "'[1'", "'[1]'", "NULL", "'{\"about\": 5}'",
        )),
        ("DROP TABLE runs", "runs: the table is missing"),
        ("ALTER TABLE runs DROP COLUMN cost", "runs: the column 'cost' is missing"),
        ("UPDATE runs SET warnings = CAST(x'ff' AS TEXT)", "warnings"),
    ],
)  # fmt: skip
def test_what_bestfirst_did_not_write_is_refused(tmp_path: Path, statement: str, words: str) -> None:
    """The message names the table, the row and the column."""
    filled(tmp_path / "l.sqlite", 1)
    changed(tmp_path / "l.sqlite", statement)
    with pytest.raises(InputError, match=r"is not intact: .*name another file") as raised:
        read(tmp_path / "l.sqlite")
    assert words in str(raised.value) and len(str(raised.value)) < 600


def test_a_damaged_run_does_not_count_as_recorded(tmp_path: Path) -> None:
    """Whichever of its values it is: the question which runs are recorded is answered with the run and the remedy."""
    filled(tmp_path / "l.sqlite", 2)
    changed(tmp_path / "l.sqlite", f"UPDATE runs SET cost = 'abc' WHERE id = '{ID}'")
    with (
        Ledger(tmp_path / "l.sqlite") as book,
        pytest.raises(InputError, match=f"row {ID}, column cost: 'abc' is not a finite number.*delete this row"),
    ):
        book.statuses()
    content = (tmp_path / "l.sqlite").read_bytes()
    with pytest.raises(InputError, match="bestfirst leaves it as it is"):
        Ledger(tmp_path / "l.sqlite", may_write=True)
    assert (tmp_path / "l.sqlite").read_bytes() == content


def test_the_remedies_of_damaged_rows_help(tmp_path: Path) -> None:
    """A row of a run that is deleted is a run that is missing; the tasks and the title are written anew by a driver."""
    path = tmp_path / "l.sqlite"
    filled(path, 2)
    changed(path, f"UPDATE runs SET cost = 'abc' WHERE id = '{ID}'")
    with pytest.raises(InputError, match="delete this row"):
        read(path)
    changed(path, f"DELETE FROM runs WHERE id = '{ID}'")
    with Ledger(path) as book:
        assert [run is not None for _, run in book.rows()] == [False, True, False, False, False, False]
    changed(path, "UPDATE tasks SET task = NULL")
    changed(path, "UPDATE facts SET value = NULL")
    with pytest.raises(InputError, match="run the experiment again, which rewrites this row"):
        read(path)
    filled(path, 1)
    read(path)


def test_damage_of_the_file_is_told(tmp_path: Path) -> None:
    """Wherever bytes are changed, the ledger is read, or an InputError says why not."""
    path = tmp_path / "l.sqlite"
    filled(path, 3)
    data = path.read_bytes()
    dice = Random(1)
    refused = 0
    for _ in range(150):
        damaged = bytearray(data)
        at = dice.randrange(len(data))
        damaged[at : at + 40] = dice.randbytes(len(damaged[at : at + 40]))
        path.write_bytes(damaged)
        try:
            read(path)
        except InputError as error:
            refused += 1
            assert str(path) in str(error)
    assert refused > 10


@pytest.fixture
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that the system says to be on a file system of the network."""
    share = tmp_path / "a share"
    share.mkdir()
    list_mounts(tmp_path / "mountinfo", share, monkeypatch)
    return share


def test_a_shared_file_system_gets_no_write_ahead_log(share: Path, tmp_path: Path) -> None:
    """It would not work there; a rollback journal does."""
    with Ledger(share / "l.sqlite", may_write=True) as there, Ledger(tmp_path / "l.sqlite", may_write=True) as here:
        assert (there.journal, here.journal) == ("delete", "wal")


def test_the_driver_on_another_machine_is_named(share: Path) -> None:
    """By the note beside the ledger, which holds where locks do not; nothing is written, and removing the note lets one in."""
    path = share / "l.sqlite"
    filled(path, 1)
    note = share / "l.sqlite.lock.holder"
    note.write_text(json.dumps({"process": 12, "machine": "far", "since": "noon"}))
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"process 12 on far since noon, as .*l\.sqlite\.lock\.holder.* remove the file"):
        Ledger(path, may_write=True)
    assert path.read_bytes() == before and note.exists()
    with Ledger(path) as reader:
        assert len(reader.statuses()) == 1
    note.unlink()
    with Ledger(path, may_write=True):
        assert note.exists()
    assert not note.exists()


def test_a_driver_whose_note_was_removed_records_no_more(share: Path) -> None:
    """Another one may have begun."""
    with Ledger(share / "l.sqlite", may_write=True) as book:
        book.plan(TASKS, {})
        (share / "l.sqlite.lock.holder").unlink()
        with pytest.raises(InputError, match="another process may use the ledger"):
            book.record(TASKS[0], OUTCOME, "")
        assert book.statuses() == {}


def test_a_shared_ledger_is_read_as_it_was_at_one_moment(share: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where locks do not hold: a half-written run is undone in a copy, and a file that changes is read again."""
    path = share / "l.sqlite"
    filled(path, 1)
    whole = path.read_bytes()
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA cache_spill=1")
    writer.execute("PRAGMA cache_size=1")
    writer.execute("BEGIN")
    writer.execute("CREATE TABLE more (text TEXT)")
    writer.executemany("INSERT INTO more VALUES (?)", [("x" * 5000,)] * 100)
    assert path.read_bytes() != whole and Path(f"{path}-journal").exists()  # in the middle of it
    with Ledger(path) as reader:
        assert len(reader.statuses()) == 1
        assert not reader._connection.execute("SELECT name FROM sqlite_master WHERE name = 'more'").fetchall()
    writer.execute("ROLLBACK")
    writer.close()
    looks = iter(range(1000))
    monkeypatch.setattr(ledger_copy, "SECONDS_TO_WAIT", 0.2)
    monkeypatch.setattr(ledger_copy, "_look", lambda _: {"": b"%d" % next(looks)})
    with pytest.raises(InputError, match="being written to all the time"):
        Ledger(path)


@pytest.mark.parametrize("what", ["runs", "runs.sqlite", "runs.sqlite-wal"])
def test_a_ledger_that_is_removed_meanwhile_is_told(what: str, tmp_path: Path) -> None:
    """With the next run; the same command does the missing runs."""
    (tmp_path / "runs").mkdir()
    path = tmp_path / "runs" / "runs.sqlite"
    with Ledger(path, may_write=True) as book:
        book.plan(TASKS, {"title": "t"})
        book.record(TASKS[0], OUTCOME, "bestfirst solve")
        if what == "runs":
            path.parent.rename(tmp_path / "old")
        else:
            (path.parent / what).unlink()
        with pytest.raises(InputError, match=r"was removed, moved or replaced .* run the same command again"):
            book.record(TASKS[1], OUTCOME, "bestfirst solve")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (":memory:", "use the path of a file"),
        ("file:x?mode=memory", "use the path of a file"),
        ("a\0b", "NUL"),
        (5, "pass a path"),
    ],
)
def test_what_is_no_path_of_a_file_is_refused(given: Any, message: str) -> None:
    """By its argument; some names have a meaning for SQLite."""
    with pytest.raises(InputError, match=f"ledger is .*{message}"):
        Ledger(given)
    with pytest.raises(InputError, match=f"ledger is .*{message}"):
        run({"problems": [{"domain": "pancake", "instances": ["2 1"]}], "configurations": [{"algorithm": "astar"}]}, given)
