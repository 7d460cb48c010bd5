"""Compressed tables: the same values in half the bytes, or none."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.domains.sliding_tile.abstract import PatternTiles
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.patterns.abstract_domain import Base
from bestfirst.patterns.combination import largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.policy import Policy, database_policy
from bestfirst.patterns.storage.checksummed import sealed
from bestfirst.patterns.storage.files import HEADER, TABLE
from bestfirst.patterns.storage.packed_table import DISTANCE, PackedTable, packed
from twins import assert_twins

CUBE = bf.PocketCube("R U F R U F R2 U", "F U2")


@given(values=st.lists(st.sampled_from([*range(15), 255]), min_size=1, max_size=9), differences=st.booleans())
def test_what_is_packed_is_read_again(values: list[int], differences: bool) -> None:
    """Distances, and halves of even differences; of an odd number of entries too."""
    base = Base("least", np.arange)
    table = np.array([n if n == 255 or not differences else 2 * n + at for at, n in enumerate(values)], np.uint8)
    content = np.concatenate(list(packed(table, base if differences else None)))
    assert len(content) == (len(values) + 1) // 2

    class WithBase(PatternTiles):
        def table_base(self) -> Base:
            return base

    read = PackedTable(content, len(values), "least" if differences else DISTANCE, lambda: WithBase((2, 2), (0, 1, 2), 3))
    assert [read[at] for at in range(len(read))] == table.tolist()


def test_pieces_that_threads_pack_stay_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes whatever their number."""
    monkeypatch.setattr("bestfirst.patterns.storage.packed_table.CHUNK", 4)
    table = np.array([*range(15), 255, 7], np.uint8)
    one, three = (np.concatenate(list(packed(table, None, threads=threads))) for threads in (1, 3))
    assert one.tolist() == three.tolist()
    assert len(one) == 9


