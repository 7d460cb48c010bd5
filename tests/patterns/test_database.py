"""Pattern databases on disk: built, found again, and refused where they are not what was written."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial, partialmethod
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.compiled.sweeps.distances import rounded_up
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.errors import DatabaseError
from bestfirst.patterns.building import work_files
from bestfirst.patterns.building.build import Builder
from bestfirst.patterns.building.progress import Cost, Progress
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage import files
from bestfirst.patterns.storage.checksummed import sealed
from bestfirst.patterns.storage.files import BUILDING, CHECKED, HEADER, TABLE, DamagedDatabaseError

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
    assert str(cost).startswith("504 entries, 504 bytes on disk; to build it: 1.2 KiB of memory, about ")


@pytest.mark.parametrize("limit", ["memory", "disk"])
def test_a_build_over_a_limit_is_refused(limit: str, tmp_path: Path) -> None:
    """With what would fit; nothing is left behind."""
    with pytest.raises(
        bf.InputError, match=rf"of {limit} while it is built, but the limit is 500 bytes; .* at most 2\d\d abstract"
    ):
        PatternDatabase.build(PATTERN, data=tmp_path, **{limit: 500})  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_what_is_not_there_cannot_be_loaded(tmp_path: Path) -> None:
    """The message says how to build it."""
    with pytest.raises(
        bf.InputError, match=r"no pattern database of PatternTiles .* exists.*; build it: PatternDatabase.build"
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


def _sealed_with(**changes: object) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        header = json.loads((path / HEADER).read_text())
        (path / HEADER).write_text(json.dumps(sealed({**header, **changes})))

    return change


def _without(name: str) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        header = json.loads((path / HEADER).read_text())
        del header[name]
        (path / HEADER).write_text(json.dumps(header))

    return change


def _of_other_table(path: Path) -> None:
    """The header that it had before another table took its place."""
    header = (path / HEADER).read_text()
    PatternDatabase.load(PATTERN, data=path.parent).compress()
    (path / HEADER).write_text(header)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (_truncate, "its table cannot be read"),
        (_change, "the checksum differs"),
        (_empty, "its table cannot be read"),
        (_other_array, r"its table has the shape \(504,\) and the type float64"),
        (lambda path: (path / TABLE).unlink(), "its table cannot be read"),
        (lambda path: (path / HEADER).write_text("{"), "its header cannot be read"),
        (lambda path: (path / HEADER).unlink(), "its header cannot be read"),
        (lambda path: (path / HEADER).write_text("{}"), "its header is not that of a pattern database"),
        (lambda path: (path / HEADER).write_text("[" * 100_000), "its header cannot be read"),
        (lambda path: (path / HEADER).write_bytes(b"\xff"), "its header cannot be read"),
        (_with_header(version=1), "its format version is 1, but this version of bestfirst reads format version 2"),
        (_without("seal"), "its header was changed: its digest differs"),
        (_with_header(entries=100), "its header was changed: its digest differs"),
        (_with_header(packing="distance"), "its header was changed: its digest differs"),
        (_of_other_table, "its table has .* and the type uint8, not 504 bytes"),
        (_sealed_with(source="0"), "the code or the data of PatternTiles has changed since it was built"),
        (_sealed_with(parameters={}), r"it is the database of PatternTiles \(\) and belongs in the directory patterntiles-"),
        (
            _sealed_with(entries=10**6, levels=[10**6], unreachable=0),
            r"its table has the shape \(504,\) and the type uint8, not 1,000,000",
        ),
        (_sealed_with(entries=True), "has no valid entries"),
        (_sealed_with(unreachable=None), "has no valid unreachable"),
        (_sealed_with(entries=-5), "has -5 entries, but its counts by distance have a different sum"),
        (_sealed_with(levels=[]), "the levels in its header are not numbers of states"),
        (_sealed_with(states=["a"]), "the states in its header are not numbers of states"),
        (_sealed_with(packing="distance"), "its table has .* and the type uint8, not 252 bytes"),
        (_sealed_with(packing=4), "does not describe its entries"),
        (_sealed_with(slots=8), "does not describe its hash table"),
        (_sealed_with(slots=1000, fields=2), "1,000 slots cannot be a hash table of 504 entries"),
        (_sealed_with(slots=512, fields=2), "512 slots cannot be a hash table of 504 entries"),
    ],
)
def test_a_database_that_is_not_what_was_written_is_refused(
    damage: Callable[[Path], None], why: str, tmp_path: Path
) -> None:
    """Before it is used, with the reason and the remedy; rebuild=True is that remedy."""
    table = PatternDatabase.build(PATTERN, data=tmp_path).table.copy()
    damage(tmp_path / Identity.of(PATTERN).key)
    with pytest.raises(DamagedDatabaseError, match=rf"{why}.*; rebuild it with 'bestfirst pdb build --rebuild'"):
        PatternDatabase.build(PATTERN, data=tmp_path)
    assert np.array_equal(PatternDatabase.build(PATTERN, data=tmp_path, rebuild=True).table, table)


def test_any_byte_of_a_database_that_is_changed_is_found_out(tmp_path: Path) -> None:
    """Whichever of them it is: in the header, at the head of the table, or in it."""
    database = PatternDatabase.build(PATTERN, data=tmp_path)
    random = Random(0)
    for name in (HEADER, TABLE):
        whole = (database.path / name).read_bytes()
        for at in [*range(0, len(whole), 17), *range(min(128, len(whole)))]:
            changed = bytearray(whole)
            changed[at] ^= random.randrange(1, 256)
            (database.path / name).write_bytes(changed)
            if name == TABLE or json_differs(whole, bytes(changed)):
                with pytest.raises(DamagedDatabaseError):
                    PatternDatabase.load(PATTERN, data=tmp_path)
        (database.path / name).write_bytes(whole)
    assert PatternDatabase.load(PATTERN, data=tmp_path).header == database.header


def json_differs(one: bytes, other: bytes) -> bool:
    """Not where only the space between what is said is another one."""
    try:
        return bool(json.loads(one) != json.loads(other))
    except (ValueError, RecursionError):
        return True


def test_a_table_in_the_place_of_another_is_read_through(tmp_path: Path) -> None:
    """What is noted as checked is the checksum too, not the file alone."""
    path = PatternDatabase.build(PATTERN, data=tmp_path).path
    _sealed_with(checksum="0" * 64)(path)
    with pytest.raises(DamagedDatabaseError, match="the checksum differs"):
        PatternDatabase.load(PATTERN, data=tmp_path)


@pytest.fixture
def checksums(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of what checksums are made of, from when the fixture is asked for."""
    made: list[int] = []
    whole = hashlib.sha256

    def noted(content: Any = b"") -> Any:
        if isinstance(content, np.ndarray):
            made.append(len(content))
        return whole(content)

    monkeypatch.setattr(hashlib, "sha256", noted)
    return made


