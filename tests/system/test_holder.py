"""Notes that keep out the processes of other machines, where a lock need not reach them."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bestfirst.system import holder, mounts
from bestfirst.system.atomic import remove_leftovers
from bestfirst.system.locking import held_together, locked, remove_lock
from bestfirst.system.mounts import may_be_shared
from shared_mounts import list_mounts

pytestmark = pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="only Linux lists its mounts")


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock on a shared file system, whose locks keep nobody out, as those of sshfs."""
    list_mounts(tmp_path / "mountinfo", tmp_path / "share", monkeypatch, "fuse.sshfs")
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)
    (tmp_path / "share").mkdir()
    return tmp_path / "share" / "lock"


@pytest.mark.parametrize("kind", ["nfs4", "fuse.sshfs", "fuse.glusterfs", "one-that-is-not-known"])
def test_only_local_file_systems_are_known_not_to_be_shared(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of any other, one cannot know; nor without a list of mounts, where locks have to suffice."""
    list_mounts(tmp_path / "mountinfo", tmp_path / "share", monkeypatch, kind)
    assert may_be_shared(tmp_path / "share" / "deep" / "file") and not may_be_shared(tmp_path / "file")
    monkeypatch.setattr(mounts, "_MOUNTS", tmp_path / "nowhere")
    assert not may_be_shared(tmp_path / "share" / "file")


def test_one_process_holds_a_lock_that_keeps_nobody_out(lock: Path) -> None:
    """The second is told who has it; when it is free, no note is left."""
    with (
        locked(lock, RuntimeError("in use")),
        pytest.raises(RuntimeError, match=rf"in use. It is in use by process {os.getpid()} on .*lock.holder"),
        locked(lock, RuntimeError("in use")),
    ):
        pass
    assert not holder.note_of(lock).exists()
    with locked(lock, RuntimeError("in use")):
        pass


@pytest.mark.parametrize(
    ("change", "may_enter"),
    [({}, True), ({"machine": "other"}, False), ({"boot": "other"}, False), ({"processes": "other"}, False)],
)
def test_the_note_of_a_dead_process_gives_way_on_its_machine_only(
    change: dict[str, Any], may_enter: bool, lock: Path
) -> None:
    """Elsewhere, nobody can know that it is dead, since its number says nothing there."""
    program = "import sys; from pathlib import Path; from bestfirst.system import holder; print(holder._text())"
    text = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    note = holder.note_of(lock)
    note.write_text(json.dumps({**json.loads(text), **change}))
    if may_enter:
        with locked(lock, RuntimeError("in use")):
            assert note.exists()
    else:
        with pytest.raises(RuntimeError, match="remove the file"), locked(lock, RuntimeError("in use")):
            pass
        assert note.exists()


@pytest.mark.parametrize(("started", "may_enter"), [("long ago", True), (None, False)])
def test_another_process_with_the_same_number_is_not_the_holder(started: str | None, may_enter: bool, lock: Path) -> None:
    """Numbers are used again; when a process began tells them apart."""
    said = json.loads(holder._text())
    holder.note_of(lock).write_text(json.dumps({**said, "started": started or said["started"]}))
    if may_enter:
        with locked(lock, RuntimeError("in use")):
            pass
    else:
        with pytest.raises(RuntimeError), locked(lock, RuntimeError("in use")):
            pass


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"process": "x"}'])
def test_a_note_that_says_nothing_keeps_others_out(text: str, lock: Path) -> None:
    """It may be just being written."""
    holder.note_of(lock).write_text(text)
    with pytest.raises(RuntimeError, match="in use by"), locked(lock, RuntimeError("in use")):
        pass


def test_the_note_of_another_process_is_not_removed(lock: Path) -> None:
    """Which has replaced that of a process that was taken for dead."""
    with locked(lock, RuntimeError("in use")):
        holder.note_of(lock).write_text("{}")
    assert holder.note_of(lock).exists()
    remove_lock(lock)
    assert not holder.note_of(lock).exists() and not lock.exists()


def test_a_shared_file_system_without_locks_is_used(lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The note suffices there. On a local disk, the error is told as it is."""

    def refuse(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with locked(lock, RuntimeError("in use")), held_together(lock.with_name("workers")):
        assert holder.note_of(lock).exists()
    with pytest.raises(OSError, match="No locks"), locked(tmp_path / "lock", RuntimeError("in use")):
        pass


def test_a_temporary_file_of_another_machine_is_left_alone(lock: Path, tmp_path: Path) -> None:
    """Its process is not one of this machine; it is removed when it is old."""
    name = f".bestfirst-{2**22 + 1}-{'0' * 16}.tmp"
    for place in (lock.parent, tmp_path):
        (place / name).touch()
        remove_leftovers(place)
    assert (lock.parent / name).exists() and not (tmp_path / name).exists()
    os.utime(lock.parent / name, (0, 0))
    remove_leftovers(lock.parent)
    assert not (lock.parent / name).exists()


def test_a_lock_on_a_lost_file_system_is_let_go(lock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of the work is told, and not that of closing the lock."""

    def lost(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    with pytest.raises(ValueError, match="the work"), locked(lock, RuntimeError("in use")):
        monkeypatch.setattr(os, "close", lost)
        monkeypatch.setattr(Path, "read_text", lost)
        raise ValueError("the work")
