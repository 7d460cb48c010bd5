"""Enumerations on disk: the same levels as in memory, whatever happens on the way."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.sweeps import partitions
from bestfirst.system.disk import bytes_in
from compilable import Pancakes
from failing_writes import KilledError, failing
from profiles import examples
from ranked_graphs import Arrows, shifts
from spaces import DEPTHS

BOARD = "_ 1 2 3 4 5 6 7 8"
PROGRAM = f"""
import sys
import bestfirst as bf
found = bf.enumerate_states(bf.SlidingTile("{BOARD}", "{BOARD}"), limits=bf.Limits(memory="80KB"), directory=sys.argv[1])
print(found.levels == {DEPTHS[BOARD]})
"""


def on_disk(graph: Arrows, directory: Path, memory: int = 12_000) -> bf.Enumeration:
    """An enumeration with partitions of 64 ranks, and buffers as small as possible: small graphs need several of both."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in {"SMALLEST_BITS": 6, "SMALLEST_BUFFER": 1, "LARGE_BUFFER": 1, "CACHED_BYTES": 1}.items():
            monkeypatch.setattr(partitions, name, value)
        return bf.enumerate_states(graph, limits=bf.Limits(memory=memory), directory=directory)


def test_the_levels_of_the_eight_puzzle_within_a_given_memory(tmp_path: Path) -> None:
    """Levels, farthest boards, memory and disk, and no file but the result is left; then the result is read."""
    puzzle = bf.SlidingTile(BOARD, BOARD)
    used = []

    def look(found: bf.Enumeration) -> None:
        used.append(bytes_in(tmp_path))
        assert found.bytes is not None and found.bytes <= 80_000

    found = bf.enumerate_states(puzzle, limits=bf.Limits(memory="80KB"), directory=tmp_path, progress=look)
    assert (found.levels, found.complete, found.engine) == (DEPTHS[BOARD], True, "compiled")
    assert found.antipodes == bf.enumerate_states(puzzle, engine="compiled").antipodes
    assert found.disk is not None and found.disk // 4 < max(used) <= found.disk
    assert {path.name for path in tmp_path.iterdir()} == {"progress.json", "lock"}
    again = bf.enumerate_states(puzzle, directory=tmp_path)
    assert (again.levels, again.antipodes, again.complete) == (found.levels, found.antipodes, True)


