"""Tables built on disk by workers: the bytes of one process, whoever dies on the way."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.sweeps import partitions
from bestfirst.compiled.sweeps.partitions import Layout
from bestfirst.distributed import crews, rounds
from bestfirst.distributed.crew import Crew, Job, NoWorkersError
from bestfirst.distributed.local_crew import LocalCrew
from bestfirst.distributed.shared_distances import SharedDistances
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.patterns.building import work_files
from bestfirst.patterns.building.progress import Progress
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.storage.files import BUILDING
from failing_writes import KilledError, failing
from partition_crew import PartitionCrew
from profiles import examples
from rings import BothWays, table_of

PATTERN = PatternTiles((3, 3), (0, 1, 2, 3, 4), 8)
"""15,120 placements, 30,240 states."""


@examples(15)
@given(
    length=st.integers(6, 90),
    cost=st.sampled_from([0, 1, 2, 50]),
    bits=st.integers(3, 7),
    workers=st.integers(1, 4),
    deaths=st.sampled_from([0.0, 0.2]),
)
def test_actions_of_any_whole_cost_make_the_same_table(
    length: int, cost: int, bits: int, workers: int, deaths: float
) -> None:
    """Also where levels are repeated because actions cost nothing, and although workers end before or after a job."""
    domain = BothWays(length, cost)
    directory = Path(mkdtemp())
    crew = PartitionCrew(workers, Random(length), deaths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "MOST_LOSSES", 10**9)
        try:
            found = SharedDistances(domain, directory, Layout(domain.size, 8, bits, 80, workers), crew)
            while not found.complete:
                for part in found.next_level():
                    assert 0 <= part <= 1
            expected = table_of(domain)
            assert b"".join(piece.tobytes() for piece in found.pieces(length)) == expected.table[:length].tobytes()
            assert found.levels == expected.levels
        finally:
            crew.close()
            rmtree(directory)


def built(data: Path, workers: int | None = 2, memory: str | None = "40KB", **given: Any) -> PatternDatabase:
    """The database of the pattern, built on disk."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name in ("SMALLEST_BUFFER", "LARGE_BUFFER", "CACHED_BYTES"):
            monkeypatch.setattr(partitions, name, 1)
        monkeypatch.setattr(work_files, "SECONDS_BETWEEN_NOTES", 0)
        monkeypatch.setattr(work_files, "LONGEST_PART_OF_TIME", 0)
        return PatternDatabase.build(PATTERN, data=data, memory=memory, workers=workers, **given)


@pytest.fixture(scope="module")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> PatternDatabase:
    """The same database, built in memory."""
    return PatternDatabase.build(PATTERN, data=tmp_path_factory.mktemp("memory"))


def assert_equal(one: PatternDatabase, other: PatternDatabase) -> None:
    """Byte by byte; no file of the build is left."""
    assert one.file.read_bytes() == other.file.read_bytes()
    assert one.header == other.header
    assert not {"partitions", "working.npy", "progress.json"} & {path.name for path in one.path.iterdir()}


class MortalCrew(LocalCrew):
    """Two processes, of which the one that is given the 30th job is killed."""

    given = 0

    def give(self, worker: int, job: Job) -> None:
        super().give(worker, job)
        self.given += 1
        if self.given == 30:
            os.kill(self._workers[worker]._process.pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_worker_costs_only_its_job(
    in_memory: PatternDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the disk that was told, and entries that states share are put together too."""
    made: list[MortalCrew] = []

    def crew(_on: str, workers: int | None) -> MortalCrew:
        made.append(MortalCrew(workers or 1))
        return made[-1]

    monkeypatch.setattr(crews, "crew_of", crew)
    assert_equal(built(tmp_path), in_memory)
    assert made[0]._numbers == 3 and not made[0]._workers


@examples(5)
@given(ends=st.lists(st.tuples(st.integers(0, 600), st.sampled_from([None, 1, 2])), min_size=1, max_size=3))
def test_a_build_that_ends_at_any_moment_is_resumed(ends: list[tuple[int, int | None]], in_memory: PatternDatabase) -> None:
    """By other workers, or by this process alone; by all workers that end, too."""
    data = Path(mkdtemp())
    data.chmod(0o700)

    def crew(_on: str, workers: int | None) -> Crew:
        return PartitionCrew(workers or 1, Random(1), 0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crews, "crew_of", crew)
        try:
            for after, workers in ends:
                with suppress(KilledError, NoWorkersError), failing(KilledError, after, work_files):
                    built(data, workers)
            patch.setattr(rounds, "MOST_LOSSES", 10**9)
            assert_equal(built(data), in_memory)
        finally:
            rmtree(data)


@pytest.mark.slow
def test_a_build_that_is_interrupted_leaves_no_worker_and_can_be_resumed(
    in_memory: PatternDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By Ctrl-C; one process does the rest."""
    made: list[LocalCrew] = []

    def crew(_on: str, workers: int | None) -> LocalCrew:
        made.append(LocalCrew(workers or 1))
        return made[-1]

    def interrupt(now: Progress) -> None:
        if now.level == 8:
            assert len(made[0]._workers) == 2
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(crews, "crew_of", crew)
    with pytest.raises(KeyboardInterrupt):
        built(tmp_path, progress=interrupt)
    assert not made[0]._workers
    assert list(tmp_path.glob(f"*{BUILDING}"))
    assert_equal(built(tmp_path, None), in_memory)


def test_too_many_workers_for_the_partitions_of_a_build_leave_it_as_it_is(
    in_memory: PatternDatabase, tmp_path: Path
) -> None:
    """The limit on memory is for all of them; fewer continue."""
    with suppress(KilledError), failing(KilledError, 100, work_files):
        built(tmp_path, None)
    with pytest.raises(bf.InputError, match=r"takes at least .* or use fewer workers"):
        built(tmp_path, 50)
    seen: list[int] = []
    assert_equal(built(tmp_path, None, progress=lambda now: seen.append(now.before)), in_memory)
    assert seen[0] > 10


def test_workers_of_a_build_that_is_not_on_disk_are_refused(tmp_path: Path) -> None:
    """Because it has no limit on memory, or too low a one; an unknown place is refused, too."""
    with pytest.raises(bf.InputError, match="workers can share only a build on disk, which needs a limit on memory"):
        PatternDatabase.build(PATTERN, data=tmp_path, workers=2)
    with pytest.raises(bf.UnknownNameError, match="no place for workers is called 'cloud'"):
        PatternDatabase.build(PATTERN, data=tmp_path, on="cloud")
    with pytest.raises(bf.InputError, match=r"takes at least .* or use fewer workers"):
        built(tmp_path, 50)
