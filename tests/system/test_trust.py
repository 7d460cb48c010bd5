"""Only what nobody but the user and root can have written is loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bestfirst.system import trust
from bestfirst.system.trust import (
    UntrustedError,
    check_trusted,
    make_private_directory,
    read_trusted,
    why_untrusted,
)

ANOTHER = 12345
is_root = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    directory = tmp_path / "above" / "place"
    make_private_directory(directory)
    (directory / "file").write_bytes(b"content")
    (directory / "file").chmod(0o644)
    yield directory
    for made in (directory.parent, directory):
        made.chmod(0o700)


def test_a_directory_is_made_for_the_user_alone(place: Path) -> None:
    """Those above it that were not there are too, and to make it again changes nothing."""
    make_private_directory(place)
    assert place.stat().st_mode & 0o777 == place.parent.stat().st_mode & 0o777 == 0o700
    with pytest.raises(NotADirectoryError):
        make_private_directory(place / "file")


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o500])
def test_a_directory_that_only_the_user_can_write_to_is_trusted(mode: int, place: Path) -> None:
    """Others may look into it."""
    place.chmod(mode)
    assert why_untrusted(place) is None
    assert read_trusted(place / "file") == b"content"


@pytest.mark.parametrize("mode", [0o770, 0o775, 0o707, 0o1777])
def test_a_directory_that_others_can_write_to_is_refused(mode: int, place: Path) -> None:
    """The message says how to remove that permission; the sticky bit does not help, as others can still add files."""
    place.chmod(mode)
    with pytest.raises(
        UntrustedError, match=f"code in {place} is not used: other users can write to .*chmod go-w '{place}'"
    ):
        check_trusted(place, "code")


def test_a_directory_that_others_can_replace_is_refused(place: Path) -> None:
    """As one above it can be written to by anybody; with the sticky bit, as /tmp has it, they cannot."""
    place.parent.chmod(0o777)
    assert "directory above it; remove that permission" in str(why_untrusted(place))
    place.parent.chmod(0o1777)
    assert why_untrusted(place) is None


def test_a_directory_above_may_be_open_to_the_group_of_the_user_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And is refused where the group has other members."""
    place.parent.chmod(0o770)
    monkeypatch.setattr(trust, "_is_own_group", lambda _: True)
    assert why_untrusted(place) is None
    monkeypatch.setattr(trust, "_is_own_group", lambda _: False)
    assert "other users can write" in str(why_untrusted(place))


@pytest.mark.skipif(not is_root, reason="only root can give a directory to somebody else")
@pytest.mark.parametrize("part", ["above", "above/place"])
def test_what_belongs_to_another_user_is_refused(part: str, place: Path, tmp_path: Path) -> None:
    """The directory itself, and one above it."""
    os.chown(tmp_path / part, ANOTHER, -1)
    assert f"belongs to another user (uid {ANOTHER})" in str(why_untrusted(place))


def test_what_belongs_to_root_is_trusted_by_all(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what belongs to a user is not by another one."""
    if not is_root:
        pytest.skip("the files of this test are not those of root")
    monkeypatch.setattr(os, "geteuid", lambda: ANOTHER)
    assert why_untrusted(place) is None
    os.chown(place, ANOTHER + 1, -1)
    assert f"another user (uid {ANOTHER + 1})" in str(why_untrusted(place))


def test_the_owner_is_looked_at_whoever_runs_this(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who has another number than the owner is refused."""
    whole = Path.stat

    def by_another(path: Path, **how: Any) -> os.stat_result:
        status = list(whole(path, **how))
        status[4] = ANOTHER
        return os.stat_result(status)

    monkeypatch.setattr(Path, "stat", by_another)
    assert "belongs to another user" in str(why_untrusted(place))


@pytest.mark.parametrize("mode", [0o660, 0o606])
def test_a_file_that_others_can_write_to_is_refused(mode: int, place: Path) -> None:
    """Though its directory is trusted, as they could have a link to it elsewhere."""
    (place / "file").chmod(mode)
    with pytest.raises(UntrustedError, match=r"other users can write to .*file"):
        read_trusted(place / "file")


def test_a_link_a_pipe_and_a_directory_are_no_files(place: Path) -> None:
    """They are refused, and waited for by nobody."""
    (place / "link").symlink_to(place / "file")
    os.mkfifo(place / "pipe")
    with pytest.raises(UntrustedError, match="is a symbolic link"):
        read_trusted(place / "link")
    for name in ("pipe", "."):
        with pytest.raises(UntrustedError, match="not a regular file"):
            read_trusted(place / name)


def test_a_system_without_owners_is_taken_as_it_is(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Windows is."""
    place.chmod(0o777)
    monkeypatch.delattr(os, "geteuid")
    assert why_untrusted(place) is None
