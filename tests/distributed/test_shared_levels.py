"""Enumerations on disk by workers: the levels of one process, whoever dies on the way."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.sweeps import partitions
from bestfirst.distributed import rounds, shared_levels
from bestfirst.distributed.crew import Job
from bestfirst.distributed.local_crew import LocalCrew
from bestfirst.system.disk import bytes_in
from bestfirst.system.locking import held_together
from failing_writes import KilledError, failing
from gone import all_gone, is_gone
from partition_crew import PartitionCrew
from profiles import examples
from ranked_graphs import Arrows, shifts
from spaces import DEPTHS

BOARD = "_ 1 2 3 4 5 6 7 8"
PUZZLE = bf.SlidingTile(BOARD, BOARD)


@contextmanager
def inline_workers(seed: int, deaths: float = 0.0) -> Iterator[None]:
    """Within this block, such workers take the place of processes, and partitions and buffers are as small as possible."""
    small = {"SMALLEST_BITS": 6, "SMALLEST_BUFFER": 1, "LARGE_BUFFER": 1, "CACHED_BYTES": 1}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in small.items():
            patch.setattr(partitions, name, value)
        patch.setattr(shared_levels, "crew_of", lambda _on, workers: PartitionCrew(workers, Random(seed), deaths))
        patch.setattr(rounds, "MOST_LOSSES", 10**9)
        yield


def enumerated(graph: bf.Problem, directory: Path, workers: int | None, memory: int = 60_000) -> bf.Enumeration:
    """An enumeration on disk."""
    return bf.enumerate_states(graph, directory=directory, workers=workers, limits=bf.Limits(memory=memory))


@examples(25)
@given(st.data(), st.integers(1, 4), st.sampled_from([0.0, 0.3]))
def test_the_levels_are_those_of_the_reference_engine(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, workers: int, deaths: float
) -> None:
    """For directed graphs on several partitions, and although workers end before or after they have done a job."""
    size = data.draw(st.integers(1, 200))
    targets = data.draw(st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size))
    graph = Arrows(targets)
    with inline_workers(seed=size, deaths=deaths):
        found = enumerated(graph, tmp_path_factory.mktemp("graph"), workers)
    reference = bf.enumerate_states(graph, engine="python")
    assert (found.levels, found.antipodes) == (reference.levels, sorted(reference.antipodes))


@examples(10)
@given(st.lists(st.tuples(st.integers(0, 300), st.sampled_from([None, 1, 2, 3])), min_size=1, max_size=4))
def test_an_enumeration_that_ends_at_any_moment_is_continued(ends: list[tuple[int, int | None]]) -> None:
    """With other workers, or without; at last no file but the result is left."""
    graph = shifts(300)
    directory = Path(mkdtemp())
    try:
        with inline_workers(seed=1, deaths=0.1):
            for after, workers in ends:
                with suppress(KilledError), failing(KilledError, after):
                    enumerated(graph, directory, workers)
            found = enumerated(graph, directory, 2)
        assert found.levels == bf.enumerate_states(graph, engine="python").levels
        assert not list(directory.glob("*partition*")) + list(directory.glob("updates*"))
    finally:
        shutil.rmtree(directory)


def test_a_job_that_ends_every_worker_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After five of them."""
    with inline_workers(seed=1, deaths=1.0):
        monkeypatch.setattr(rounds, "MOST_LOSSES", 5)
        with pytest.raises(bf.BestfirstError, match="5 workers ended while they worked on the same partitions"):
            enumerated(shifts(300), tmp_path, 2)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    """By a worker; then the enumeration continues after its last finished level."""
    graph = shifts(700)
    full = failing(lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 200)
    with inline_workers(seed=1):
        with full, pytest.raises(bf.InputError, match="No space left on device; finished levels are kept there"):
            enumerated(graph, tmp_path, 2)
        seen: list[int] = []
        limits = bf.Limits(memory=60_000)
        found = bf.enumerate_states(
            graph, directory=tmp_path, workers=3, limits=limits, progress=lambda now: seen.append(len(now.levels))
        )
    assert seen[0] > 3
    assert found.levels == bf.enumerate_states(graph, engine="python").levels


