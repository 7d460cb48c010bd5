"""A pattern database whose file is written to after it was loaded: no search uses it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import bestfirst as bf
from bestfirst.patterns.storage.files import DamagedDatabaseError
from bestfirst.system.mapped_files import _reached

BOARD = bf.SlidingTile("1 4 2 6 3 5 7 8 _")
TILES = (1, 2, 3)


def loaded(data: Path) -> bf.PatternDatabase:
    return bf.PatternDatabase.build(BOARD, TILES, data=data)


def spoil(file: Path, how: str) -> None:
    """Write to a file in place, with the same size and time; or cut it short."""
    before = file.stat()
    if how == "cut":
        os.truncate(file, 100)
    else:
        content = file.read_bytes()
        with file.open("r+b") as written:
            written.write(content[:-50] + bytes(50))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("how", ["written", "cut"])
def test_a_file_that_is_changed_in_place_is_not_read(how: str, tmp_path: Path) -> None:
    """Neither by a new search, nor by one that goes on, nor through a function; others run, and a new database is right."""
    database = loaded(tmp_path)
    form, heuristic = BOARD.domain(), bf.max_of(database)
    assert form is not None
    begun = bf.Search(BOARD, "astar", heuristic, engine="python")
    begun.run(bf.Limits(expansions=10))
    spoil(database.file, how)
    search: Any
    for search in (
        lambda: bf.solve(BOARD, "astar", heuristic, engine="python"),
        begun.run,
        lambda: bf.solve(BOARD, "astar", lambda state: database(form.encode(state)), engine="python"),
    ):
        with pytest.raises(DamagedDatabaseError, match="changed after it was loaded"):
            search()
    assert bf.solve(BOARD, "astar", "manhattan", engine="python").cost == 16
    rebuilt = bf.PatternDatabase.build(BOARD, TILES, data=tmp_path, rebuild=True)
    assert bf.solve(BOARD, "astar", bf.max_of(rebuilt), engine="python").cost == 16


def test_a_file_with_the_same_bytes_goes_on(tmp_path: Path) -> None:
    """It is touched, written again as it was, or replaced by a new build or by nothing: the loaded table is right."""
    database = loaded(tmp_path)
    search = bf.Search(BOARD, "astar", bf.max_of(database), engine="python")
    content = database.file.read_bytes()
    os.utime(database.file)
    search.run(bf.Limits(expansions=10))
    with database.file.open("r+b") as written:
        written.write(content)
    search.run(bf.Limits(expansions=10))
    bf.PatternDatabase.build(BOARD, TILES, data=tmp_path, rebuild=True)
    search.run(bf.Limits(expansions=10))
    database.file.unlink()
    assert search.run().cost == 16


def test_the_look_for_a_spoilt_file_stays_near_what_is_used() -> None:
    """It goes through the classes of users, but not through those of typing, whose caches lead to all that is in memory."""

    class Own(bf.SlidingTile):
        kept = object()

    reached = list(_reached((Own("1 2 3 4 5 6 7 _ 8"),)))
    assert any(thing is Own.kept for thing in reached)
    assert len(reached) < 10_000
