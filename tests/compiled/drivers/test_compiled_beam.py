"""Beam search, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from profiles import examples
from twins import assert_twins, random_board

KORF_12 = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
LIMITS = st.one_of(st.none(), st.integers(0, 12))
WIDTHS = st.integers(1, 4).map(lambda width: {"width": width})


@examples(20)
@given(domain=int_graphs(), options=WIDTHS, expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_int_costs(
    domain: IntGraph, options: dict[str, Any], expansions: int | None
) -> None:
    """Loops, unreachable goals, inconsistent estimates, beams that run dry, wherever a limit stops them."""
    assert_twins(domain, "beam", expansions=expansions, **options)


@examples(20)
@given(domain=float_graphs(), options=WIDTHS, expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_float_costs(
    domain: FloatGraph, options: dict[str, Any], expansions: int | None
) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, "beam", expansions=expansions, **options)


@examples(12)
@given(data=st.data(), width=st.integers(1, 60))
def test_the_engines_are_twins_on_random_boards(data: st.DataObject, width: int) -> None:
    """Boards of 9 and 16 cells, any goal, any order of moves, many children of equal h."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 40), "beam", width=width)


@pytest.mark.numba
@pytest.mark.parametrize("options", [{}, {"width": 1000}, {"width": 10**30}])
def test_wide_beams_are_twins_too(options: dict[str, Any]) -> None:
    """The arrays grow; unless given, the width is that of the reference engine."""
    assert_twins(KORF_12, "beam", expansions=6_000, **options)


def test_a_compiled_search_in_slices_is_the_same_search() -> None:
    """Stopped in the middle of levels and run on, it ends with the counts of one go."""
    search = bf.Search(KORF_12, "beam", width=30, engine="compiled")
    while search.run(bf.Limits(expansions=111)).status == "limit":
        pass
    whole = bf.solve(KORF_12, "beam", width=30, engine="python")
    search.stats.seconds = whole.stats.seconds
    assert (search.stats, search.solution.actions) == (whole.stats, whole.actions)


def test_a_long_search_is_handed_over_with_its_width() -> None:
    """Options are passed on to the compiled engine, which makes the same search."""
    solution = bf.solve(KORF_12, "beam", width=300)
    assert solution.engine == "compiled"
    assert solution.stats.expanded == bf.solve(KORF_12, "beam", width=300, engine="python").stats.expanded


def test_a_start_that_is_hopeless_is_unsolvable() -> None:
    """An infinite estimate that is declared admissible proves it."""
    hopeless = FloatGraph({0: [(1, 1.0)]}, frozenset(), {0: math.inf}, 8)
    hopeless.default_heuristic = "given"
    assert assert_twins(hopeless, "beam").status == "unsolvable"


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code, explained with state and action."""
    domain = IntGraph({0: [(1, 1)], 1: [(2, cost)], 2: [(3, 1)]}, frozenset([3]), {2: h}, 8)
    domain.default_heuristic = "given"
    with pytest.raises(error):
        bf.solve(domain, "beam", engine="compiled")


def test_a_bad_width_is_refused_by_both_engines() -> None:
    """With the same words."""
    for engine in ("python", "compiled"):
        with pytest.raises(bf.InputError, match="the width of the beam is 0"):
            bf.solve(KORF_12, "beam", width=0, engine=engine)


def test_the_limit_on_memory_stops_before_it_would_be_exceeded() -> None:
    """The arrays are not doubled beyond it, and with more memory the search goes on."""
    search = bf.Search(KORF_12, "beam", width=10**6, engine="compiled")
    solution = search.run(bf.Limits(memory="2MB", seconds=60))
    assert (solution.status, solution.limit) == ("limit", "memory")
    before = solution.stats.expanded
    assert search.run(bf.Limits(memory="8MB", seconds=60)).stats.expanded > before