@pytest.mark.parametrize(
    ("table", "base", "why"),
    [
        ([3, 15], None, "4 bits hold numbers below 15, but distances go up to 15"),
        ([3, 33], 1, "but halves of the differences from least go up to 16"),
        ([3, 4], 1, "distances minus least are not all even and >= 0"),
        ([3, 1], 3, "distances minus least are not all even and >= 0"),
    ],
)
def test_what_does_not_fit_is_refused(table: list[int], base: int | None, why: str) -> None:
    """With the reason; nothing is rounded."""
    least = None if base is None else Base("least", lambda start, end: np.full(end - start, base))
    with pytest.raises(bf.InputError, match=why):
        list(packed(np.array(table, np.uint8), least))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "tiles", "blank", "regions"),
    [
        ((3, 3), (0, 1, 4, 5), 8, False),
        ((3, 3), (0, 1, 4, 5), 8, True),
        ((2, 4), (1, 2, 6), 0, False),
        ((2, 2), (0, 1, 2), 3, False),
    ],
)
def test_a_table_of_tiles_has_differences_to_the_manhattan_distance(
    size: tuple[int, int], tiles: tuple[int, ...], blank: int, regions: bool, tmp_path: Path
) -> None:
    """Entry for entry the same distances; of 2 x 2 half are out of reach."""
    domain = PatternTiles(size, tiles, blank, regions=regions)
    plain = PatternDatabase.build(domain, data=tmp_path)
    expected = plain.table.tolist()
    small = PatternDatabase.build(domain, data=tmp_path, compress=True)
    assert small.is_compressed and not plain.is_compressed
    assert [small.table[entry] for entry in range(len(small.table))] == expected
    assert (small.path / TABLE).stat().st_size - 128 == (len(expected) + 1) // 2
    assert small.header["packing"] == "manhattan"
    assert small.verify() > 0
    again = PatternDatabase.build(domain, data=tmp_path, compress=True)  # it is left as it is
    assert again.header == small.header
    assert [path.name for path in tmp_path.iterdir()] == [small.path.name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pdb:4-4", "pdb:4-4/regions"])
def test_a_search_of_tiles_with_compressed_tables_is_the_same(name: str, tmp_path: Path) -> None:
    """In both engines, with the mirrored board, and with regions; one table compressed, when it had been looked in, and one not."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    searches = []
    for compressed in (False, True):
        first, *others = puzzle.abstractions(name.removeprefix("pdb:"))
        PatternDatabase.build(first, data=tmp_path, compress=compressed)
        for other in others:
            PatternDatabase.build(other, data=tmp_path)
        with database_policy(Policy(may_build=False, data=tmp_path)):
            searches.append(assert_twins(puzzle, "idastar", name))
    plain, small = searches
    assert (plain.cost, plain.stats.generated) == (small.cost, small.stats.generated)


def test_a_search_on_a_board_of_three_words_is_the_same(tmp_path: Path) -> None:
    """The carried values are those of the boards."""
    puzzle = bf.SlidingTile("1 8 2 4 5 6 / 7 14 3 9 11 12 / 13 _ 15 10 16 17", size=(3, 6))
    for abstract in puzzle.abstractions("4-4-3-3-3"):
        PatternDatabase.build(abstract, data=tmp_path, compress=True)
    with database_policy(Policy(may_build=False, data=tmp_path)):
        assert assert_twins(puzzle, "idastar", "pdb:4-4-3-3-3").cost is not None


def test_other_tables_have_the_distances_themselves(tmp_path: Path) -> None:
    """If none is greater than 14; and both engines look them up alike."""
    stack = bf.Pancake("3 1 6 2 5 4")
    plain = [PatternDatabase.build(stack, pattern, data=tmp_path / "plain") for pattern in ([1, 2, 3, 4], [5, 6])]
    small = [
        PatternDatabase.build(stack, pattern, data=tmp_path / "small", compress=True) for pattern in ([1, 2, 3, 4], [5, 6])
    ]
    assert small[0].header["packing"] == DISTANCE
    assert [small[0].table[entry] for entry in range(360)] == plain[0].table.tolist()
    solutions = [bf.solve(stack, "idastar", largest(stack, small), engine=engine) for engine in ("compiled", "python")]
    assert solutions[0].stats.generated == solutions[1].stats.generated


def test_tables_that_cannot_be_compressed_stay_as_they_are(tmp_path: Path) -> None:
    """Where distances are too great."""
    tower = bf.TowersOfHanoi(5, 3)
    with pytest.raises(bf.InputError, match="cannot be compressed: 4 bits hold numbers below 15, but distances go up to 31"):
        PatternDatabase.build(tower, [1, 2, 3, 4, 5], data=tmp_path, compress=True)
    assert PatternDatabase.load(tower, [1, 2, 3, 4, 5], data=tmp_path).header["levels"][31] == 32
    assert len(list(tmp_path.iterdir())) == 1


def test_differences_are_looked_up_only_where_their_base_is_known(tmp_path: Path) -> None:
    """By the searches of tiles; and not where the header says something else."""
    domain = PatternTiles((2, 2), (0, 1, 2), 3)
    database = PatternDatabase.build(domain, data=tmp_path, compress=True)
    with pytest.raises(bf.InputError, match="is compressed as differences from manhattan, which this heuristic cannot read"):
        largest(domain, [database])
    header = json.loads((database.path / HEADER).read_text())
    (database.path / HEADER).write_text(json.dumps(sealed({**header, "packing": "gaps"})))
    with pytest.raises(bf.InputError, match="stores differences from 'gaps', but its domain has another table_base"):
        PatternDatabase.load(domain, data=tmp_path).distance(domain.initial)


def test_a_heuristic_by_name_takes_a_compressed_table(tmp_path: Path) -> None:
    """As one that is there."""
    PatternDatabase.build(CUBE, data=tmp_path, compress=True)
    with database_policy(Policy(may_build=False, data=tmp_path)):
        assert find_heuristic(CUBE, "pdb:full")(CUBE.initial) == bf.solve(CUBE, engine="python").cost
