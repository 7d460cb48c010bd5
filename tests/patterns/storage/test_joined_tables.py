"""Several tables as one array: each where it is said to begin, and nothing that can be changed."""

from __future__ import annotations

import mmap
from pathlib import Path

import numpy as np
import pytest

from bestfirst.patterns.storage.joined_tables import joined

LENGTHS = (1, 5000, 70_000)


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """Tables of several lengths, each of other random bytes."""
    random = np.random.default_rng(1)
    made = [tmp_path / f"{length}.npy" for length in LENGTHS]
    for path, length in zip(made, LENGTHS, strict=True):
        np.save(path, random.integers(256, size=length, dtype=np.uint8))
    return made


@pytest.mark.parametrize("is_mapped", [True, False])
def test_each_table_is_where_it_is_said_to_begin(
    paths: list[Path], monkeypatch: pytest.MonkeyPatch, is_mapped: bool
) -> None:
    """Whether the system can map files side by side, or the tables are copied."""
    if not is_mapped:
        monkeypatch.delattr(mmap, "MAP_SHARED")
    content, beginnings = joined(paths)
    assert not content.flags.writeable
    for path, first in zip(paths, beginnings, strict=True):
        table = np.load(path)
        assert np.array_equal(content[first : first + len(table)], table)


def test_nothing_is_copied(paths: list[Path]) -> None:
    """What is written to a file afterwards is seen in the array, as all who map the file see it."""
    content, beginnings = joined(paths)
    table = np.load(paths[1], mmap_mode="r+")
    table[7] = 255 - table[7]
    table.flush()
    assert content[beginnings[1] + 7] == table[7]


def test_the_files_may_be_removed(paths: list[Path]) -> None:
    """The array keeps what was mapped."""
    content, beginnings = joined(paths)
    last = np.load(paths[-1])
    for path in paths:
        path.unlink()
    assert np.array_equal(content[beginnings[-1] : beginnings[-1] + len(last)], last)


def test_a_table_that_is_not_there_is_an_error(paths: list[Path]) -> None:
    """Of the operating system, with its name."""
    paths[0].unlink()
    with pytest.raises(FileNotFoundError, match=r"1\.npy"):
        joined(paths)
