"""Compiled searches with the heuristic "zero", which every problem has."""

from __future__ import annotations

from pathlib import Path

import pytest

import bestfirst as bf
from compilable import IntGraph
from twins import assert_twins

EDGES = {0: [(1, 4), (2, 1)], 1: [(3, 1)], 2: [(1, 1), (3, 9)], 3: [(2, 0)]}
GRAPH = IntGraph(EDGES, frozenset([3]), {}, 512)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["depth-first-branch-and-bound", "idastar", "anytime-beam"])
def test_zero_is_compiled(algorithm: str, tmp_path: Path) -> None:
    """The engines are twins, and the search can be saved."""
    solution = assert_twins(GRAPH, algorithm, "zero")
    assert (solution.status, solution.cost) == ("optimal", 3)
    search = bf.Search(GRAPH, algorithm, "zero", engine="compiled")
    search.run(bf.Limits(expansions=2))
    search.save(tmp_path / "search")
    assert bf.Search.load(tmp_path / "search", GRAPH).run().stats.expanded == solution.stats.expanded


@pytest.mark.slow
def test_zero_and_none_are_the_same_search() -> None:
    """Of an algorithm that takes a heuristic if there is one."""
    zero, none = (bf.solve(GRAPH, "depth-first-branch-and-bound", name, engine="compiled") for name in ("zero", None))
    zero.stats.seconds = none.stats.seconds
    assert (zero.stats, zero.actions) == (none.stats, none.actions)


@pytest.mark.slow
def test_both_ways() -> None:
    """Neither half of a bidirectional search has a heuristic then."""
    board = bf.SlidingTile("4 1 3 / 7 2 6 / _ 5 8")
    assert assert_twins(board, "bidirectional-astar", "zero").cost == 6
