"""Anytime beam search, compiled, against the reference engine: the same search, to the node."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from bestfirst.compiled.drivers.anytime_beam import AnytimeBeam
from bestfirst.compiled.kernels.slices import FIRST_SIZE
from compilable import FloatGraph, IntGraph, float_graphs, int_graphs
from profiles import examples
from twins import assert_twins, random_board

NAME = "anytime-beam"
FIFTEEN = bf.SlidingTile("4 1 _ 3 5 6 2 7 12 10 15 14 9 8 11 13", goal=range(16))
LIMITS = st.one_of(st.none(), st.integers(0, 20))
WIDTHS = st.integers(1, 9).map(lambda width: {"width": width})


@examples(25)
@given(domain=int_graphs(), options=WIDTHS, expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_int_costs(
    domain: IntGraph, options: dict[str, Any], expansions: int | None
) -> None:
    """Zero-cost edges, loops, unreachable goals, inconsistent estimates, wherever a limit stops them."""
    assert_twins(domain, NAME, expansions=expansions, **options)


@examples(25)
@given(domain=float_graphs(), options=WIDTHS, expansions=LIMITS)
def test_the_engines_are_twins_on_graphs_with_float_costs(
    domain: FloatGraph, options: dict[str, Any], expansions: int | None
) -> None:
    """Likewise with floats, and with infinite estimates for dead ends."""
    assert_twins(domain, NAME, expansions=expansions, **options)


@examples(12)
@given(data=st.data(), expansions=st.one_of(st.none(), st.integers(0, 500)))
def test_the_engines_are_twins_on_random_boards(data: st.DataObject, expansions: int | None) -> None:
    """Boards of 9 and 16 cells, any goal, any order of moves: rounds of growing width."""
    size = data.draw(st.sampled_from([(3, 3), (4, 4)]))
    goal = tuple(data.draw(st.permutations(range(size[0] * size[1]))))
    assert_twins(random_board(data.draw, goal, size, 30), NAME, expansions=expansions)


def test_states_are_reopened_as_in_the_reference_engine() -> None:
    """State 3 has been expanded by a dear path when a cheaper one turns up, and so has the goal been taken."""
    edges = {0: [(1, 1), (3, 9)], 1: [(2, 1)], 2: [(3, 1)], 3: [(4, 9)]}
    domain = IntGraph(edges, frozenset([4]), {}, 8)
    domain.default_heuristic = "given"
    solution = assert_twins(domain, NAME, width=4)
    assert (solution.status, solution.cost) == ("optimal", 12)
    assert solution.stats.reopened == 2


@pytest.mark.slow
def test_a_search_of_many_rounds_is_handed_over_and_can_be_sliced() -> None:
    """It ends with the proof, and with the counts and rounds of one go in the reference engine."""
    whole = bf.solve(FIFTEEN, NAME, "manhattan", engine="python", width=3)
    assert (whole.status, whole.cost) == ("optimal", 24)
    search = bf.Search(FIFTEEN, NAME, "manhattan", width=3)
    while search.run(bf.Limits(expansions=333)).status == "limit":
        pass
    solution = search.solution
    assert solution.engine == "compiled"
    solution.stats.seconds = whole.stats.seconds
    assert (solution.stats, solution.actions, solution.lower_bound) == (whole.stats, whole.actions, 24)


@pytest.mark.slow
def test_room_made_ahead_changes_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two iterations, arrays are made anew and not copied, so that they grow less often during an iteration."""
    grows = AnytimeBeam._grow
    found = []
    for may in (None, lambda _self: False):
        grown: list[int] = []
        with monkeypatch.context() as patched:
            patched.setattr(AnytimeBeam, "_grow", lambda self, to=grown: (to.append(self._size), grows(self)))
            if may is not None:
                patched.setattr(AnytimeBeam, "_make_room_ahead", may)
            found.append((bf.solve(FIFTEEN, NAME, "manhattan", engine="compiled", width=5), len(grown)))
    (ahead, few), (behind, many) = found
    ahead.stats.seconds = behind.stats.seconds
    assert (ahead.stats, ahead.actions, ahead.lower_bound) == (behind.stats, behind.actions, 24)
    assert few < many
    limited = bf.solve(FIFTEEN, NAME, "manhattan", engine="compiled", limits=bf.Limits(memory=FIRST_SIZE * 100))
    assert (limited.status, limited.limit) == ("limit", "memory")