class MortalCrew(LocalCrew):
    """Two processes, of which the one that is given a job is killed twice."""

    given = 0

    def give(self, worker: int, job: Job) -> None:
        super().give(worker, job)
        self.given += 1
        if self.given in (20, 41):
            os.kill(self._workers[worker]._process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_worker_costs_only_its_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others end the enumeration, within the limit on memory and the disk that was told; the levels are exact."""
    made: list[MortalCrew] = []

    def crew(_on: str, _workers: int | None) -> MortalCrew:
        made.append(MortalCrew(2))
        return made[-1]

    monkeypatch.setattr(shared_levels, "crew_of", crew)
    used = []

    def look(now: bf.Enumeration) -> None:
        assert now.bytes is not None and now.bytes <= 200_000
        used.append(bytes_in(tmp_path))

    limits = bf.Limits(memory="200KB")
    found = bf.enumerate_states(PUZZLE, directory=tmp_path, on="local", workers=2, limits=limits, progress=look)
    assert (found.levels, found.complete) == (DEPTHS[BOARD], True)
    assert found.antipodes == bf.enumerate_states(PUZZLE, engine="compiled").antipodes
    assert found.disk is not None and max(used) <= found.disk
    assert made[0]._numbers == 4 and not made[0]._workers
    assert {path.name for path in tmp_path.iterdir()} == {"progress.json", "lock", "workers"}


PROGRAM = """
import signal, sys
import bestfirst as bf
signal.signal(signal.SIGINT, signal.default_int_handler)  # which the children of a shell ignore
from bestfirst.distributed.local_crew import _Process
begin = _Process.__init__
def tell(self, charge):
    begin(self, charge)
    print(self._process.pid, flush=True)
_Process.__init__ = tell
def look(now):
    if len(now.levels) == 9:
        print("level 9", flush=True)
cube = bf.PocketCube("R R'")
found = bf.enumerate_states(cube, directory=sys.argv[1], workers=2, limits=bf.Limits(memory="1MB"), progress=look)
print(found.limit, len(found.levels), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_driver(tmp_path: Path, how: signal.Signals) -> None:
    """After Ctrl-C it reports the finished levels; in both cases, one process continues after them."""
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert program.stdout is not None
    try:
        workers = [int(program.stdout.readline()) for _ in range(2)]
        assert program.stdout.readline() == "level 9\n"
        assert not any(map(is_gone, workers))
        program.send_signal(how)
        output, _ = program.communicate(timeout=20)
    finally:
        program.kill()
    assert all_gone(workers)
    assert ("interrupted" in output) == (how == signal.SIGINT)
    seen: list[int] = []
    limits = bf.Limits(memory="1MB")
    cube = bf.PocketCube("R R'")
    found = bf.enumerate_states(cube, directory=tmp_path, limits=limits, progress=lambda now: seen.append(len(now.levels)))
    assert seen[0] >= 9
    assert (found.states, found.radius, found.levels[-1]) == (3_674_160, 11, 2_644)


class Unsendable(bf.SlidingTile):
    """A problem that cannot be pickled."""

    def __reduce__(self) -> Any:
        raise TypeError("it holds an open file")


def test_what_workers_cannot_share_is_told(tmp_path: Path) -> None:
    """No directory, an unknown place, a problem that cannot be sent, too little memory."""
    with pytest.raises(bf.InputError, match="workers can share only an enumeration on disk; pass directory"):
        bf.enumerate_states(PUZZLE, workers=2)
    with pytest.raises(bf.InputError, match="workers can share only an enumeration on disk; pass directory"):
        bf.enumerate_states(PUZZLE, on="local")
    with pytest.raises(bf.UnknownNameError, match="no place for workers is called 'cloud'"):
        bf.enumerate_states(PUZZLE, on="cloud", directory=tmp_path)
    with pytest.raises(bf.InputError, match="workers is 0; use a whole number"):
        bf.enumerate_states(PUZZLE, workers=0, directory=tmp_path)
    with pytest.raises(bf.InputError, match=r"cannot be sent to workers: it holds an open file; define .* at module"):
        bf.enumerate_states(Unsendable(BOARD, BOARD), workers=2, directory=tmp_path)
    with pytest.raises(bf.InputError, match=r"takes at least .* raise the limit, or use fewer workers"):
        enumerated(PUZZLE, tmp_path, 50, memory=50_000)


def test_a_worker_that_does_not_find_the_directory_is_told(tmp_path: Path) -> None:
    """On a machine where another directory, or none, has its name."""
    for directory in (tmp_path, tmp_path / "none"):
        place = partitions.Workplace(directory, "the enumeration")
        with pytest.raises(
            bf.InputError, match=r"cannot find the enumeration in .*; use a directory that all machines share"
        ):
            place.join("a name")


def test_workers_that_are_left_keep_others_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as they have not noticed that their driver has ended."""
    pytest.importorskip("fcntl")
    monkeypatch.setattr(partitions, "SECONDS_TO_LET_GO", 0.1)
    with held_together(tmp_path / "workers"):
        started = time.monotonic()
        with pytest.raises(bf.InputError, match="is being continued by another process; wait for it"):
            enumerated(shifts(300), tmp_path, None)
        assert time.monotonic() - started >= 0.1
