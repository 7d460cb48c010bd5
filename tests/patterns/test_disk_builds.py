"""Tables that are built on disk: the same bytes as in memory, whatever happens on the way."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.sweeps import partitions
from bestfirst.compiled.sweeps.disk_distances import DiskDistances
from bestfirst.compiled.sweeps.partitions import Layout
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.patterns.building import work_files
from bestfirst.patterns.building.progress import Cost, Progress
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.storage import files
from bestfirst.patterns.storage.files import BUILDING
from bestfirst.system.disk import bytes_in
from failing_writes import KilledError, failing
from profiles import examples
from rings import BothWays, OneWay, Rings, table_of

PATTERN = PatternTiles((3, 3), (0, 1, 2, 3, 4), 8)
"""15,120 placements, 30,240 states."""


def on_disk(domain: bf.Domain, directory: Path, bits: int = 4, room: int = 80) -> DiskDistances:
    """All distances in a domain, in partitions of so many ranks."""
    distances = DiskDistances(domain, directory, Layout(domain.size, 8, bits, room))
    while not distances.complete:
        for _ in distances.next_level():
            pass
    return distances


def bytes_of(distances: DiskDistances, length: int) -> bytes:
    """The first bytes of a table."""
    return b"".join(piece.tobytes() for piece in distances.pieces(length))


@examples(15)
@given(length=st.integers(6, 90), cost=st.sampled_from([0, 1, 2, 3, 50, 300]), bits=st.integers(3, 7))
def test_actions_of_any_whole_cost_make_the_same_table(length: int, cost: int, bits: int) -> None:
    """In partitions of any size, also where levels are repeated because actions cost nothing."""
    domain = BothWays(length, cost)
    directory = Path(mkdtemp())
    try:
        found = on_disk(domain, directory, bits)
        expected = table_of(domain)
        assert bytes_of(found, length) == expected.table[:length].tobytes()
        assert found.levels == expected.levels
    finally:
        rmtree(directory)


def test_distances_beyond_a_byte_are_refused_and_only_these(tmp_path: Path) -> None:
    """A state that is too far by one way may be near by another."""
    for number, domain in enumerate((BothWays(3000, 1), Rings(300), Rings(240))):
        with pytest.raises(bf.InputError, match=r"states farther than 254 .* use a smaller pattern"):
            on_disk(domain, tmp_path / str(number))
    assert max(bytes_of(on_disk(Rings(229), tmp_path / "near"), 100)) == 254


def test_costs_that_are_no_whole_numbers_are_refused(tmp_path: Path) -> None:
    """As in memory."""
    with pytest.raises(bf.ProblemError, match=r"costs 1\.5; a table of distances needs costs that are whole numbers >= 0"):
        on_disk(BothWays(50, 1.5), tmp_path)  # type: ignore[arg-type]


def built(data: Path, memory: str | None = "60KB", **given: Any) -> PatternDatabase:
    """The database of the pattern: with the usual limit on memory, built on disk."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(partitions, "SMALLEST_BUFFER", 1)
        monkeypatch.setattr(work_files, "SECONDS_BETWEEN_NOTES", 0)
        monkeypatch.setattr(work_files, "LONGEST_PART_OF_TIME", 0)
        return PatternDatabase.build(PATTERN, data=data, memory=memory, **given)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> PatternDatabase:
    """The same database, built in memory."""
    return PatternDatabase.build(PATTERN, data=tmp_path_factory.mktemp("memory"))


def assert_equal(one: PatternDatabase, other: PatternDatabase) -> None:
    """Byte by byte; no file of the build is left."""
    assert one.file.read_bytes() == other.file.read_bytes()
    assert one.header == other.header
    assert not {"partitions", "working.npy", "progress.json"} & {path.name for path in one.path.iterdir()}


