"""Pattern databases on disk: built, found again, and refused where they are not what was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.domains.pattern_tiles import PatternTiles
from bestfirst.patterns import files, work_files
from bestfirst.patterns.build import Builder
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.files import BUILDING, CHECKED, HEADER, TABLE, DamagedDatabaseError
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.progress import Cost, Progress

PATTERN = PatternTiles((3, 3), (0, 1, 4), 8)
PUZZLE = bf.SlidingTile("8 6 7 / 2 5 4 / 3 _ 1")


def test_a_database_is_built_once(tmp_path: Path) -> None:
    """Then it is found, with what is known of it; its distances are those of the projected boards."""
    told: list[str] = []
    built = PatternDatabase.build(PUZZLE, [1, 2, 5], data=tmp_path, progress=lambda one: told.append(str(one)))
    assert told
    found = PatternDatabase.build(PUZZLE, [5, 2, 1], data=tmp_path, progress=lambda _: pytest.fail("it is built again"))
    assert np.array_equal(built.table, found.table)
    assert not found.table.flags.writeable
    assert found.header["levels"] == np.bincount(found.table).tolist()
    assert sum(found.header["states"]) == PATTERN.size
    assert found.distance(PATTERN.goal_state()) == 0
    assert [path.name for path in tmp_path.iterdir()] == [Identity.of(PATTERN).key]
    found.verify()


def test_what_a_build_takes_is_said_before() -> None:
    """Entries, bytes and time; the time from a short trial."""
    cost = PatternDatabase.cost(PUZZLE, [1, 2, 5])
    assert isinstance(cost, Cost)
    assert (cost.states, cost.entries, cost.memory) == (PATTERN.size, PATTERN.entries, PATTERN.size + PATTERN.entries)
    assert cost.seconds is not None
    assert 0 < cost.seconds < 10
    assert str(cost).startswith("504 entries, 504 bytes on disk; to build it: ")


@pytest.mark.parametrize("limit", ["memory", "disk"])
def test_a_build_over_a_limit_is_refused(limit: str, tmp_path: Path) -> None:
    """With what would fit; nothing is left behind."""
    with pytest.raises(
        bf.InputError, match=rf"of {limit} while it is built, and 500 bytes are allowed; .* at most 2\d\d abstract"
    ):
        PatternDatabase.build(PATTERN, data=tmp_path, **{limit: 500})  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_what_is_not_there_cannot_be_loaded(tmp_path: Path) -> None:
    """The message says how to build it."""
    with pytest.raises(
        bf.InputError, match=r"there is no pattern database of PatternTiles .*; build it: PatternDatabase.build"
    ):
        PatternDatabase.load(PATTERN, data=tmp_path)


def _truncate(path: Path) -> None:
    (path / TABLE).write_bytes((path / TABLE).read_bytes()[:-9])


def _change(path: Path) -> None:
    content = bytearray((path / TABLE).read_bytes())
    content[-1] ^= 1
    (path / TABLE).write_bytes(content)


def _empty(path: Path) -> None:
    (path / TABLE).write_bytes(b"")


def _other_array(path: Path) -> None:
    np.save(path / TABLE, np.zeros(504))


def _with_header(**changes: object) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        header = json.loads((path / HEADER).read_text())
        (path / HEADER).write_text(json.dumps({**header, **changes}))

    return change


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_truncate, "its table cannot be read"),
        (_change, "the checksum differs"),
        (_empty, "its table cannot be read"),
        (_other_array, r"its table has \(504,\) entries of float64"),
        (lambda path: (path / TABLE).unlink(), "its table cannot be read"),
        (lambda path: (path / HEADER).write_text("{"), "its header cannot be read"),
        (lambda path: (path / HEADER).unlink(), "its header cannot be read"),
        (lambda path: (path / HEADER).write_text("{}"), "its header is that of something else"),
        (_with_header(version=0), "it is of format 0, and this version of bestfirst reads 1"),
        (_with_header(source="0"), "the code of PatternTiles has changed since it was built"),
        (_with_header(parameters={}), r"it is of PatternTiles \(\), not of PatternTiles \(size 3x3, "),
        (_with_header(entries=10**6), r"its table has \(504,\) entries of uint8, not 1,000,000 bytes"),
    ],
)
def test_a_database_that_is_not_what_was_written_is_refused(
    damage: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    """Before it is used, with the reason and the remedy; rebuild=True is that remedy."""
    table = PatternDatabase.build(PATTERN, data=tmp_path).table.copy()
    damage(tmp_path / Identity.of(PATTERN).key)
    with pytest.raises(DamagedDatabaseError, match=rf"{why}.*; build it anew, with 'bestfirst pdb build --rebuild'"):
        PatternDatabase.build(PATTERN, data=tmp_path)
    assert np.array_equal(PatternDatabase.build(PATTERN, data=tmp_path, rebuild=True).table, table)


def test_an_unchanged_file_is_checked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size and time are noted: so a large table is there at once; where they differ it is read through."""
    PatternDatabase.build(PATTERN, data=tmp_path)
    read: list[Path] = []
    whole = files.checksum_of

    def noted(path: Path) -> str:
        read.append(path)
        return whole(path)

    monkeypatch.setattr(files, "checksum_of", noted)
    PatternDatabase.load(PATTERN, data=tmp_path)
    assert not read
    (tmp_path / Identity.of(PATTERN).key / CHECKED).unlink()
    PatternDatabase.load(PATTERN, data=tmp_path)
    PatternDatabase.load(PATTERN, data=tmp_path)
    assert len(read) == 1


