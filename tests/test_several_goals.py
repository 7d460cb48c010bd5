"""The cheapest path to each of several goals, the nearest goal first."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bestfirst as bf
from profiles import examples


@given(seed=st.integers(0, 10**9), neighbours=st.sampled_from([4, 8]))
@examples(30)
def test_each_goal_at_its_distance(seed: int, neighbours: int) -> None:
    """Each goal that can be reached has one solution, as cheap as that of a search for it alone, and they come by cost."""
    random = Random(seed)
    rows = ["".join(random.choices("@.", [0.3, 0.7], k=7)) for _ in range(6)]
    start, *goals = [(random.randrange(7), random.randrange(6)) for _ in range(5)]
    grid = bf.GridMap(rows, start, goals, neighbours=neighbours)
    found = bf.nearest_goals(grid)
    costs: dict[Any, Any] = {grid.point(solution.states[-1]): solution.cost for solution in found}
    alone = {goal: bf.solve(grid.between(start, goal), engine="python").cost for goal in goals}
    assert found.limit is None
    assert list(costs.values()) == sorted(costs.values())
    assert costs == pytest.approx({goal: cost for goal, cost in alone.items() if cost is not None})
    assert bf.solve(grid, engine="python").cost == pytest.approx(min(costs.values(), default=None))


def test_goals_that_are_not_listed() -> None:
    """Any problem with several goal states can be asked; the iteration ends when all states are expanded."""
    found = [(solution.states[-1], solution.cost) for solution in bf.nearest_goals(bf.WaterJugs("5 3", 4))]
    assert found == [((4, 3), 6), ((4, 0), 7)]


def test_no_more_is_searched_than_needed() -> None:
    """The search ends at the last of the listed goals, or when the caller stops."""
    roads = bf.RoadMap([(place, place + 1, 1) for place in range(100)], 0, [5, 2])
    found = bf.nearest_goals(roads)
    assert [solution.actions[-1] for solution in found] == [2, 5]
    assert found.stats.expanded == 5
    found = bf.nearest_goals(roads)
    assert [solution.cost for solution in islice(found, 1)] == [2]
    assert found.stats.expanded == 2


def test_limits() -> None:
    """A limit leaves the goals that were found until then; at_most leaves out those that are farther away."""
    roads = bf.RoadMap([(place, place + 1, 1) for place in range(100)], 0, [5, 2, 90])
    found = bf.nearest_goals(roads, limits=bf.Limits(expansions=10))
    assert [solution.cost for solution in found] == [2, 5]
    assert (found.limit, found.stats.expanded) == ("expansions", 10)
    found = bf.nearest_goals(roads, at_most=4)
    assert [solution.cost for solution in found] == [2]
    assert found.limit == "at_most"


def test_bad_arguments() -> None:
    """A heuristic that overestimates, and a limit on depth, are refused."""
    grid = bf.GridMap("....", (0, 0), [(3, 0), (2, 0)])
    with pytest.raises(bf.InputError, match="overestimate"):
        bf.nearest_goals(grid, "manhattan")
    with pytest.raises(bf.InputError, match=r"nearest_goals\(\) does not support a limit on depth"):
        bf.nearest_goals(grid, limits=bf.Limits(depth=3))
    with pytest.raises(bf.InputError, match="limits is 3; pass Limits"):
        bf.nearest_goals(grid, limits=3)  # type: ignore[arg-type]


class Steps(bf.Problem[tuple[int, int], int]):
    """Pairs of a place and a remark, of which key() leaves out the remark; the places 2 and 3 are goals."""

    initial = (0, 0)

    def __init__(self, listed: Any = None) -> None:
        self.listed = listed

    def is_goal(self, state: tuple[int, int]) -> bool:
        return state[0] >= 2

    def successors(self, state: tuple[int, int]) -> list[tuple[int, tuple[int, int], int]]:
        return [(remark, (state[0] + 1, remark), 1 + remark) for remark in range(3) if state[0] < 3]

    def key(self, state: tuple[int, int]) -> int:
        return state[0]

    def goal_states(self) -> Any:
        return self.listed


@pytest.mark.parametrize("listed", [None, [(2, 0), (2, 1), (3, 0)]])
def test_states_with_the_same_key_are_one_goal(listed: Any) -> None:
    """Each has one solution, the cheapest, whether or not goals are listed, and however often."""
    found = bf.nearest_goals(Steps(listed))
    assert [(solution.states[-1], solution.cost) for solution in found] == [((2, 0), 2), ((3, 0), 3)]
    assert (found.stats.expanded, found.limit) == (4 if listed is None else 3, None)


@pytest.mark.parametrize("listed", [5, iter([(2, 0)])])
def test_goals_listed_in_no_list(listed: Any) -> None:
    """The member that does it is named."""
    with pytest.raises(bf.InputError, match=r"Steps.goal_states\(\) returns .*; return a list"):
        next(bf.nearest_goals(Steps(listed)))


class _Walk(bf.Domain):
    """A walk whose states count their steps; key() leaves the count out."""

    class State(NamedTuple):
        x: int
        steps: int

    initial = State(0, 0)
    max_actions = 2

    def key(self, state: Any) -> int:
        return int(state.x)

    def step(self, state: Any, action: int) -> Any:
        to = state.x + (1 if action == 0 else -1)
        return 0 <= to < 2_500, self.State(to, state.steps + 1), 1

    def is_goal(self, state: Any) -> bool:
        return bool(state.x in (3, 2_400))


def test_an_own_key_stays_with_the_reference_engine() -> None:
    """Compiled code would not call it, and would find ever new states."""
    found = bf.nearest_goals(_Walk(), limits=bf.Limits(expansions=10_000))
    assert [solution.cost for solution in found] == [3, 2_400]
    assert (found.engine, found.limit, found.stats.expanded) == ("python", None, 2_500)
    with pytest.raises(bf.InputError, match=r"does not call _Walk\.key; list in `identity` the fields"):
        list(bf.nearest_goals(_Walk(), engine="compiled"))