def test_a_table_is_compared_with_its_checksum_once_in_a_process(
    tmp_path: Path, checksums: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And again by the next process, whatever is noted on disk."""
    PatternDatabase.build(PATTERN, data=tmp_path)
    for _ in range(2):
        PatternDatabase.load(PATTERN, data=tmp_path)
    assert len(checksums) == 1
    monkeypatch.setattr(files, "_RIGHT", set())
    PatternDatabase.load(PATTERN, data=tmp_path)
    assert len(checksums) == 2


def test_a_large_table_that_is_unchanged_is_compared_once(
    tmp_path: Path, checksums: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size and times are noted: so a large table is there at once; where they differ it is read through."""
    monkeypatch.setattr(files, "CHECKED_BELOW", 100)
    PatternDatabase.build(PATTERN, data=tmp_path)
    PatternDatabase.load(PATTERN, data=tmp_path)
    assert not checksums
    (tmp_path / Identity.of(PATTERN).key / CHECKED).unlink()
    for _ in range(2):
        monkeypatch.setattr(files, "_RIGHT", set())
        PatternDatabase.load(PATTERN, data=tmp_path)
    assert len(checksums) == 1


@pytest.mark.parametrize("most", [1 << 26, 100])
def test_bytes_changed_under_the_same_size_and_time_are_found(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a process and in the next one, in a small table and in a large one."""
    monkeypatch.setattr(files, "CHECKED_BELOW", most)
    file = PatternDatabase.build(PATTERN, data=tmp_path).file
    before = file.stat()
    content = bytearray(file.read_bytes())
    content[-50] = 3 if content[-50] != 3 else 4
    with file.open("r+b") as opened:
        opened.write(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (file.stat().st_mtime_ns, file.stat().st_size) == (before.st_mtime_ns, before.st_size)
    with pytest.raises(DamagedDatabaseError, match="the checksum differs"):
        PatternDatabase.load(PATTERN, data=tmp_path)
    monkeypatch.setattr(files, "_RIGHT", set())
    with pytest.raises(DamagedDatabaseError, match="the checksum differs"):
        PatternDatabase.load(PATTERN, data=tmp_path)


@pytest.mark.parametrize("regions", [True, False])
def test_entries_of_a_large_table_are_worked_out_anew(
    regions: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table under whose checksum another one is noted, as where a disk gives back other bytes, is found out."""
    pattern = PatternTiles((3, 3), (0, 1, 4), 8, regions=regions)
    monkeypatch.setattr(files, "CHECKED_BELOW", 100)
    database = PatternDatabase.build(pattern, data=tmp_path)
    assert PatternDatabase.load(pattern, data=tmp_path).header == database.header
    with database.file.open("r+b") as opened:
        table = bytearray(opened.read())
        table[128:] = bytes((value + 2) % 50 for value in table[128:])
        opened.seek(0)
        opened.write(table)
    files.note_checked(database.path)
    with pytest.raises(DamagedDatabaseError, match=r"its entry for .* is \d+(\.0)?, but .*rebuild it"):
        PatternDatabase.load(pattern, data=tmp_path)


def test_a_database_that_others_could_have_written_is_refused(tmp_path: Path) -> None:
    """Its directory, its table and its header; nor is one built there."""
    database = PatternDatabase.build(PATTERN, data=tmp_path)
    assert database.path.stat().st_mode & 0o777 == 0o700
    for part in (database.path, database.file, database.path / HEADER):
        mode = part.stat().st_mode & 0o777
        assert mode & 0o022 == 0
        part.chmod(0o777)
        with pytest.raises(DamagedDatabaseError, match=rf"is not used: other users can write to .*chmod go-w '{part}'"):
            PatternDatabase.load(PATTERN, data=tmp_path)
        part.chmod(mode)
    tmp_path.chmod(0o777)
    with pytest.raises(bf.InputError, match=r"databases cannot be stored in .*: other users can write to"):
        PatternDatabase.build(PATTERN, data=tmp_path, rebuild=True)


@pytest.mark.parametrize("part", [HEADER, TABLE])
def test_a_database_that_must_not_be_read_is_told(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what its owner has to write; it is listed all the same."""
    PatternDatabase.build(PATTERN, data=tmp_path)

    def refuse(path: Path, real: Callable[[Path], Any]) -> Any:
        if path.name == part:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    for name in ("trusted_file", "read_trusted"):
        monkeypatch.setattr(files, name, partial(refuse, real=getattr(files, name)))
    with pytest.raises(
        DamagedDatabaseError, match=r"cannot be read by this user; its owner can permit that: chmod -R a\+rX"
    ):
        PatternDatabase.load(PATTERN, data=tmp_path)
    monkeypatch.setattr(Path, "exists", partialmethod(refuse, real=Path.is_file))
    assert [path.parent for path in files.directories(tmp_path)] == [tmp_path]


@pytest.mark.parametrize("times", [2, 99])
def test_a_directory_that_another_build_renames_is_made_again(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few times: it may also be impossible to make it."""
    make = files.make_directory
    failed: list[Path] = []

    def make_directory(data: Path) -> None:
        if data.name.endswith(BUILDING) and len(failed) < times:
            failed.append(data)
            raise DatabaseError(f"{data}: No such file or directory")
        make(data)

    monkeypatch.setattr(files, "make_directory", make_directory)
    if times == 2:
        assert PatternDatabase.build(PATTERN, data=tmp_path).path.is_dir()
    else:
        with pytest.raises(DatabaseError, match="No such file"):
            PatternDatabase.build(PATTERN, data=tmp_path)


def test_a_directory_of_databases_is_made_for_the_user_alone(tmp_path: Path) -> None:
    """Whatever the umask."""
    before = os.umask(0)
    try:
        database = PatternDatabase.build(PATTERN, data=tmp_path / "data")
    finally:
        os.umask(before)
    assert database.path.stat().st_mode & 0o777 == database.path.parent.stat().st_mode & 0o777 == 0o700
    assert all(file.stat().st_mode & 0o022 == 0 for file in database.path.iterdir())
    PatternDatabase.load(PATTERN, data=tmp_path / "data")


@pytest.mark.parametrize("ending", ["", BUILDING])
def test_a_file_in_the_place_of_a_database_is_refused(ending: str, tmp_path: Path) -> None:
    """And stays as it is."""
    file = tmp_path / f"{Identity.of(PATTERN).key}{ending}"
    file.write_text("precious")
    for rebuild in (False, True):
        with pytest.raises(bf.InputError, match=rf"{file} is a file, but .*; move the file elsewhere"):
            PatternDatabase.build(PATTERN, data=tmp_path, rebuild=rebuild)
    assert file.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [file]


def test_what_was_being_replaced_when_a_build_was_killed_is_removed(tmp_path: Path) -> None:
    """By the next build in the directory."""
    (tmp_path / f"other{files.REPLACED}").mkdir()
    (tmp_path / f"other{files.REPLACED}" / TABLE).touch()
    (tmp_path / f"third{BUILDING}").mkdir()
    PatternDatabase.build(PATTERN, data=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {Identity.of(PATTERN).key, f"third{BUILDING}"}


KILLED = """
import os, signal, sys
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.patterns.building import work_files
from bestfirst.patterns.database import PatternDatabase

work_files.SECONDS_BETWEEN_NOTES = work_files.LONGEST_PART_OF_TIME = 0
data, stage, level = sys.argv[1:]

def kill(progress):
    if progress.stage == stage and progress.level >= int(level):
        os.kill(os.getpid(), signal.SIGKILL)

PatternDatabase.build(PatternTiles((3, 3), (0, 1, 4), 8), data=data, progress=kill)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "level"), [("distances", 0), ("distances", 7), ("entries", 0)])
def test_a_build_that_was_killed_goes_on(stage: str, level: int, tmp_path: Path) -> None:
    """From the last level noted, and to the same bytes; what was there before is no database yet."""
    ended = subprocess.run([sys.executable, "-c", KILLED, tmp_path / "killed", stage, str(level)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with pytest.raises(bf.InputError, match="no pattern database"):
        PatternDatabase.load(PATTERN, data=tmp_path / "killed")
    first: list[Progress] = []
    gone_on = PatternDatabase.build(PATTERN, data=tmp_path / "killed", progress=first.append)
    states = gone_on.header["states"]  # the last level noted is repeated
    assert first[0].before == sum(states[: max(0, level - 1)] if stage == "distances" else states)
    whole = PatternDatabase.build(PATTERN, data=tmp_path / "whole")
    one, other = ((tmp_path / name / Identity.of(PATTERN).key) for name in ("killed", "whole"))
    assert (one / TABLE).read_bytes() == (other / TABLE).read_bytes()
    assert (one / HEADER).read_text() == (other / HEADER).read_text()
    assert whole.header == gone_on.header


def test_a_note_of_another_build_is_not_gone_on_with(tmp_path: Path) -> None:
    """A build of other code, a working file of another length, or a note that was changed: it begins anew."""
    identity = asdict(Identity.of(PATTERN))
    note = {"identity": identity, "levels": [1], "traits": {"digest": "", "longest": 1}, "complete": True}
    for text in (json.dumps(sealed({**note, "identity": {}})), json.dumps(sealed(note)), json.dumps(note), "[" * 100_000):
        building = tmp_path / f"{Identity.of(PATTERN).key}{BUILDING}"
        building.mkdir()
        (building / work_files.PROGRESS).write_text(text)
        length = 1 if text == json.dumps(sealed(note)) else rounded_up(PATTERN.size)
        np.save(building / work_files.WORKING, np.zeros(length, np.uint8))
        assert PatternDatabase.build(PATTERN, data=tmp_path, rebuild=True).header["states"][:2] == [1, 5]


def test_a_changed_working_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build after that begins anew, and makes the same table."""
    monkeypatch.setattr(work_files, "SECONDS_BETWEEN_NOTES", 0)
    monkeypatch.setattr(work_files, "LONGEST_PART_OF_TIME", 0)

    def stop(progress: Progress) -> None:
        if progress.level == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PatternDatabase.build(PATTERN, data=tmp_path, progress=stop)
    (path,) = tmp_path.glob(f"*/{work_files.WORKING}")
    content = bytearray(path.read_bytes())
    content[content.rindex(2)] += 1
    path.write_bytes(content)
    with pytest.raises(bf.InputError, match="its working table was changed; repeat the build"):
        PatternDatabase.build(PATTERN, data=tmp_path)
    anew, whole = (PatternDatabase.build(PATTERN, data=data) for data in (tmp_path, tmp_path / "whole"))
    assert (anew.path / TABLE).read_bytes() == (whole.path / TABLE).read_bytes()


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
    with pytest.raises(bf.InputError, match="defines neither rank"):
        Builder(domain, Path())


def test_states_from_which_there_is_no_way_have_no_distance(tmp_path: Path) -> None:
    """Half of all boards of the 8-puzzle, and so half of the entries of the table of all its tiles."""
    database = PatternDatabase.build(PatternTiles((2, 2), (0, 1, 2), 3), data=tmp_path)
    assert database.header["unreachable"] == 12
    assert database.distance(database.domain.unrank(int(np.argmax(database.table)))) == inf


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"progress": 5}, "progress is 5; pass a function of a Progress"),
        ({"data": "/dev/null/x"}, "pattern databases cannot be stored in /dev/null/x: /dev/null is a file"),
        ({"data": "a\0b"}, "without a NUL character"),
        ({"data": "x" * 5000}, "File name too long"),
        ({"compress": "no"}, "compress is 'no'; pass True or False"),
        ({"rebuild": "no"}, "rebuild is 'no'; pass True or False"),
        ({"threads": 0}, "threads is 0"),
    ],
)
def test_what_cannot_be_built_with_is_refused(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    """In words, before anything is built."""
    with pytest.raises(bf.InputError, match=why):
        PatternDatabase.build(PATTERN, **({"data": tmp_path} | given))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("given", "why"), [({"samples": "x"}, "samples is 'x'"), ({"samples": -1}, "samples is -1"), ({"seed": []}, "seed is")]
)
def test_what_cannot_be_verified_with_is_refused(given: dict[str, Any], why: str, tmp_path: Path) -> None:
    """In words."""
    database = PatternDatabase.build(PATTERN, data=tmp_path)
    with pytest.raises(bf.InputError, match=why):
        database.verify(**given)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_where_no_directory_can_be_made_nothing_is_kept() -> None:
    """Which is told, with what to do."""
    with pytest.raises(
        bf.InputError,
        match=r"cannot be stored in /proc/x: .*; pass another directory as data .--data., or set BESTFIRST_DATA",
    ):
        PatternDatabase.build(PATTERN, data="/proc/x")