def test_a_start_that_is_a_goal_and_one_that_is_hopeless() -> None:
    """Neither needs an expansion."""
    solved = assert_twins(bf.SlidingTile("1 2 3 4 5 6 7 8 _"), NAME)
    assert (solved.cost, solved.stats.expanded) == (0, 0)
    hopeless = FloatGraph({0: [(1, 1.0)]}, frozenset(), {0: math.inf}, 8)
    hopeless.default_heuristic = "given"
    assert assert_twins(hopeless, NAME).status == "unsolvable"


def test_an_inconsistent_heuristic_is_reported_as_in_the_reference_engine() -> None:
    """The warning names the first edge along which f falls."""
    edges = {0: [(1, 1), (2, 1)], 1: [(3, 2)], 2: [(3, 4)], 3: [(4, 3)]}
    domain = IntGraph(edges, frozenset([4]), {0: 5, 1: 5, 3: 1}, 8)
    domain.default_heuristic = "given"
    assert "inconsistent" in assert_twins(domain, NAME).warnings[0]


@pytest.mark.parametrize(("cost", "h", "error"), [(-1, 0, bf.CostError), (1, -1, bf.HeuristicError)])
def test_bad_costs_and_estimates_are_errors_as_in_the_reference_engine(cost: int, h: int, error: type[Exception]) -> None:
    """Found in compiled code, explained with state and action."""
    domain = IntGraph({0: [(1, 1)], 1: [(2, cost)], 2: [(3, 1)]}, frozenset([3]), {2: h}, 8)
    domain.default_heuristic = "given"
    with pytest.raises(error):
        bf.solve(domain, NAME, engine="compiled")


class Detours(bf.Domain[Any, Any]):
    """From 0 to 1 for 1 and to 2 for 10; from 1 to 2, and to the goal 3 for 0. At 2, step divides by 0."""

    class State(NamedTuple):
        place: int

    max_actions = 2

    def __init__(self, detour: int) -> None:
        self.detour = detour  # what the way from 1 to 2 costs
        self.initial = self.State(0)

    def step(self, state: State, action: int) -> tuple[bool, State, int]:
        if state.place == 0:
            return True, self.State(1 + action), 1 + 9 * action
        if state.place == 1:
            return True, self.State(2 + action), self.detour * (1 - action)
        return True, self.State(3), 1 // (state.place - 2)

    def is_goal(self, state: State) -> bool:
        return state.place == 3


def test_an_error_at_a_node_that_a_child_of_the_one_before_replaces_is_none() -> None:
    """The nodes of a level are expanded together, but as one after the other; an error at a node that stays open is raised."""
    solution = assert_twins(Detours(1), NAME, "zero", width=4)
    assert (solution.cost, solution.stats.expanded) == (1, 2)
    for engine in ("python", "compiled"):
        with pytest.raises(ZeroDivisionError, match="zero"):
            bf.solve(Detours(10), NAME, "zero", width=4, engine=engine)


def test_a_bad_cost_behind_a_good_one_is_an_error_as_in_the_reference_engine() -> None:
    """It is met at the second node of a level."""
    domain = IntGraph({0: [(1, 1), (2, 9)], 1: [(3, 1)], 2: [(4, -1)]}, frozenset([5]), {}, 8)
    for engine in ("python", "compiled"):
        with pytest.raises(bf.CostError, match="-1"):
            bf.solve(domain, NAME, "zero", width=4, engine=engine)