KILLED = """
import os, signal, sys
from bestfirst.domains.pattern_tiles import PatternTiles
from bestfirst.patterns import work_files
from bestfirst.patterns.database import PatternDatabase

work_files.SECONDS_BETWEEN_NOTES = work_files.LONGEST_PART_OF_TIME = 0
data, stage, level = sys.argv[1:]

def kill(progress):
    if progress.stage == stage and progress.level >= int(level):
        os.kill(os.getpid(), signal.SIGKILL)

PatternDatabase.build(PatternTiles((3, 3), (0, 1, 4), 8), data=data, progress=kill)
"""


@pytest.mark.parametrize(("stage", "level"), [("distances", 0), ("distances", 7), ("entries", 0)])
def test_a_build_that_was_killed_goes_on(stage: str, level: int, tmp_path: Path) -> None:
    """After the last level noted, and to the same bytes; what was there before is no database yet."""
    ended = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "killed", stage, str(level)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with pytest.raises(bf.InputError, match="there is no pattern database"):
        PatternDatabase.load(PATTERN, data=tmp_path / "killed")
    first: list[Progress] = []
    gone_on = PatternDatabase.build(PATTERN, data=tmp_path / "killed", progress=first.append)
    assert first[0].before == sum(gone_on.header["states"][:level] if stage == "distances" else gone_on.header["states"])
    whole = PatternDatabase.build(PATTERN, data=tmp_path / "whole")
    one, other = ((tmp_path / name / Identity.of(PATTERN).key) for name in ("killed", "whole"))
    assert (one / TABLE).read_bytes() == (other / TABLE).read_bytes()
    assert (one / HEADER).read_text() == (other / HEADER).read_text()
    assert whole.header == gone_on.header


def test_a_note_of_another_build_is_not_gone_on_with(tmp_path: Path) -> None:
    """A build of other code, or a working file of another length, begins anew."""
    building = tmp_path / f"{Identity.of(PATTERN).key}{BUILDING}"
    building.mkdir()
    (building / work_files.PROGRESS).write_text(json.dumps({"identity": {}, "levels": [1], "complete": True}))
    assert PatternDatabase.build(PATTERN, data=tmp_path).header["states"][:2] == [1, 5]


def test_two_processes_do_not_build_the_same(tmp_path: Path) -> None:
    """The second one is told so."""
    fcntl = pytest.importorskip("fcntl")
    building = tmp_path / f"{Identity.of(PATTERN).key}{BUILDING}"
    building.mkdir()
    with (building / work_files.LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(bf.InputError, match="is being built by another process; wait for it"):
            Builder(PATTERN, tmp_path).build()


def test_ctrl_c_stops_a_build_which_then_goes_on(tmp_path: Path) -> None:
    """It ends with KeyboardInterrupt after the slice."""

    def press(progress: Progress) -> None:
        if progress.level == 3:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        PatternDatabase.build(PATTERN, data=tmp_path, progress=press)
    assert PatternDatabase.build(PATTERN, data=tmp_path).distance(PATTERN.goal_state()) == 0


def test_a_domain_without_a_rank_is_refused() -> None:
    """By the builder of tables by rank."""
    domain = bf.SlidingTile(range(16)).domain()
    assert domain is not None
    with pytest.raises(bf.InputError, match="has no rank and unrank"):
        Builder(domain, Path())


def test_states_from_which_there_is_no_way_have_no_distance(tmp_path: Path) -> None:
    """Half of all boards of the 8-puzzle, and so half of the entries of the table of all its tiles."""
    database = PatternDatabase.build(PatternTiles((2, 2), (0, 1, 2), 3), data=tmp_path)
    assert database.header["unreachable"] == 12
    assert database.distance(database.domain.unrank(int(np.argmax(database.table)))) == inf