def test_one_loaded_twice_is_the_same_one(tmp_path: Path) -> None:
    """By its place and its domain; a pickle is loaded from there."""
    database = PatternDatabase.build(PATTERN, data=tmp_path)
    again = PatternDatabase.load(PUZZLE, [1, 2, 5], data=tmp_path)
    assert len({database, again, pickle.loads(pickle.dumps(database))}) == 1
    assert database != PatternDatabase.build(PUZZLE, [1, 2, 4], data=tmp_path)
    assert database != PatternDatabase.build(PATTERN, data=tmp_path / "other")
    assert database != PATTERN


def test_no_entry_is_compared_where_actions_cannot_be_undone(tmp_path: Path) -> None:
    """Of a domain that only goes forward: the number of those compared is 0."""

    class OneWay(PatternTiles):
        undirected = False

    database = PatternDatabase.build(OneWay((2, 2), (0, 1, 2), 3), data=tmp_path)
    assert database.verify() == 0


class ProjectsToNone(bf.SlidingTile):
    """A method without a return."""

    def project(self, pattern: Any) -> Any:
        del pattern


def test_a_project_that_returns_no_domain_is_named() -> None:
    """With its result: a pattern was given, so no other argument would help."""
    with pytest.raises(
        bf.InputError, match=r"ProjectsToNone.project\(\(1, 2\)\) returns None; return an instance of a Domain"
    ):
        PatternDatabase.build(ProjectsToNone(range(9)), (1, 2))
