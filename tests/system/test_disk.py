"""What files take on disk."""

from __future__ import annotations

from pathlib import Path

from bestfirst.system.disk import bytes_in, bytes_of


def test_all_files_of_a_directory_count(tmp_path: Path) -> None:
    """Those of its directories too."""
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "three").write_bytes(b"abc")
    (tmp_path / "two").write_bytes(b"ab")
    assert bytes_in(tmp_path) == 5


def test_a_file_that_has_disappeared_does_not_count(tmp_path: Path) -> None:
    """A missing directory is empty."""
    there = tmp_path / "there"
    there.write_bytes(b"ab")
    assert bytes_of([there, tmp_path / "gone"]) == 2
    assert bytes_in(tmp_path / "missing") == 0
