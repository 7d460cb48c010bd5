"""Databases of the library's own domains stay valid when code is rearranged, and only as long as their tables are the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.patterns.code_hashes import HASHES
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.identity import Identity
from bestfirst.patterns.storage.checksummed import sealed
from bestfirst.patterns.storage.files import HEADER, DamagedDatabaseError
from bestfirst.problem import Domain
from planning_tasks import towers

BOARD = bf.SlidingTile("8 6 7 / 2 5 4 / 3 _ 1")
CUBE = bf.RubiksCube("R U")


def _compiled(problem: bf.Problem) -> Domain:
    domain = problem.domain()
    assert domain is not None
    return domain


TABLES = [
    (BOARD.project([1, 2, 5]), "94b94cbd584e70ae"),
    (BOARD.abstractions("pdb:4-4/regions")[0], "f32a801797cbc198"),
    (bf.Pancake("3 1 4 2 5").project([1, 2, 3]), "d57ab10854628ce0"),
    (bf.TopSpin(range(1, 9)).project([1, 2, 3]), "3294283dec2d7b05"),
    (bf.TowersOfHanoi(4).project([1, 2, 3]), "b2b0074cc164eeae"),
    (CUBE.project("UR UF UL"), "f67023eb738de6b9"),
    (bf.LightsOut("3x3"), "11a7bce1900e42dd"),
    (bf.TopSpin(range(1, 8)), "ed05b0b23977a6f5"),
    (towers(4).project([0, 1, 5]), "1f55789a154c973e"),
    (_compiled(bf.Pancake("3 1 4 2 5")), "f36e2b2ae1ae0a37"),
    (_compiled(bf.SlidingTile("1 2 3 / 4 5 _")), "9f6664bd5cd453e9"),
    (_compiled(bf.TowersOfHanoi(4)), "6658e293ccc92eda"),
    (_compiled(bf.JumpingTiles("bb_ww")), "64ca5166941ce9b8"),
]


@pytest.mark.parametrize(("domain", "checksum"), TABLES)
def test_the_hashes_stand_for_these_tables(domain: Domain, checksum: str, tmp_path: Path) -> None:
    """If this test fails, tables built before are no longer valid: give the domain a new word in code_hashes.py."""
    table = PatternDatabase.build(domain, data=tmp_path).table
    assert hashlib.sha256(np.ascontiguousarray(table).tobytes()).hexdigest()[:16] == checksum


def _say_source(directory: Path, source: str) -> None:
    header = json.loads((directory / HEADER).read_text())
    (directory / HEADER).write_text(json.dumps(sealed({**header, "source": source})))


def test_a_table_of_earlier_code_is_found(tmp_path: Path) -> None:
    """Whatever version of Python it was built under; a new table has the first of the hashes."""
    domain = BOARD.project([1, 2, 5])
    identity = Identity.of(domain)
    PatternDatabase.build(domain, data=tmp_path)
    assert identity.source == HASHES["PatternTiles"][0]
    for source in HASHES["PatternTiles"]:
        _say_source(tmp_path / identity.key, source)
        assert PatternDatabase.load(domain, data=tmp_path).header["source"] == source
    _say_source(tmp_path / identity.key, HASHES["PocketCube"][0])
    with pytest.raises(DamagedDatabaseError, match="the code or the data of PatternTiles has changed"):
        PatternDatabase.load(domain, data=tmp_path)


def test_a_class_of_the_same_name_has_a_hash_of_its_own() -> None:
    """The hashes are those of the library's classes only."""

    class PatternTiles(Domain):
        State = bf.LightsOut.State
        max_actions = 0

    PatternTiles.__qualname__ = "PatternTiles"
    identity = Identity.of(PatternTiles())
    assert identity.source not in HASHES["PatternTiles"]
    assert not identity.is_made_by(HASHES["PatternTiles"][0])
