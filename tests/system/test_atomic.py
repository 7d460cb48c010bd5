"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bestfirst.errors import InputError
from bestfirst.system.atomic import check_writable, write_atomically


def test_a_new_file_holds_the_text_and_nothing_else_is_left(tmp_path: Path) -> None:
    """The text is written as UTF-8, line ends as given, and no temporary file stays."""
    write_atomically(tmp_path / "boards.txt", "283\n1 4\r\nπ\n")
    assert (tmp_path / "boards.txt").read_bytes() == "283\n1 4\r\nπ\n".encode()
    assert [entry.name for entry in tmp_path.iterdir()] == ["boards.txt"]


def test_an_old_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    """A second write takes the place of the first, with the permissions that the file had."""
    path = tmp_path / "boards.txt"
    write_atomically(str(path), "old")
    path.chmod(0o640)
    write_atomically(str(path), "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    """A new file is as readable as one made by open()."""
    write_atomically(tmp_path / "ours", "")
    (tmp_path / "usual").write_text("")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    """When writing fails half-way, or Ctrl-C comes, the old text stands and the temporary file is gone."""
    path = tmp_path / "boards.txt"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(os, failing, fail)
    expected = KeyboardInterrupt if isinstance(error, KeyboardInterrupt) else InputError
    with pytest.raises(expected):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["boards.txt"]


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    """A path into a directory that does not exist is an InputError that names the directory."""
    with pytest.raises(InputError, match=r"directory '.*missing' does not exist; create it first"):
        write_atomically(tmp_path / "missing" / "boards.txt", "text")


@pytest.mark.parametrize("use", [lambda path: write_atomically(path, "new"), check_writable])
def test_a_working_directory_that_is_gone_is_told(
    use: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An absolute path can be given."""
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(InputError, match=r"the working directory no longer exists.*use an absolute path"):
        use("file")
    use(str(tmp_path / "file"))


def test_a_file_in_the_place_of_a_directory_is_an_input_error(tmp_path: Path) -> None:
    """A path that goes through an ordinary file is refused."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        write_atomically(tmp_path / "file" / "boards.txt", "text")


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    """A path that is a directory is refused, with the remedy."""
    with pytest.raises(InputError, match="is a directory; use the name of a file in it"):
        write_atomically(tmp_path, "text")


def test_a_directory_that_may_not_be_written_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal of the system is told as it is (simulated, since a superuser is refused nothing)."""

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(InputError, match="Permission denied; choose another path"):
        write_atomically(tmp_path / "boards.txt", "text")


def test_a_symbolic_link_stays_a_link(tmp_path: Path) -> None:
    """Writing through a link replaces what it points to."""
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_atomically(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    """/dev/null stays a device."""
    write_atomically("/dev/null", "text")
    assert not Path("/dev/null").is_file()


def test_lone_surrogates_are_written_as_escapes(tmp_path: Path) -> None:
    """Text that cannot be encoded does not end the run."""
    write_atomically(tmp_path / "boards.txt", "a\udc80b")
    assert (tmp_path / "boards.txt").read_text() == "a\\udc80b"


def test_what_cannot_be_written_is_known_beforehand(tmp_path: Path) -> None:
    """A directory, and a file in a directory that does not exist, are refused before any work is done for them."""
    check_writable(tmp_path / "boards.txt")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="is a directory"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match=r"directory '.*missing' does not exist; create it first"):
        check_writable(tmp_path / "missing" / "boards.txt")


def test_a_private_file_is_for_the_user_alone(tmp_path: Path) -> None:
    """Also where the one before it was not."""
    path = tmp_path / "secret"
    path.touch(mode=0o664)
    write_atomically(path, "text", private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


WRITE = """
import sys, time
from bestfirst.system.atomic import write_atomically

def write(file):
    file.write(bytes(1 << 16))
    file.flush()
    print("writing", flush=True)
    time.sleep(60)

write_atomically(sys.argv[1], write)
"""


@pytest.mark.slow
def test_what_a_killed_process_has_left_is_removed_by_the_next_write(tmp_path: Path) -> None:
    """And not what one that is alive is still writing, nor files of other names."""

    def writing() -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path / "big")], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        return process

    killed, alive = writing(), writing()
    try:
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        (tmp_path / ".bestfirst-notes.tmp").touch()
        assert len(list(tmp_path.iterdir())) == 3
        write_atomically(tmp_path / "small", "")
        left = sorted(entry.name for entry in tmp_path.iterdir())
        assert [left[0].split("-")[1], *left[1:]] == [str(alive.pid), ".bestfirst-notes.tmp", "small"]
    finally:
        alive.kill()
        alive.wait()


def test_what_earlier_versions_have_left_is_removed_once_it_is_old(tmp_path: Path) -> None:
    """Its name does not tell which process wrote it."""
    old, new = (tmp_path / f".bestfirst-{digit * 16}.tmp" for digit in "0f")
    for file in (old, new):
        file.touch()
    os.utime(old, (0, 0))
    write_atomically(tmp_path / "text", "")
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_private_file_is_not_written_to_a_pipe(tmp_path: Path) -> None:
    """Nobody may ever read from it, and the write would wait for ever."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        write_atomically(tmp_path / "pipe", "secret", private=True)


def test_a_lost_file_system_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where even the question whether the directory exists is an error."""

    def lost(*_: object, **__: object) -> None:
        raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", lost)
        patched.setattr(Path, "is_dir", lost)
        patched.setattr(Path, "unlink", lost)
        with pytest.raises(InputError, match=r"cannot write .*Transport endpoint"):
            write_atomically(tmp_path / "a", "text")