def test_a_database_larger_than_the_memory_of_its_build_is_the_same(in_memory: PatternDatabase, tmp_path: Path) -> None:
    """Within the memory and the disk that are told beforehand; entries that states share are put together too."""
    cost = PatternDatabase.cost(PATTERN, memory="30KB")
    assert isinstance(cost, Cost)
    assert cost.memory <= 30_000 < PATTERN.size
    used: list[int] = []

    def look(_: Progress) -> None:
        used.append(bytes_in(tmp_path))

    assert_equal(built(tmp_path, "30KB", progress=look), in_memory)
    assert PATTERN.size < max(used) < cost.disk_of_build + 5000
    assert "of memory and" in str(cost)


@examples(8)
@given(afters=st.lists(st.integers(0, 400), min_size=1, max_size=4))
def test_a_build_that_ends_at_any_moment_is_resumed(afters: list[int], in_memory: PatternDatabase) -> None:
    """Again and again, at any call that writes; the bytes are those of an undisturbed build."""
    data = Path(mkdtemp())
    try:
        for after in afters:
            with suppress(KilledError), failing(KilledError, after, work_files):
                built(data, "30KB")
        assert_equal(built(data, "30KB"), in_memory)
    finally:
        rmtree(data)


def test_a_full_disk_is_told_and_nothing_is_lost(in_memory: PatternDatabase, tmp_path: Path) -> None:
    """Finished levels are not repeated."""
    full = failing(lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 300, work_files)
    with full, pytest.raises(bf.InputError, match=r"cannot be stored in .*: No space left on device"):
        built(tmp_path, "30KB")
    seen: list[Progress] = []
    database = built(tmp_path, "30KB", progress=lambda progress: seen.append(Progress(None, before=progress.before)))
    assert seen[0].before > 10
    assert_equal(database, in_memory)


@pytest.mark.parametrize(("first", "second"), [("30KB", None), (None, "30KB"), ("30KB", "60KB")])
def test_a_build_with_another_memory_limit_makes_the_same_table(
    first: str | None, second: str | None, in_memory: PatternDatabase, tmp_path: Path
) -> None:
    """An interrupted build on disk and one in memory are not mixed up."""

    def stop(progress: Progress) -> None:
        if progress.level == 6:
            raise KilledError

    with pytest.raises(KilledError):
        built(tmp_path, first, progress=stop)
    assert_equal(built(tmp_path, second), in_memory)


def test_damaged_files_are_told_and_a_new_build_begins(in_memory: PatternDatabase, tmp_path: Path) -> None:
    """The checksum of a partition shows it."""
    with suppress(KilledError), failing(KilledError, 300, work_files):
        built(tmp_path, "30KB")
    (building,) = tmp_path.glob(f"*{BUILDING}")
    for path in building.rglob("partition-*"):
        content = bytearray(path.read_bytes())
        content[4100] ^= 1
        path.write_bytes(content)
    with pytest.raises(bf.InputError, match=r"partition-\d+ was changed: its checksum differs; repeat the build"):
        built(tmp_path, "30KB")
    assert_equal(built(tmp_path, "30KB"), in_memory)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """Also one that has no state of the finished levels."""
    with suppress(KilledError), failing(KilledError, 300, work_files):
        built(tmp_path, "30KB")
    next(tmp_path.rglob("partition-*")).unlink()
    with pytest.raises(bf.InputError, match=r"partition-\d+ is missing; repeat the build"):
        built(tmp_path, "30KB")


def test_what_cannot_be_built_on_disk_is_refused(tmp_path: Path) -> None:
    """Too little memory, and actions that cannot be undone."""
    with pytest.raises(bf.InputError, match="of memory while it is built, but the limit is 1000 bytes"):
        built(tmp_path, "1000")
    with pytest.raises(bf.InputError, match="of memory while it is built, but the limit is 1000 bytes"):
        PatternDatabase.build(OneWay(2000, 1), data=tmp_path, memory=1000)


def test_a_table_is_mapped_in_pieces(in_memory: PatternDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whole pages; its bytes are what they are."""
    monkeypatch.setattr(files, "READ_AT_A_TIME", 1 << 13)
    monkeypatch.setattr(files, "_RIGHT", set())
    table = PatternDatabase.load(PATTERN, data=in_memory.path.parent).table
    assert np.array_equal(table, in_memory.table)