@examples(15)
@given(data=st.data())
def test_directed_graphs_have_the_levels_that_the_reference_engine_finds(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On several partitions, whose updates are carried out during a level too."""
    size = data.draw(st.integers(1, 200))
    targets = data.draw(st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size))
    graph = Arrows(targets)
    found = on_disk(graph, tmp_path_factory.mktemp("graph"))
    reference = bf.enumerate_states(graph, engine="python")
    assert found.levels == reference.levels
    assert found.antipodes == sorted(reference.antipodes)


@examples(10)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=4))
def test_an_enumeration_that_ends_at_any_moment_is_continued(afters: list[int]) -> None:
    """Again and again, at any call that writes; the result is that of an undisturbed one."""
    graph = shifts(300)
    directory = Path(mkdtemp())
    try:
        for after in afters:
            with suppress(KilledError), failing(KilledError, after):
                on_disk(graph, directory)
        assert on_disk(graph, directory).levels == bf.enumerate_states(graph, engine="python").levels
        assert not list(directory.glob("*partition*")) + list(directory.glob("updates*"))
    finally:
        shutil.rmtree(directory)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    """The error says what to do; then the enumeration continues after its last finished level."""
    graph = shifts(700)
    full = failing(lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 60)
    with full, pytest.raises(bf.InputError, match="No space left on device; finished levels are kept there"):
        on_disk(graph, tmp_path)
    seen: list[list[int]] = []
    found = bf.enumerate_states(graph, directory=tmp_path, progress=lambda now: seen.append(list(now.levels)))
    assert len(seen[0]) > 3
    assert found.levels == bf.enumerate_states(graph, engine="python").levels


def test_a_disk_that_takes_part_of_a_write_gets_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As systems may."""
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, content: write(file, content[: 1 + len(content) // 2]))
    graph = shifts(300)
    assert on_disk(graph, tmp_path).levels == bf.enumerate_states(graph, engine="python").levels


@pytest.mark.slow
def test_a_killed_process_is_continued(tmp_path: Path) -> None:
    """kill -9, several times."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    for seconds in (0.3, 0.1):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        while not (tmp_path / "progress.json").exists() and process.poll() is None:
            sleep(0.01)
        sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert subprocess.run(command, check=True, capture_output=True).stdout == b"True\n"


def test_a_limit_keeps_the_finished_levels(tmp_path: Path) -> None:
    """The next call continues; its levels contain those."""
    puzzle = bf.SlidingTile(BOARD, BOARD)
    stopped = bf.enumerate_states(puzzle, limits=bf.Limits(memory="80KB", seconds=0.05), directory=tmp_path)
    assert (stopped.complete, stopped.limit) == (False, "seconds")
    assert 1 <= len(stopped.levels) < 32 and stopped.levels == DEPTHS[BOARD][: len(stopped.levels)]
    assert bf.enumerate_states(puzzle, directory=tmp_path).levels == DEPTHS[BOARD]


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an enumeration that was stopped on the way."""
    directory = tmp_path_factory.mktemp("unfinished")
    with failing(KilledError, 200), pytest.raises(KilledError):
        on_disk(shifts(700), directory)
    return directory


def busy(there: Path) -> Path:
    """A partition that the enumeration will read again: one with states of the next level."""
    counts = {path: json.loads(path.read_bytes()[:4096]) for path in there.glob("partition-*")}
    return max(counts, key=lambda path: (counts[path]["level"], counts[path]["next"]))


def _change(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda there: _change(busy(there), 4100), r"partition-\d+ was changed: its checksum differs"),
        (lambda there: _change(busy(there), 20), r"first line of partition-\d+"),
        (lambda there: os.truncate(busy(there), 4100), r"partition-\d+ has 4,100 bytes instead of 4,112"),
        (lambda there: busy(there).unlink(), r"partition-\d+ is missing"),
        (lambda there: busy(there).replace(there / "partition-00099"), "partition-00099 belongs to another table"),
        (lambda there: shutil.copy(there / "progress.json", busy(there)), r"partition-\d+ belongs to another table"),
        (lambda there: _change(there / "progress.json", 200), "progress.json was changed|progress.json cannot be read"),
        (lambda there: (there / "progress.json").unlink(), "progress.json is missing"),
        (lambda there: (there / "progress.json").write_text("[]"), "progress.json does not describe a partitioned table"),
        (lambda there: (there / "progress.json").write_text("[" * 200_000), "progress.json cannot be read"),
        (lambda there: (there / "partition-00001-3").touch(), "contains other files, such as 'partition-00001-3'"),
        (lambda there: os.mkfifo(there / "partition-00099"), "contains other files, such as 'partition-00099'"),
        (lambda there: (there / "holiday.jpg").touch(), "contains other files, such as 'holiday.jpg'; use an empty"),
    ],
)
def test_damaged_and_foreign_files_are_refused(
    damage: Callable[[Path], Any], why: str, unfinished: Path, tmp_path: Path
) -> None:
    """Each with a message that names the file; none is changed."""
    there = tmp_path / "copy"
    shutil.copytree(unfinished, there)
    damage(there)
    before = {path.name: path.read_bytes() for path in there.glob("partition-*") if path.is_file()}
    with pytest.raises(bf.InputError, match=why):
        on_disk(shifts(700), there)
    assert {path.name: path.read_bytes() for path in there.glob("partition-*") if path.is_file()} == before


def test_a_directory_with_other_files_is_left_as_it_is(tmp_path: Path) -> None:
    """Nothing is added to it when it is refused."""
    (tmp_path / "holiday.jpg").touch()
    with pytest.raises(bf.InputError, match="contains other files"):
        on_disk(shifts(700), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_the_directory_of_another_problem_is_refused(unfinished: Path) -> None:
    """Of the same class and size, with other data."""
    other = shifts(700)
    other.targets[5, 0] = 9
    with pytest.raises(bf.InputError, match="contains the enumeration of another problem"):
        on_disk(other, unfinished)


def test_a_directory_in_use_is_refused(unfinished: Path) -> None:
    """By another process, or another thread."""
    fcntl = pytest.importorskip("fcntl")
    with (unfinished / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(bf.InputError, match="is being continued by another process; wait for it"):
            on_disk(shifts(700), unfinished)


def test_what_cannot_be_enumerated_on_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine, the domain, the memory, the disk and the directory."""
    graph = shifts(700)
    with pytest.raises(bf.InputError, match="reference engine does not enumerate on disk"):
        bf.enumerate_states(graph, engine="python", directory=tmp_path)
    with pytest.raises(bf.InputError, match="not written as a Domain; omit directory"):
        bf.enumerate_states(bf.Problem.of(0, lambda _: [], lambda _: True), directory=tmp_path)
    with pytest.raises(bf.InputError, match=r"does not define rank\(\) and unrank\(\)"):
        bf.enumerate_states(Pancakes([2, 1, 3]), directory=tmp_path)
    with pytest.raises(bf.InputError, match=r"takes at least .* of memory, but the limit is 100 bytes; raise the limit"):
        on_disk(graph, tmp_path, 100)
    with pytest.raises(bf.InputError, match="more than the limit on memory; raise the limit, or pass a directory"):
        bf.enumerate_states(graph, engine="compiled", limits=bf.Limits(memory=100))
    with pytest.raises(bf.InputError, match="cannot be written to /dev/null/there: Not a directory; choose another"):
        on_disk(graph, Path("/dev/null/there"))
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(0, 0, 1000))
    with pytest.raises(bf.InputError, match=r"takes up to .* of disk, but only 1000 bytes is available"):
        on_disk(graph, tmp_path)


def test_a_rank_out_of_range_is_an_error_that_names_it(tmp_path: Path) -> None:
    """Before anything is written to its partition."""
    graph = shifts(300)
    graph.targets[4, 1] = 300
    with pytest.raises(bf.ProblemError, match=r"rank\(State\(number=300\)\) is 300; it must be a whole number in 0 .. 299"):
        on_disk(graph, tmp_path)


def test_a_read_only_directory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is computed."""

    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(bf.InputError, match=r"cannot be written to .*: Read-only file system; choose another directory"):
        on_disk(shifts(300), tmp_path)
