"""Tables that are spread out in memory: the same distances at other places."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bestfirst as bf
from bestfirst.domains.sliding_tile import mixed_radix
from bestfirst.domains.sliding_tile.estimate import UNREACHED, index_of, shapes
from bestfirst.heuristics.naming import find_heuristic
from bestfirst.patterns import Policy, database_policy
from twins import assert_twins

BOARD = "1 6 4 8 7 _ 3 2 5"


@pytest.mark.slow
@pytest.mark.parametrize("compress", [False, True])
def test_each_placement_has_the_distance_of_the_table(compress: bool, tmp_path: Path) -> None:
    """Of four tiles on 3 x 3, all 9^4 places: the entry of the table, packed or not, or no meaning where two share a cell."""
    puzzle = bf.SlidingTile(BOARD)
    with database_policy(Policy(data=tmp_path)):
        for abstract in puzzle.abstractions("4-4"):
            bf.PatternDatabase.build(abstract, data=tmp_path, compress=compress)
        domain: Any = find_heuristic(puzzle, "pdb:4-4/spread").domain(puzzle)  # type: ignore[misc]
    estimate = domain._estimate
    assert set(estimate.is_packed.values()) == {compress}
    spread, begins = mixed_radix.spread_tables(estimate, 9)
    for shape in shapes(estimate.alternatives):
        found = np.full((9,) * 4, UNREACHED, np.uint8)
        for cells in permutations(range(9), 4):
            found[cells[::-1]] = estimate.tables[shape][index_of(shape, regions=False)(cells, 0)]
        assert (spread[begins[shape] : begins[shape] + 9**4] == found.ravel()).all()


@pytest.mark.slow
def test_spread_out_or_not_a_search_is_the_same() -> None:
    """Equal costs and counts, in both engines."""
    puzzle = bf.SlidingTile("8 6 7 2 5 4 3 _ 1")
    plain = bf.solve(puzzle, "idastar", "pdb:4-4", engine="compiled")
    spread = assert_twins(puzzle, "idastar", "pdb:4-4/spread")
    assert (spread.cost, spread.actions, spread.stats.generated) == (plain.cost, plain.actions, plain.stats.generated)


def test_too_little_memory_is_told_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it takes, what is left, and what to leave out."""
    monkeypatch.setattr(mixed_radix, "available_bytes", lambda: 2_000)
    with pytest.raises(bf.InputError, match=r"the tables take .* in spread form, but only .* is available; omit /spread"):
        bf.solve(bf.SlidingTile(BOARD, "1 2 3 4 5 6 7 8 _"), "idastar", "pdb:3-5/spread", engine="compiled")
